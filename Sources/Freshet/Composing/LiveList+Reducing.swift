internal import FreshetLists

// Values that are computed from a list.
extension LiveList {
  /// Returns one value computed from all items, such as a count or a sum.
  ///
  /// With `SortedKeys`, it can also be the smallest or the largest key.
  ///
  /// ```swift
  /// let sums = orders.reduced(into: 0) { $0 += $1.total } inverse: { $0 -= $1.total }
  /// for await sum in sums { print(sum.isComplete ? "\(sum.value)" : "\(sum.value) and more") }
  /// ```
  ///
  /// The first value is the current one, and a slow observer gets the newest. The value is computed
  /// on no particular actor, with one or two calls for each changed row, and only while the
  /// sequence is in use. Iterate it once.
  ///
  /// - Parameters:
  ///   - value: the value for no items.
  ///   - add: adds an item to the value.
  ///   - subtract: undoes `add`, even if other items were added since.
  public func reduced<Total: Sendable>(
    into value: Total, _ add: @escaping @Sendable (inout Total, Item) -> Void,
    inverse subtract: @escaping @Sendable (inout Total, Item) -> Void
  ) -> AsyncStream<Reduction<Total>> {
    let rows = ObservedRows(self, wake: {})
    let sum = ReducedRows<ListRow<Item>, Total>(into: value) {
      if let item = $1.item { add(&$0, item) }
    } inverse: {
      if let item = $1.item { subtract(&$0, item) }
    }
    return .newest(of: (rows: rows, sum: sum, isFirst: true), rows.signals) { state in
      let steps = (state.isFirst ? [state.rows.begin()] : []) + state.rows.advance()
      state.isFirst = false
      for step in steps { state.sum.apply(step.edits, to: step.rows) }
      return steps.last.map {
        Reduction(value: state.sum.value, isComplete: $0.status.isComplete)
      }
    }
  }

  /// Returns one value for each section, computed from its items, by the section's name.
  ///
  /// ```swift
  /// let days = orders.reducedBySection(into: 0) {
  ///   $0 += $1.total
  /// } inverse: {
  ///   $0 -= $1.total
  /// }
  /// for await sums in days { print(sums["Monday"]?.value ?? 0) }
  /// ```
  ///
  /// See `reduced(into:_:inverse:)`.
  ///
  /// - Parameters:
  ///   - value: the value for no items.
  ///   - add: adds an item to the value.
  ///   - subtract: undoes `add`, even if other items were added since.
  public func reducedBySection<Total: Sendable>(
    into value: Total, _ add: @escaping @Sendable (inout Total, Item) -> Void,
    inverse subtract: @escaping @Sendable (inout Total, Item) -> Void
  ) -> AsyncStream<[String: Reduction<Total>]> {
    let observer = ListObserver(publisher)
    let sums = SectionSums<Item, Total> {
      ReducedRows(into: value) {
        if let item = $1.item { add(&$0, item) }
      } inverse: {
        if let item = $1.item { subtract(&$0, item) }
      }
    }
    return .newest(of: (sums: sums, isFirst: true), observer.signals) { state in
      var newest: ListValue<Item>?
      if state.isFirst {
        state.isFirst = false
        newest = observer.first
        state.sums.apply(ListStep(showing: observer.first.list, origin: .cache))
      }
      while let update = observer.next() {
        newest = update.value
        state.sums.apply(update.step)
      }
      return (observer.newest ?? newest).map { state.sums.reductions(of: $0) }
    }
  }
}

extension ListStatus {
  /// Whether all rows of the list are loaded and shown.
  fileprivate var isComplete: Bool {
    state.isTopKnown && state.isEndKnown && state.gaps.isEmpty && !isCut && !isPartial
  }
}

extension AsyncStream {
  /// Returns the next value of a state at each signal, and skips `nil`.
  fileprivate static func newest<State: Sendable>(
    of state: State, _ signals: AsyncStream<Void>,
    _ next: @escaping @Sendable (inout State) -> Element?
  ) -> AsyncStream where Element: Sendable {
    let state = Locked(state)
    return AsyncStream {
      while true {
        if let element = state.withLock({ next(&$0) }) { return element }
        var signals = signals.makeAsyncIterator()
        if await signals.next() == nil { return nil }
      }
    }
  }
}
