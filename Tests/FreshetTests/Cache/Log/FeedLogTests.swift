import Foundation
import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet

/// What is written, without files and without a store.
@Suite(.timeLimit(.minutes(5)))
struct FeedLogTests {
  /// Runs in memory; some rows cannot be stored, and no run is longer than sixty rows.
  struct ModelRuns: RunStorage {
    var keepsParts = true
    var runs: [UInt64: [Post]] = [:]
    var last: UInt64 = 0
    /// How many rows were written.
    var written = 0

    static func isStorable(_ post: Post) -> Bool { post.id % 50 != 7 }

    func content(of item: Post) -> Post { item }

    mutating func write(
      _ run: inout FeedManifest.Run<Post>, as sequence: UInt64
    ) throws -> Bool {
      guard run.contents.count <= 60, run.contents.allSatisfy(Self.isStorable) else { return false }
      #expect(sequence > last, "P3: a number that another run had")
      last = sequence
      runs[sequence] = run.contents
      written += run.contents.count
      return true
    }

    func read(_ sequence: UInt64, count: Int) throws -> [Post?]? {
      #expect(runs[sequence]?.count == count)
      return runs[sequence]
    }
    func take(_ part: RunPart, of run: [Post?]?) -> ArraySlice<Post?>? { run?[part.rows] }
    func stamp(of page: [Post]) -> UInt64? { 7 }
  }

  /// A list that changes at random; `nil` is a gap.
  struct ModelList {
    var rows: [Post?] = []
    var nextID = 0
    var generator: SeededGenerator

    /// What is stored of it.
    var outline: String {
      rows.map { $0.flatMap { ModelRuns.isStorable($0) ? "\($0)" : nil } ?? "|" }
        .joined(separator: " ")
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
      Int.random(in: range, using: &generator)
    }

    /// Some steps delete, insert and update a few stretches, and some rows that they leave alone
    /// are on disk only.
    mutating func change(isWhole: Bool) -> FeedCommit<Post> {
      var after = rows.enumerated().map { (row: $1, before: Int?.some($0)) }
      for _ in 0..<number(0...2) where !after.isEmpty {
        let start = number(0...(after.count - 1))
        after.removeSubrange(start..<min(after.count, start + number(1...40)))
      }
      var updated: Set<Int> = []
      for _ in 0..<number(0...2) where !after.isEmpty {
        let index = number(0...(after.count - 1))
        guard let post = after[index].row, let before = after[index].before else { continue }
        after[index].row = Post(id: post.id, version: post.version + 1)
        updated.insert(before)
      }
      for _ in 0..<number(0...2) {
        let news = (0..<number(1...70)).map { _ -> (row: Post?, before: Int?) in
          nextID += 1
          return (generator.oneIn(20) ? nil : Post(id: nextID), nil)
        }
        after.insert(contentsOf: news, at: number(0...after.count))
      }
      let kept = Set(after.compactMap(\.before))
      let unloaded = isWhole ? 0..<0 : unloaded(of: after, updated: updated)
      let deleted = rows.indices.filter { !kept.contains($0) }
      rows = after.map(\.row)
      var memory = rows.enumerated().map { index, row in
        row.map { ListRow.item($0) } ?? .gap(Gap(id: index))
      }
      if !unloaded.isEmpty { memory.replaceSubrange(unloaded, with: [.gap(Gap(id: -1))]) }
      let keys = rows.compactMap { $0 }.map { post in
        (post.id, PageBoundary(next: PageKey(json: "\(post.id)")))
      }
      return FeedCommit(
        rows: RowTree(memory),
        unloaded: unloaded.isEmpty
          ? [] : [.init(row: unloaded.lowerBound, count: unloaded.count)],
        deleted: isWhole ? [] : deleted,
        inserted: isWhole ? [] : after.indices.filter { after[$0].before == nil },
        updated: after.indices.filter { after[$0].before.map(updated.contains) ?? false },
        isWhole: isWhole, marks: Dictionary(uniqueKeysWithValues: keys),
        state: CachedState(head: .end, anchor: number(0...9)))
    }

