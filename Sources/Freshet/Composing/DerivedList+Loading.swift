internal import FreshetLists

// Loads go to the lists it is made of.
extension DerivedList {
  /// Asks all lists it is made of for what is new.
  ///
  /// - Returns: how their heads stand afterwards.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    await all { await $0.refresh(scope) }
  }

  /// Asks for rows behind the last one: those lists that hold the others back.
  ///
  /// Where lists are merged, these are the ones that are loaded least far. Where a filter leaves
  /// out all that came, nothing more shows: ask again while it is not `end`.
  ///
  /// - Returns: how the end stands afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadNext() async -> LoadState {
    await load(.next) { await $0.loadNext() }
  }

  /// Asks for rows above the first one: those lists that hold the others back.
  ///
  /// - Returns: how the top stands afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadPrevious() async -> LoadState {
    await load(.previous) { await $0.loadPrevious() }
  }

  /// Asks for the rows that may be missing at a gap, one page at a time.
  ///
  /// - Returns: how the gap stands afterwards; `end` once it is closed, or where it is not shown.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    // Who asks looks, too: only then it is known which gaps are shown.
    let (subscription, _) = publisher.steps.subscribe(to: .states)
    defer { withExtendedLifetime(subscription) {} }
    await eventQueue.ask { _ in }
    guard publisher.value.state.gaps[gap.id] != nil else { return .end }
    let (list, gap) = GapNumbers.gap(gap, of: lists.count)
    let outcome = await lists[list].load(gap, from: side)
    await eventQueue.ask { _ in }
    return outcome
  }

  /// Asks again for everything that failed.
  ///
  /// - Returns: how it stands afterwards.
  @discardableResult
  public func retry() async -> LoadState { await all { await $0.retry() } }

  private func all(
    _ ask: @escaping @Sendable (any LiveList) async -> LoadState
  ) async -> LoadState {
    let outcome = await outcome(of: Array(lists.indices), ask)
    await eventQueue.ask { _ in }
    return outcome
  }

  private func load(
    _ edge: ListEdge, _ ask: @escaping @Sendable (any LiveList) async -> LoadState
  ) async -> LoadState {
    let state = edge == .next ? \ListState.next : \.previous
    // Who asks looks, too: only then it is known which list holds the others back.
    let (subscription, _) = publisher.steps.subscribe(to: .states)
    defer { withExtendedLifetime(subscription) {} }
    let asked = await eventQueue.ask { $0.running?.rows.lists(holdingBack: edge) ?? [] }
    guard publisher.value.state[keyPath: state] != .end else { return .end }
    await outcome(of: asked, ask)
    await eventQueue.ask { _ in }
    return publisher.value.state[keyPath: state]
  }

  @discardableResult
  private func outcome(
    of asked: [Int], _ ask: @escaping @Sendable (any LiveList) async -> LoadState
  ) async -> LoadState {
    if asked.count == 1 { return await ask(lists[asked[0]]) }
    return await withTaskGroup(of: LoadState.self) { group in
      for list in asked.map({ lists[$0] }) { group.addTask { await ask(list) } }
      var outcomes: [LoadState] = []
      for await outcome in group { outcomes.append(outcome) }
      return .together(outcomes)
    }
  }
}

extension DerivedList: LoadingAhead {
  func loadAhead(at edge: ListEdge) async -> LoadState {
    await load(edge) { await Freshet.loadAhead($0, at: edge) }
  }
}
