import FreshetTesting
import Testing

@testable import FreshetLists

/// Rules X1–X5 for lists that are merged.
@Suite(.timeLimit(.minutes(15)))
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
    /// What was handed over last.
    var shown = View()
    /// Whether rows that are not loaded above all others leave no gap: a feed that began in the middle.
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

    /// What a feed would show: the loaded posts, with a gap wherever posts between them are not, and
    /// whether nothing is missing at the ends.
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
      switch Int.random(in: 0..<6, using: &random) {
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
        // A page loads.
        for post in all.filter({ !loaded.contains($0.id) }).prefix(4) { loaded.insert(post.id) }
      default:
        for post in all where random.oneIn(8) { loaded.remove(post.id) }
      }
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
    for seed in 0..<1_500 {
      await Task.yield()
      var random = SeededGenerator(seed: seed)
      var parts = (0..<Int.random(in: 2...3, using: &random)).map {
        Part(number: $0, isHeadOpen: random.oneIn(3))
      }
      var merged = MergedRows<Post, Int>(parts: parts.count, .reverse) { $0.date }
      for step in 0..<25 {
        let number = Int.random(in: 0..<parts.count, using: &random)
        parts[number].step(&random, shared: shared)
        let view = parts[number].view
        let edits = RowEdits(from: parts[number].shown.rows, to: view.rows)
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
    for seed in 0..<1_500 {
      await Task.yield()
      var random = SeededGenerator(seed: seed)
      var parts = (0..<3).map { Part(number: $0, isHeadOpen: false) }
      var all = MergedRows<Post, Int>(following: 3) { $0.date == nil }
      for step in 0..<25 {
        let number = Int.random(in: 0..<3, using: &random)
        parts[number].step(&random, shared: true)
        let view = parts[number].view
        let edits = RowEdits(from: parts[number].shown.rows, to: view.rows)
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

extension RowEdits {
  /// The edits between two lists whose rows keep their order, as a feed knows them.
  init(from before: [MergeTests.Post], to after: [MergeTests.Post]) {
    self.init()
    for difference in after.map(\.id).difference(from: before.map(\.id)) {
      switch difference {
      case .remove(let offset, _, _): deleted.append(offset)
      case .insert(let offset, _, _): inserted.append(offset)
      }
    }
    deleted.sort()
    inserted.sort()
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
    updated = after.indices.filter { !inserted.contains($0) && old[after[$0].id] != after[$0] }
  }
}