    /// Rows that a step leaves alone, side by side before and after it.
    private mutating func unloaded(
      of rows: [(row: Post?, before: Int?)], updated: Set<Int>
    ) -> Range<Int> {
      guard !rows.isEmpty, generator.oneIn(2) else { return 0..<0 }
      let start = number(0...(rows.count - 1))
      var end = start
      while end < rows.count, let before = rows[end].before, !updated.contains(before),
        end == start || before - 1 == rows[end - 1].before
      {
        end += 1
      }
      return start..<end
    }
  }

  /// A cache that does what is planned.
  struct ModelFeed {
    var log = FeedLog(name: "home", version: 1)
    var runs = ModelRuns()
    var text = Data()

    /// - Parameter removesAtOnce: whether garbage goes before the log is begun anew.
    mutating func save(
      _ commit: FeedCommit<Post>, isWhole: Bool = false, removesAtOnce: Bool
    ) throws -> FeedLog.Plan {
      let plan = try log.plan(commit, isWhole: isWhole, in: &runs)
      text = plan.beginsAnew ? plan.text : text + plan.text
      let garbage = Set(log.garbage)
      let named = Set(log.manifest.sequences)
      #expect(named.isDisjoint(with: garbage))
      #expect(Set(runs.runs.keys) == named.union(garbage), "garbage is what no entry names")
      if plan.beginsAnew || removesAtOnce {
        for sequence in garbage { runs.runs[sequence] = nil }
        log.garbage = []
      }
      return plan
    }

    /// The rows that a log says.
    func outline(_ log: FeedLog) throws -> String {
      var runs = runs
      return try log.manifest.rows(0..<log.manifest.count, in: &runs).map { row in
        guard let row else { return "|" }
        let next = row.mark?.next?.json
        #expect(next == nil || next == "\(row.content.id)", "P5: the key of another row")
        return "\(row.content)"
      }.joined(separator: " ")
    }
  }

  @Test
  func `P2, P3, P4: what is planned is what is read, and neither log nor garbage grows for ever`()
    throws
  {
    for seed in SeededGenerator.seeds(30) {
      var list = ModelList(generator: SeededGenerator(seed: seed))
      var feed = ModelFeed()
      feed.runs.keepsParts = seed % 3 > 0
      var outlines: [Int: String] = [:]
      for step in 0..<50 {
        let isWhole = step % 23 == 22
        let commit = list.change(isWhole: isWhole)
        let plan = try feed.save(commit, removesAtOnce: seed % 2 == 0)
        let read = try FeedLog(feed.text, name: "home", version: 1)
        if plan.beginsAnew { outlines = [:] }
        outlines[feed.text.count] = list.outline
        guard plan.isWhole == isWhole, read.manifest == feed.log.manifest,
          read.size == feed.log.size, try feed.outline(read) == list.outline,
          feed.text.count <= 2 * feed.log.size.checkpoint + 4096
        else {
          Issue.record("seed \(seed), step \(step): \(try feed.outline(read)) \(list.outline)")
          return
        }
      }
      guard seed % 2 == 1 else { continue }
      // Every state of the log is whole as long as its runs are there.
      for (length, outline) in outlines {
        let earlier = try FeedLog(feed.text.prefix(length), name: "home", version: 1)
        #expect(try feed.outline(earlier) == outline, "seed \(seed)")
      }
    }
  }

  @Test
  func `P4: a step costs what it changed, and most steps are a record`() throws {
    var feed = ModelFeed()
    let posts = (0..<10_000).map { Post(id: $0 * 50) }
    var rows = RowTree(posts.map { ListRow.item($0) })
    _ = try feed.save(FeedCommit(rows: rows, isWhole: true), removesAtOnce: false)
    var records = 0
    for step in 0..<100 {
      let before = feed.runs.last
      rows.update(.item(Post(id: step * 4500, version: 1)), at: step * 90)
      let commit = FeedCommit(rows: rows, updated: [step * 90])
      let plan = try feed.save(commit, removesAtOnce: false)
      if !plan.beginsAnew, plan.text.count < 200 { records += 1 }
      #expect(feed.runs.last - before <= 2)
    }
    #expect(records > 90)
  }

