import Freshet

/// A loop of rounds that refresh a feed and load its first pages.
struct LoadingRounds: Sendable {
  let bounds: WatchBounds
  let scope: RefreshScope
  let every: Interval
  let attempts: Attempts

  func run(_ feed: Feed<WatchedItem>) async {
    var plan = WatchPlan(bounds)
    while !Task.isCancelled {
      plan.begin()
      attempts.begin()
      let failure = await round(&plan, feed).failure
      let pause = every.pause(after: failure, chance: .random(in: 0...1))
      guard (try? await Task.sleep(for: pause)) != nil else { return }
    }
  }

  /// Performs one round; gaps are left for the reader to fill.
  private func round(_ plan: inout WatchPlan, _ feed: Feed<WatchedItem>) async -> WatchEnd {
    var outcome = LoadState.idle
    while true {
      let value = feed.value
      let standing = WatchPlan.Standing(
        rows: value.items.count, next: value.state.next, pageSize: attempts.pageSize ?? 50,
        outcome: outcome)
      switch plan.next(standing) {
      case .refresh: outcome = await feed.refresh(scope)
      case .more: outcome = await feed.loadNext()
      case .fill(let gap): outcome = await feed.load(gap)
      case .stop(let end): return end
      }
    }
  }
}
