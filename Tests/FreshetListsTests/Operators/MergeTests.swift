import FreshetTesting
import Testing

@testable import FreshetLists

/// Rules X1–X5 for lists that are merged.
@Suite(.timeLimit(.minutes(5)))
struct MergeTests {
  /// A row of a part: an item with a date, or a gap.
  struct Post: ListItem, CustomStringConvertible {
    let id: Int
    var date: Int?
    var note = 0

    var description: String { date.map { "\(id)@\($0)" } ?? "gap \(id)" }
  }

  /// A source of posts, newest first, and what of it a part has loaded.
  struct Part {
    let number: Int
    var all: [Post] = []
    /// Which posts are loaded, by id.
    var loaded: Set<Int> = []
    var nextID: Int
    /// The ids that posts had before the last step, by those that they have now.
    var oldIDs: [Int: Int] = [:]
    /// What was handed over last.
    var shown = View()
    /// Whether rows that are not loaded above all others leave no gap: a feed that began in the
    /// middle.
    let isHeadOpen: Bool

    struct View {
      var rows: [Post] = []
      var isComplete = false
      var isHeadKnown = true
    }

    init(number: Int, isHeadOpen: Bool) {
      self.number = number
      self.isHeadOpen = isHeadOpen
      nextID = number * 1_000_000
    }

    /// What a feed would show: the loaded posts, with a gap wherever posts between them are not,
    /// and whether nothing is missing at the ends.
    var view: View {
      var view = View()
      var isOpen = false
      for post in all {
        guard loaded.contains(post.id) else {
          isOpen = true
          continue
        }
        if isOpen, isHeadOpen, view.rows.isEmpty {
          view.isHeadKnown = false
        } else if isOpen {
          view.rows.append(Post(id: -1 - post.id * 4 - number, date: nil))
        }
        view.rows.append(post)
        isOpen = false
      }
      view.isComplete = !isOpen
      return view
    }

