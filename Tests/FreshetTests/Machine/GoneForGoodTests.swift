import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// R6: what the source says is gone does not come back by an edit that ends later.
@Suite(.timeLimit(.minutes(5)))
struct GoneForGoodTests {
  func history(
    _ ids: [Int] = [1, 2, 3], sortedBy order: (@Sendable (Post, Post) -> Bool)? = nil
  ) -> History {
    var configuration = FeedConfiguration(pageSize: 4)
    configuration.deletionHorizon = .zero
    var history = History(ids, sortedBy: order, configuration: configuration)
    history.ask { $0.load(.refresh) }
    return history
  }

  @Test
  func `a deletion that fails brings back no row that the source deleted meanwhile`() {
    var history = history()
    history.begin { $0.delete(1, token: 1, at: $1) }
    history.server.delete(1)
    history.begin { $0.follow(.delete(1), token: 2, at: $1) }
    history.begin { $0.undo(1, at: $1) }
    #expect(history.machine.value.outline == "2 3")
  }

  @Test
  func `an item that is deleted before its creation is answered stays away`() {
    var history = history()
    history.begin { $0.insert(Post(id: -1), after: nil, token: 1, at: $1) }
    history.begin { $0.follow(.delete(7), token: 2, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 7), at: $1) }
    #expect(history.machine.value.outline == "1 2 3")
  }

  @Test
  func `a deletion that the source took is not undone by news that waited`() {
    var history = history([1, 2, 3, 4, 5]) { $0.id < $1.id }
    history.begin { $0.delete(4, token: 1, at: $1) }
    history.begin { $0.load(.next) }
    history.begin { $0.follow(.upsert(Post(id: 4, version: 1)), token: 2, at: $1) }
    history.server.delete(4)
    history.begin { $0.confirm(1, at: $1) }
    history.settle()
    #expect(history.machine.value.outline == "1 2 3 5")
  }

  @Test
  func `a deletion that ends while an answer waits may close the gap that is loaded`() throws {
    var machine = FeedMachine(
      configuration: FeedConfiguration(), continuity: .stable, sectionedBy: nil)
    _ = machine.change(.page(nil), at: .distantPast) { machine in
      let gaps = (0..<2).map { _ in ListRow<Post>.gap(machine.timeline.makeGap()) }
      let rows: [ListRow<Post>] = [
        .item(Post(id: 1)), gaps[0], .item(Post(id: 2)), gaps[1], .item(Post(id: 3)),
      ]
      return machine.timeline.replace(
        0..<0, with: rows.map { NewRow(row: $0) }, head: .end, tail: .end)
    }
    // A replica went on listing the row.
    machine.rows.presentation.overlay.edits.begin(
      .init(token: 1, change: .delete, since: 0, cause: .edit), of: RowID(post: 2))
    machine.rows.presentation.overlay.edits.confirm(
      1, after: 0, until: Date(timeIntervalSince1970: 5))
    _ = machine.change(.edit, at: .distantPast)
    let gap = try #require(machine.timeline.gaps.keys.max())
    guard
      case .load(.fetch(let ticket, _))? = machine.effects(of: { $0.load(.gap(gap), waiter: 7) })
        .first
    else {
      Issue.record("the gap is not loaded")
      return
    }
    let effects = machine.effects(of: {
      $0.receive(
        .success(Page([Post(id: 4)], next: nil)), for: ticket, at: Date(timeIntervalSince1970: 10))
    })
    #expect(machine.planner.loadCount == 0 && machine.value.outline == "1 | 3")
    #expect(effects.contains { if case .load(.resume([7], .end)) = $0 { true } else { false } })
  }
}
