import Foundation

@testable import Freshet

/// A feed of a random history that shares its items with other lists.
struct SharedFeed {
  var history: History
  var sharing: FeedSharing

  /// The edges that can be loaded; those of the list are more likely to be drawn.
  var edges: [FeedEdge] {
    [.refresh, .next, .next] + history.machine.timeline.gaps.keys.map { .gap($0) }
  }

  /// Applies an event, as an engine does.
  mutating func apply(
    at time: Double, _ event: (inout FeedMachine, FeedSharing, Date) -> Void
  ) {
    let now = Date(timeIntervalSince1970: time)
    sharing.prepare(&history.machine, at: now)
    event(&history.machine, sharing, now)
    sharing.follow(&history.machine, at: now)
    history.time = time
    history.perform("", ())
    for index in history.pending.indices { history.serve(index) }
    sharing.member.wakeOthers()
  }
}