    mutating func step(_ random: inout SeededGenerator, shared: Bool) {
      oldIDs = [:]
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1:
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          let date = Int.random(in: 0..<30, using: &random)
          // A shared post has one id and one date in all parts.
          let id = shared && random.oneIn(3) ? 9_000_000 + date : nextID
          nextID += 1
          guard !all.contains(where: { $0.id == id }) else { continue }
          let at = all.firstIndex { $0.date! < date } ?? all.count
          all.insert(Post(id: id, date: date), at: at)
          if random.oneIn(2) { loaded.insert(id) }
        }
      case 2:
        for index in all.indices.reversed() where random.oneIn(5) { all.remove(at: index) }
      case 3:
        for index in all.indices where random.oneIn(5) {
          all[index].note = Int.random(in: 0..<4, using: &random)
        }
      case 4:
        for index in all.indices where random.oneIn(5) { rename(index, &random, shared: shared) }
      case 5:
        // A page loads.
        for post in all.filter({ !loaded.contains($0.id) }).prefix(4) { loaded.insert(post.id) }
      default:
        for post in all where random.oneIn(8) { loaded.remove(post.id) }
      }
    }

    /// Gives a post another id, as the source does to one that was made here.
    private mutating func rename(
      _ index: Int, _ random: inout SeededGenerator, shared: Bool
    ) {
      let post = all[index]
      let id = shared && random.oneIn(2) ? 9_000_000 + post.date! : nextID
      nextID += 1
      guard !all.contains(where: { $0.id == id }) else { return }
      all[index] = Post(id: id, date: post.date, note: .random(in: 0..<4, using: &random))
      oldIDs[id] = post.id
      if loaded.remove(post.id) != nil { loaded.insert(id) }
    }
  }

  /// The merged list from scratch: sorted, and without what some part may still overtake.
  func meaning(_ parts: [Part.View]) -> [Post] {
    struct Placed {
      let post: Post
      let date: Int
      let part: Int
      let index: Int
    }
    var placed: [Placed] = []
    var seen: Set<Int> = []
    for (part, view) in parts.enumerated() {
      var above = Int.max
      for (index, post) in view.rows.enumerated() {
        if let date = post.date {
          above = date
          guard seen.insert(post.id).inserted else { continue }
        }
        placed.append(
          Placed(post: post, date: above, part: part, index: index))
      }
    }
    func key(_ placed: Placed) -> (Int, Int, Int) { (-placed.date, placed.part, placed.index) }
    placed.sort { key($0) < key($1) }
    return placed.filter { row in
      !parts.enumerated().contains { part, content in
        func place(_ index: Int) -> (Int, Int, Int) {
          (-(content.rows[..<(index + 1)].compactMap(\.date).last ?? Int.max), part, index)
        }
        for (index, post) in content.rows.enumerated() where post.date == nil {
          guard key(row) > place(index) else { continue }
          let below = content.rows[(index + 1)...].firstIndex { $0.date != nil }
          guard let below else { return true }
          if key(row) < place(below) { return true }
        }
        if !content.isComplete, content.rows.isEmpty || key(row) > place(content.rows.count - 1) {
          return true
        }
        return !content.isHeadKnown && (content.rows.isEmpty || key(row) < place(0))
      }
    }.map(\.post)
  }

  @Test(arguments: [false, true])
  func `X1, X2, X5: merged lists show what nothing can overtake, in order`(shared: Bool) async {
    for seed in SeededGenerator.seeds(1_500) {
      var random = SeededGenerator(seed: seed)
      var parts = (0..<Int.random(in: 2...3, using: &random)).map {
        Part(number: $0, isHeadOpen: random.oneIn(3))
      }
      var merged = MergedRows<Post, Int>(parts: parts.count, .reverse) { $0.date }
      for step in 0..<25 {
        let number = Int.random(in: 0..<parts.count, using: &random)
        parts[number].step(&random, shared: shared)
        let view = parts[number].view
        let part = parts[number]
        let edits = RowEdits(from: part.shown.rows, to: view.rows, oldIDs: part.oldIDs)
        parts[number].shown = view
        let before = merged.rows
        let result = merged.apply(
          edits, to: RowTree(view.rows), part: number, isComplete: view.isComplete,
          isHeadKnown: view.isHeadKnown)
        let violations = result.violations(from: before, to: merged.rows)
        let meant = meaning(parts.map(\.shown))
        #expect(violations == [], "seed \(seed), step \(step)")
        #expect(Array(merged.rows) == meant, "seed \(seed), step \(step)")
        guard violations.isEmpty, Array(merged.rows) == meant else { return }
      }
    }
  }

  @Test
  func `X1, X2, X5: parts stand one behind the other, each once those above it are complete`() async
  {
    for seed in SeededGenerator.seeds(1_500) {
      var random = SeededGenerator(seed: seed)
      var parts = (0..<3).map { Part(number: $0, isHeadOpen: false) }
      var all = MergedRows<Post, Int>(following: 3) { $0.date == nil }
      for step in 0..<25 {
        let number = Int.random(in: 0..<3, using: &random)
        parts[number].step(&random, shared: true)
        let view = parts[number].view
        let part = parts[number]
        let edits = RowEdits(from: part.shown.rows, to: view.rows, oldIDs: part.oldIDs)
        parts[number].shown = view
        let before = all.rows
        let result = all.apply(
          edits, to: RowTree(view.rows), part: number, isComplete: view.isComplete)
        let open = parts.firstIndex { !$0.shown.isComplete } ?? 2
        var seen: Set<Int> = []
        let meant = parts[...open].flatMap(\.shown.rows).filter { seen.insert($0.id).inserted }
        #expect(result.violations(from: before, to: all.rows) == [], "seed \(seed), step \(step)")
        #expect(Array(all.rows) == meant, "seed \(seed), step \(step)")
        #expect(all.openTails == (parts[open].shown.isComplete ? [] : [open]), "seed \(seed)")
        guard Array(all.rows) == meant else { return }
      }
    }
  }
}

// Cases.
extension MergeTests {
  /// Two parts that have all their rows, newest first.
  func merge(_ first: [Post], _ second: [Post] = []) -> MergedRows<Post, Int> {
    var merged = MergedRows<Post, Int>(parts: 2, .reverse) { $0.date }
    for (part, posts) in [first, second].enumerated() {
      _ = merged.apply(
        RowEdits(inserted: Array(posts.indices)), to: RowTree(posts), part: part, isComplete: true)
    }
    return merged
  }

