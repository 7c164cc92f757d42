import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Rules X1 to X3 for the presentation between the evidence and the screen: random histories, seeds
/// in the messages.
@Suite(.timeLimit(.minutes(5 * SeededGenerator.minutes)))
struct PresentationTests {
  typealias Row = ListRow<AnyItem>

  /// What edits leave wrong of the way from some rows to others.
  static func faults<Value: Equatable>(
    _ edits: RowEdits, from before: [Value], to after: [Value]
  ) -> [String] {
    for indices in [edits.deleted, edits.inserted, edits.updated]
    where zip(indices, indices.dropFirst()).contains(where: { $0 >= $1 }) {
      return ["not ascending: \(indices)"]
    }
    var rows = before
    for index in edits.deleted.reversed() {
      guard rows.indices.contains(index) else { return ["\(index) was deleted"] }
      rows.remove(at: index)
    }
    for index in edits.inserted {
      guard index <= rows.count, after.indices.contains(index) else {
        return ["\(index) was inserted"]
      }
      rows.insert(after[index], at: index)
    }
    guard rows.count == after.count else { return ["\(rows.count) rows, not \(after.count)"] }
    let changed = rows.indices.filter { rows[$0] != after[$0] }
    return changed == edits.updated ? [] : ["changed \(changed), told \(edits.updated)"]
  }

  // MARK: - Overlay

  @Test
  func `C4: rows are the timeline's own where no edit shows anything`() {
    var history = History(Array(0..<200), configuration: FeedConfiguration(pageSize: 200))
    history.ask { $0.load(.refresh) }
    var isShared: Bool {
      history.machine.value.sourceRows.isIdentical(to: history.machine.timeline.posts)
    }
    for id in 0..<50 {
      history.server.delete(id)
      history.begin { $0.follow(.delete(id), token: id, at: $1) }
    }
    #expect(isShared && !history.machine.presentation.overlay.edits.isEmpty)
    // What is deleted leaves no place behind: other news count as answered at once.
    history.begin { $0.follow(.upsert(Post(id: 60, version: 1)), token: 50, at: $1) }
    #expect(!history.machine.presentation.overlay.edits.contains(RowID(post: 60)))
    history.begin { $0.update(70, token: 51, at: $1) { $0.version = 2 } }
    #expect(!isShared)
    history.server.update(Post(id: 70, version: 2))
    history.ask { $0.load(.refresh, scope: .all) }
    #expect(isShared && history.violations == [])
  }

  /// A timeline that is edited, and edits over it.
  struct Edited {
    var random: SeededGenerator
    var timeline = Timeline()
    var overlay = Overlay()
    var open: [Int] = []
    var lastToken = 0
    var request = 0
    var freshID = 100

    init(seed: Int) { random = SeededGenerator(seed: seed) }

    /// Something happens; the rows before and after, and what is said to have become of them.
    mutating func step() -> (before: [Row], edits: RowEdits) {
      let before = Array(overlay.rows)
      let content = timeline.content
      let edit = Int.random(in: 0..<7, using: &random) < 3 ? answer() : beginOrEnd()
      if let renumbered = edit.renumbered { overlay.renumber(renumbered.orders, from: content) }
      let old = edit.renumbered?.before ?? content
      let answered = edit.byIndex(from: old, to: timeline.content)
      return (before, overlay.apply(edit, answered, from: old, to: timeline))
    }

    /// An answer has some of the rows, in another order now and then.
    private mutating func answer() -> TimelineEdit {
      request += 1
      var items = timeline.posts.compactMap(\.item).filter { _ in !random.oneIn(5) }
      if random.oneIn(3) { items.shuffle(using: &random) }
      for index in items.indices where random.oneIn(4) { items[index].version += 1 }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        freshID += 1
        let id =
          random.oneIn(4)
          ? overlay.edits.ids.map(\.post).sorted().randomElement(using: &random) ?? freshID
          : freshID
        if !items.contains(where: { $0.id == id }) {
          items.insert(Post(id: id), at: .random(in: 0...items.count, using: &random))
        }
      }
      let run = Run(posts: items, requests: items.map { _ in request })
      let known = timeline
      overlay.edits.note(run, merged: items.indices) { known.order(of: $0) != nil }
      return timeline.become(run)
    }

