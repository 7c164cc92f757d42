internal import FreshetLists

// Loads are forwarded to the source lists.
extension DerivedList {
  /// Loads all source lists again from their heads, as far as the scope says.
  ///
  /// - Returns: the combined state of their heads afterwards.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    await all { await $0.refresh(scope) }
  }

  /// Loads rows after the last one, in the lists that hold the others back.
  ///
  /// In a merge, these are the lists that are loaded least far. If a filter leaves out all loaded
  /// rows, nothing new is shown: call this again while it does not return `end`.
  ///
  /// - Returns: the state of the end afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadNext() async -> LoadState {
    await load(.next) { await $0.loadNext() }
  }

  /// Loads rows above the first one, in the lists that hold the others back.
  ///
  /// - Returns: the state of the top afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadPrevious() async -> LoadState {
    await load(.previous) { await $0.loadPrevious() }
  }

  /// Loads the rows that may be missing at a gap, one page at a time.
  ///
  /// - Returns: the state of the gap afterwards; `end` once it is closed, or if it is not shown.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    // The list runs only while it is observed, and only then are the shown gaps known.
    let (subscription, _) = publisher.steps.subscribe(to: .states)
    defer { withExtendedLifetime(subscription) {} }
    await eventQueue.ask { _ in }
    guard publisher.value.state.gaps[gap.id] != nil else { return .end }
    let (list, gap) = GapNumbers.gap(gap, of: lists.count)
    let outcome = await lists[list].load(gap, from: side)
    await eventQueue.ask { _ in }
    return outcome
  }

  /// Repeats every load that failed, in all source lists.
  ///
  /// - Returns: the combined state of the lists afterwards.
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
    // The list runs only while it is observed, and only then is it known which lists hold it back.
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
