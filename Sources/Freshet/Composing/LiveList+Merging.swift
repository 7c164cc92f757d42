public import FreshetLists

// Lists that are made of two. Three are two and one.
extension LiveList {
  /// This list and another as one, in the order of a key.
  ///
  /// **Nothing shown is overtaken because more was loaded** (rule X5): a row shows only where both
  /// lists are loaded that far, and where neither has a gap. `loadNext()` asks the one that holds
  /// the other back. Live results have no pages: they hold nothing back, and where their first
  /// results are on their way, sections are not complete.
  ///
  /// Lists whose queries change turn to the next ones together: rows of one that is there wait
  /// while the other one shows old rows.
  ///
  /// Items with equal keys stand in the order of the lists, those of one list in its order. An item
  /// that both have shows once, as this list has it. Each list is taken to be in the order of the
  /// key.
  ///
  /// ```swift
  /// let timeline = home.merged(with: lists, sortedBy: \.date, .reverse)
  /// ```
  ///
  /// - Parameters:
  ///   - other: the other list.
  ///   - key: where an item belongs, asked for once when it comes or changes.
  ///   - direction: whether keys ascend or descend.
  @inlinable
  public func merged<Key: Comparable & Sendable>(
    with other: some LiveList<Item>, sortedBy key: any KeyPath<Item, Key> & Sendable,
    _ direction: ListDirection = .forward
  ) -> DerivedList<Item> {
    merged(with: other, direction) { $0[keyPath: key] }
  }

  /// This list and another as one, in the order of what a closure says of each item.
  ///
  /// - Parameters:
  ///   - other: the other list.
  ///   - direction: whether keys ascend or descend.
  ///   - key: where an item belongs, asked for once when it comes or changes.
  @inlinable
  public func merged<Key: Comparable & Sendable>(
    with other: some LiveList<Item>, _ direction: ListDirection = .forward,
    sortedBy key: @escaping @Sendable (Item) -> Key
  ) -> DerivedList<Item> {
    DerivedList(merging: self, other, isSorted: true) {
      RowMerge(MergedRows(parts: 2, direction) { $0.item.map(key) })
    }
  }

  /// This list and another below it: drafts above a feed.
  ///
  /// The other list waits until this one has no more rows: nothing is left out between them. An
  /// item that both have shows once, where this list has it. Lists of different items become lists
  /// of one enumeration first, with `map(_:)`.
  ///
  /// ```swift
  /// let all = drafts.map(Entry.draft).followed(by: home.map(Entry.post))
  /// ```
  @inlinable
  public func followed(by other: some LiveList<Item>) -> DerivedList<Item> {
    DerivedList(merging: self, other, isSorted: false) {
      RowMerge(MergedRows(following: 2) { $0.item == nil })
    }
  }
}

extension DerivedList {
  /// Makes one list of two, in the order of a key or one behind the other.
  @usableFromInline
  convenience init(
    merging first: some LiveList<Item>, _ second: some LiveList<Item>, isSorted: Bool,
    by merge: @escaping @Sendable () -> RowMerge<ListRow<Item>>
  ) {
    self.init(of: [first, second]) { wake in
      MergedLists(
        [
          ObservedRows(first, gaps: GapNumbers(list: 0, lists: 2), wake: wake),
          ObservedRows(second, gaps: GapNumbers(list: 1, lists: 2), wake: wake),
        ], merge(), combine: isSorted ? ListStatus.merged : ListStatus.following)
    }
  }
}
