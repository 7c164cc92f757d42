public import FreshetLists

// Lists that are derived from two lists. To merge three, merge two and then the third.
extension LiveList {
  /// Returns a list that merges this list and another, in the order of a key.
  ///
  /// **Nothing shown is overtaken because more was loaded** (rule X5): a row is shown only if both
  /// lists are loaded that far, and neither has a gap there. `loadNext()` loads the list that holds
  /// the other back. Live results have no pages, so they hold nothing back. Until their first
  /// results arrive, sections are not complete.
  ///
  /// Lists whose queries change switch together: the new rows of one list are held back while the
  /// other list still shows old rows.
  ///
  /// Items with equal keys are in the order of the lists, and items of one list keep its order. An
  /// item that is in both lists is shown once, with the value from this list. Each list is assumed
  /// to be in the order of the key.
  ///
  /// ```swift
  /// let timeline = home.merged(with: lists, sortedBy: \.date, .reverse)
  /// ```
  ///
  /// - Parameters:
  ///   - other: the other list.
  ///   - key: the key path of an item's key, read once when the item is inserted or changed.
  ///   - direction: whether keys ascend or descend.
  @inlinable
  public func merged<Key: Comparable & Sendable>(
    with other: some LiveList<Item>, sortedBy key: any KeyPath<Item, Key> & Sendable,
    _ direction: ListDirection = .forward
  ) -> DerivedList<Item> {
    merged(with: other, direction) { $0[keyPath: key] }
  }

  /// Returns a list that merges this list and another, in the order of a key from a closure.
  ///
  /// - Parameters:
  ///   - other: the other list.
  ///   - direction: whether keys ascend or descend.
  ///   - key: returns the key of an item; called once when the item is inserted or changed.
  @inlinable
  public func merged<Key: Comparable & Sendable>(
    with other: some LiveList<Item>, _ direction: ListDirection = .forward,
    sortedBy key: @escaping @Sendable (Item) -> Key
  ) -> DerivedList<Item> {
    DerivedList(merging: self, other, isSorted: true) {
      RowMerge(MergedRows(parts: 2, direction) { $0.item.map(key) })
    }
  }

  /// Returns a list with the rows of this list, and those of another below it: drafts above a feed.
  ///
  /// The rows of the other list are held back until this one has no more rows, so nothing is
  /// missing between them. An item that is in both lists is shown once, at its place in this list.
  /// To join lists of different item types, first use `map(_:)` to make both lists of one
  /// enumeration.
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
  /// Creates a list of two, merged in the order of a key or one after the other.
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