    private mutating func beginOrEnd() -> TimelineEdit {
      if !open.isEmpty, random.oneIn(2) {
        let token = open.remove(at: .random(in: 0..<open.count, using: &random))
        if random.oneIn(2) {
          overlay.edits.undo(token)
        } else {
          overlay.edits.confirm(token, after: request, until: nil)
        }
        return TimelineEdit()
      }
      lastToken += 1
      open.append(lastToken)
      let id = overlay.rows.compactMap(\.item?.post.id).randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<3, using: &random) {
      case 0: begin(.update { $0.changePost { $0.version += 1000 } }, of: id)
      case 1: begin(.delete, of: id)
      default:
        freshID += 1
        let new = random.oneIn(4) ? id : freshID
        let slot = random.oneIn(3) ? nil : overlay.slot(behind: RowID(post: id), in: timeline)
        overlay.place(RowID(post: new), at: slot ?? .top)
        begin(.put(AnyItem(Post(id: new))), of: new, isPlaced: true)
      }
      return TimelineEdit()
    }

    private mutating func begin(
      _ change: PendingEdits.Change, of id: Int, isPlaced: Bool = false
    ) {
      overlay.edits.begin(
        .init(
          token: lastToken, change: change, isPlaced: isPlaced, since: request, cause: .edit),
        of: RowID(post: id))
    }
  }

  @Test
  func `X1, R6: rows are the answers' with the edits over them, and every edit is exact`() async {
    for seed in SeededGenerator.seeds(300) {
      var edited = Edited(seed: seed)
      for step in 0..<30 {
        let (before, edits) = edited.step()
        let (rows, overlay) = (Array(edited.overlay.rows), edited.overlay)
        let faults = Self.faults(edits, from: before, to: rows)
        #expect(faults == [], "seed \(seed), step \(step)")
        // Answered rows keep their order; those that edits make are there once.
        let answered = edited.timeline.rows.compactMap { row -> Row? in
          guard let id = row.item?.id else { return row }
          let appearance = overlay.edits.appearance(of: id, over: row.item)
          return appearance.isPlaced ? nil : appearance.item.map(Row.item)
        }
        #expect(
          rows.filter { !overlay.isPlaced($0.item?.id ?? RowID(post: -1)) } == answered,
          "seed \(seed), step \(step)")
        for id in overlay.edits.ids {
          let appearance = overlay.edits.appearance(of: id, over: edited.timeline.item(id))
          let shown = rows.filter { $0.item?.id == id }
          let isAnswered = edited.timeline.item(id) != nil
          let meant = appearance.isPlaced || isAnswered ? appearance.item : nil
          #expect(shown == (meant.map { [.item($0)] } ?? []), "seed \(seed), step \(step)")
          #expect(
            overlay.index(of: id, in: edited.timeline) == rows.firstIndex { $0.item?.id == id },
            "seed \(seed), step \(step)")
        }
        guard faults.isEmpty else { return }
      }
    }
  }

  @Test
  func `R6: an item that answers had before it was made keeps no deletion from ending`() {
    var edits = PendingEdits()
    edits.begin(
      .init(
        token: 1, change: .put(AnyItem(Post(id: -1))), isPlaced: true, since: 0, cause: .edit),
      of: RowID(post: -1))
    edits.begin(.init(token: 2, change: .delete, since: 0, cause: .edit), of: RowID(post: 7))
    edits.confirm(2, after: 0, until: nil)
    #expect(edits.settled(oldest: nil, at: .distantPast) { _ in false } == [])
    edits.adopt(AnyItem(Post(id: 100)), for: 1, isAnswered: true)
    edits.confirm(1, after: 0, until: nil)
    #expect(edits.settled(oldest: nil, at: .distantPast) { _ in false } == [1, 2])
  }

  // MARK: - NewItemsBuffer and anchor

  /// Edits of rows that are numbers, each once, some of which move.
  static func randomEdits(
    _ rows: inout [Int], fresh: inout Int, _ random: inout SeededGenerator
  ) -> RowEdits {
    var edits = RowEdits(deleted: rows.indices.filter { _ in random.oneIn(6) })
    let moving = edits.deleted.map { rows[$0] }.filter { _ in random.oneIn(3) }
    for index in edits.deleted.reversed() { rows.remove(at: index) }
    fresh += 2
    let new = moving + (random.oneIn(2) ? [fresh - 1, fresh] : [])
    var after = rows
    for row in new {
      after.insert(row, at: random.oneIn(3) ? 0 : .random(in: 0...after.count, using: &random))
    }
    edits.inserted = after.indices.filter { new.contains(after[$0]) }
    rows = after
    return edits
  }

  @Test
  func `X1: rows that come above the first shown one wait, and no other row does`() {
    for seed in SeededGenerator.seeds(2_000) {
      var random = SeededGenerator(seed: seed)
      var (rows, fresh) = (Array(0..<10), 100)
      var fold = NewItemsBuffer()
      fold.hold()
      for step in 0..<12 {
        let (before, shownBefore) = (rows, rows.dropFirst(fold.waiting ?? 0))
        let showsTop = random.oneIn(4)
        let edits = Self.randomEdits(&rows, fresh: &fresh, &random)
        let shown = fold.apply(edits, count: rows.count, showsTop: showsTop)
        let now = Array(rows.dropFirst(fold.waiting ?? 0))
        #expect(fold.shown(of: RowTree(rows.map { Post(id: $0) })).map(\.id) == now)
        #expect(
          Self.faults(shown, from: Array(shownBefore), to: now) == [], "seed \(seed), step \(step)")
        let gone = Set(edits.deleted.map { before[$0] })
        let stay = shownBefore.filter { !gone.contains($0) }
        if stay.isEmpty {
          #expect(now == rows, "seed \(seed), step \(step)")
        } else if !showsTop {
          // The first row that is shown was shown before.
          #expect(now.first == stay.first, "seed \(seed), step \(step)")
        } else {
          // So do those that came right above it.
          let first = now.firstIndex { stay.first == $0 } ?? 0
          let above = rows.count - now.count
          #expect(
            (above..<(above + first)).allSatisfy(edits.inserted.contains)
              && !edits.inserted.contains(above - 1), "seed \(seed), step \(step)")
        }
      }
    }
  }

  @Test
  func `X1: the reader's item is followed, and the nearest one that is left takes its place`() {
    for seed in SeededGenerator.seeds(2_000) {
      var random = SeededGenerator(seed: seed)
      var (rows, fresh) = (Array(0..<10), 100)
      var anchor = ReaderAnchor(id: RowID(post: 5), index: 5)
      for step in 0..<12 {
        let (before, id) = (rows, anchor.id.post)
        let edits = Self.randomEdits(&rows, fresh: &fresh, &random)
        let items = rows
        let isLeft = anchor.follow(edits, of: RowTree(rows.map { .item(AnyItem(Post(id: $0))) })) {
          items.firstIndex(of: $0.post)
        }
        #expect(isLeft == !rows.isEmpty, "seed \(seed), step \(step)")
        guard isLeft else { break }
        #expect(rows.contains(anchor.id.post), "seed \(seed), step \(step)")
        guard !rows.contains(id), let old = before.firstIndex(of: id) else {
          #expect(anchor.id.post == id, "seed \(seed), step \(step)")
          continue
        }
        // Nobody who stayed stands between.
        let stayed = before.indices.filter { !edits.deleted.contains($0) }
        let next = stayed.first { $0 > old }.map { before[$0] }
        let last = stayed.last { $0 < old }.map { before[$0] }
        let place = rows.firstIndex(of: anchor.id.post) ?? 0
        if let next, let limit = rows.firstIndex(of: next) { #expect(place <= limit) }
        if let last, let limit = rows.firstIndex(of: last) { #expect(place >= limit) }
      }
    }
  }
}
