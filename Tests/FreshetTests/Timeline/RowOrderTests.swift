import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet

/// C4: rows are numbered anew around the place where room ran out, and seldom.
@Suite(.timeLimit(.minutes(5)))
struct RowOrderTests {
  enum Pattern: CaseIterable {
    case behindOneRow, behindTheNewest, alternating, anywhereNear
  }

  @Test(arguments: Pattern.allCases)
  func `inserting at one place numbers a few rows anew, whatever the list`(pattern: Pattern) {
    var timeline = Timeline()
    _ = timeline.become(Run(posts: (0..<10_000).map { Post(id: $0) }))
    var random = SeededGenerator(seed: 1)
    var placed = [5000]
    var renumbered = 0
    let insertions = 2000
    for id in 10_000..<(10_000 + insertions) {
      let other =
        switch pattern {
        case .behindOneRow: 5000
        case .behindTheNewest: placed[placed.count - 1]
        case .alternating: id.isMultiple(of: 2) ? 5000 : placed[placed.count - 1]
        case .anywhereNear: placed.suffix(20).randomElement(using: &random) ?? 5000
        }
      let edit = timeline.put(Post(id: id), at: (timeline.index(of: other) ?? -1) + 1)
      placed.append(id)
      renumbered += edit.renumbered?.orders.count ?? 0
      #expect(
        timeline.item(id) != nil && timeline.neighbours(of: RowID(post: id)).above?.post == other)
    }
    #expect(renumbered < 32 * insertions)
  }

  @Test(arguments: [false, true], [false, true])
  func `rows that are numbered anew show as before, in sections and below those that wait`(
    isSectioned: Bool, isHolding: Bool
  ) {
    let key: @Sendable (Post) -> String = { "\($0.id % 3)" }
    var history = History(
      Array(0..<40), configuration: FeedConfiguration(), sectionedBy: isSectioned ? key : nil)
    history.ask { $0.load(.refresh) }
    if isHolding {
      history.begin { $0.holdNew() }
      history.begin { $0.follow(.insert(Post(id: 99)), token: 1, at: $1) }
    }
    for id in 100..<400 { history.begin { $0.insert(Post(id: id), after: id % 7, at: $1) } }
    history.begin { $0.showNew() }
    #expect(history.machine.value.items.count == (isHolding ? 341 : 340))
    #expect(history.violations == [])
  }
}
