internal import FreshetLists

// Values that are made of a list.
extension LiveList {
  /// One value made of all items: a count, a sum; with `SortedKeys` the smallest and the largest.
  ///
  /// ```swift
  /// let sums = orders.reduced(into: 0) { $0 += $1.total } inverse: { $0 -= $1.total }
  /// for await sum in sums { print(sum.isComplete ? "\(sum.value)" : "\(sum.value) and more") }
  /// ```
  ///
  /// The first value is the one now, and whoever falls behind gets the newest. It is computed on no
  /// particular actor, with a call or two for each row that changed, and only while the sequence is
  /// there. Iterate it once.
  ///
  /// - Parameters:
  ///   - value: what it is without an item.
  ///   - add: takes an item in.
  ///   - subtract: undoes `add`, whatever was taken in since.
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

  /// One value for each section, made of its items, by the section's name.
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
  ///   - value: what it is without an item.
  ///   - add: takes an item in.
  ///   - subtract: undoes `add`, whatever was taken in since.
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
  /// Whether no row is missing but in gaps that show.
  fileprivate var isComplete: Bool {
    state.isTopKnown && state.isEndKnown && state.gaps.isEmpty && !isCut && !isPartial
  }
}

extension AsyncStream {
  /// What a state gives whenever there is something new; `nil` is passed over.
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