  @Test
  func `X1: a row that gets another id in place leaves no ghost`() {
    var merged = merge([Post(id: -1, date: 5), Post(id: 2, date: 3)], [Post(id: 9, date: 4)])
    let renamed = [Post(id: 7, date: 5), Post(id: 2, date: 3)]
    let edits = merged.apply(
      RowEdits(updated: [0]), to: RowTree(renamed), part: 0, isComplete: true)
    #expect(edits == RowEdits(deleted: [0], inserted: [0]))
    #expect(merged.rows.map(\.id) == [7, 9, 2])
    _ = merged.apply(
      RowEdits(deleted: [0]), to: RowTree(renamed.dropFirst()), part: 0, isComplete: true)
    #expect(merged.rows.map(\.id) == [9, 2])
  }

  @Test
  func `X3: gaps that did not change are in no edits`() {
    let posts = [Post(id: 1, date: 9), Post(id: 2, date: 8), Post(id: -1), Post(id: 3, date: 1)]
    var merged = merge(posts)
    var changed = posts
    changed[0].note = 1
    func apply(_ edits: RowEdits) -> RowEdits {
      merged.apply(edits, to: RowTree(changed), part: 0, isComplete: true)
    }
    #expect(apply(RowEdits(updated: [0])) == RowEdits(updated: [0]))
    // So close to each other, at two places in turn, that they are numbered anew.
    for id in 0..<100 {
      let place = id % 2 == 0 ? 1 : changed.firstIndex { $0.date == nil }!
      changed.insert(Post(id: 10 + id, date: 8), at: place)
      #expect(apply(RowEdits(inserted: [place])) == RowEdits(inserted: [place]), "\(id)")
    }
    let gap = changed.firstIndex { $0.date == nil }!
    changed[gap].note = 1
    #expect(apply(RowEdits(updated: [gap])) == RowEdits(updated: [gap]))
    #expect(Array(merged.rows) == changed)
  }

  struct Scored: ListItem {
    let id: Int
    let score: Double
  }

  @Test(arguments: [ListDirection.forward, .reverse])
  func `L1, X1: keys that are not even equal to themselves lose and double no row`(
    direction: ListDirection
  ) {
    var merged = MergedRows<Scored, Double>(parts: 2, direction) { $0.score }
    var shown: [Int] = []
    func take(_ edits: RowEdits, _ rows: RowTree<Scored>) {
      #expect(edits.inserted == edits.inserted.sorted())
      for index in edits.deleted.reversed() { shown.remove(at: index) }
      for index in edits.inserted { shown.insert(rows[index].id, at: index) }
      #expect(shown == rows.map(\.id))
    }
    var second: [Scored] = []
    func put(_ rows: [Scored], part: Int, deleted: [Int] = [], inserted: [Int] = []) {
      let edits = merged.apply(
        RowEdits(deleted: deleted, inserted: inserted, updated: []), to: RowTree(rows), part: part,
        isComplete: true)
      take(edits, merged.rows)
    }
    let scores: [Double] = direction == .forward ? [1, 2, 9] : [9, 2, 1]
    put(scores.map { Scored(id: Int($0), score: $0) }, part: 0, inserted: [0, 1, 2])
    second = [Scored(id: 100, score: .nan), Scored(id: 3, score: 3)]
    put(second, part: 1, inserted: [0, 1])
    #expect(Set(shown) == [1, 2, 3, 9, 100] && shown.count == 5)
    second.removeFirst()
    put(second, part: 1, deleted: [0])
    #expect(Set(shown) == [1, 2, 3, 9] && shown.count == 4)
  }
}

extension RowEdits {
  /// The edits between two lists whose rows keep their order, as a feed knows them.
  init(from before: [MergeTests.Post], to after: [MergeTests.Post], oldIDs: [Int: Int] = [:]) {
    self.init()
    let ids = after.map { oldIDs[$0.id] ?? $0.id }
    for difference in ids.difference(from: before.map(\.id)) {
      switch difference {
      case .remove(let offset, _, _): deleted.append(offset)
      case .insert(let offset, _, _): inserted.append(offset)
      }
    }
    deleted.sort()
    inserted.sort()
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
    updated = after.indices.filter { !inserted.contains($0) && old[ids[$0]] != after[$0] }
  }
}