  /// Edits of one row at a time: what each step changes is written, and little more.
  @Test(arguments: [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1), (8, 1, 1)])
  func `P4: rows are written about as often as they come, change or go`(
    updates: Int, insertions: Int, deletions: Int
  ) throws {
    for seed in SeededGenerator.seeds(5) {
      var random = SeededGenerator(seed: seed)
      var feed = ModelFeed()
      var rows = RowTree((0..<1000).map { ListRow.item(Post(id: $0 * 50)) })
      _ = try feed.save(FeedCommit(rows: rows, isWhole: true), removesAtOnce: false)
      feed.runs.written = 0
      // Where the reader is, and anywhere.
      let isLocal = seed % 2 == 0
      let edits = 900
      for edit in 0..<edits {
        let index = Int.random(in: 0..<min(rows.count, isLocal ? 40 : .max), using: &random)
        let kind = Int.random(in: 0..<(updates + insertions + deletions), using: &random)
        let commit: FeedCommit<Post>
        if kind < updates {
          let post = try #require(rows[index].item)
          rows.update(.item(Post(id: post.id, version: edit)), at: index)
          commit = FeedCommit(rows: rows, updated: [index])
        } else if kind < updates + insertions {
          rows.insert(.item(Post(id: (1000 + edit) * 50)), at: index)
          commit = FeedCommit(rows: rows, inserted: [index])
        } else {
          rows.remove(at: index)
          commit = FeedCommit(rows: rows, deleted: [index])
        }
        _ = try feed.save(commit, removesAtOnce: true)
      }
      let stored = feed.runs.runs.values.reduce(0) { $0 + $1.count }
      #expect(feed.runs.written <= 3 * edits, "seed \(seed): \(feed.runs.written)")
      #expect(stored <= 2 * rows.count + 100, "seed \(seed): \(stored) of \(rows.count)")
      #expect(
        try feed.outline(feed.log)
          == rows.compactMap { $0.item.map { "\($0)" } }.joined(separator: " "))
    }
  }

  @Test
  func `a step that does not start from what is stored is stored as a whole`() throws {
    var feed = ModelFeed()
    let rows = RowTree((0..<5).map { ListRow.item(Post(id: $0)) })
    let plan = try feed.save(FeedCommit(rows: rows, inserted: [0]), removesAtOnce: false)
    #expect(plan.isWhole && feed.log.manifest.count == 5)
    _ = try feed.save(FeedCommit(rows: RowTree([]), isWhole: true), removesAtOnce: true)
    #expect(feed.log.manifest == FeedManifest() && feed.runs.runs.isEmpty)
  }

  @Test(arguments: SeededGenerator.seeds(50))
  func `P2: what follows a torn log is not written behind the tear`(seed: Int) throws {
    var list = ModelList(generator: SeededGenerator(seed: seed))
    var feed = ModelFeed()
    for _ in 0..<5 { _ = try feed.save(list.change(isWhole: false), removesAtOnce: false) }
    var generator = SeededGenerator(seed: seed)
    let checkpoint = feed.log.size.checkpoint
    feed.text = feed.text.prefix(Int.random(in: checkpoint...feed.text.count, using: &generator))
    feed.log = try FeedLog(feed.text, name: "home", version: 1)
    feed.runs.last = 0
    let isTorn = feed.log.size.length < feed.text.count
    let plan = try feed.log.plan(list.change(isWhole: true), isWhole: true, in: &feed.runs)
    #expect(plan.beginsAnew || !isTorn, "seed \(seed)")
    let text = plan.beginsAnew ? plan.text : feed.text + plan.text
    #expect(try feed.outline(FeedLog(text, name: "home", version: 1)) == list.outline)
  }
}
