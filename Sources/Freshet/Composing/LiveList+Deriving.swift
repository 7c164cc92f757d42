public import FreshetLists

// Lists that are derived from one list.
extension LiveList {
  /// Returns a list with another value for each item.
  ///
  /// Give the values unique ids, as the items have. The new list does not report which items have
  /// pending edits (`pendingEdits`).
  ///
  /// ```swift
  /// let models = home.map(RowModel.init)
  /// ```
  ///
  /// - Parameter transform: is called once for each item that is inserted or changed.
  @inlinable
  public func map<Output: ListItem>(
    _ transform: @escaping @Sendable (Item) -> Output
  ) -> DerivedList<Output> {
    DerivedList(mapping: self) {
      RowTransform(
        MapTransform<ListRow<Item>, ListRow<Output>> { row in
          switch row {
          case .item(let item): .item(transform(item))
          case .gap(let gap): .gap(gap)
          }
        })
    }
  }

  /// Returns a list of the items that meet a condition; `replaceCondition(_:)` sets another one.
  ///
  /// Gaps remain, because the rows missing there are unknown. To merge and filter, merge first: a
  /// filtered list knows less about how far it is loaded.
  ///
  /// - Parameter isIncluded: is called once for each item that is inserted or changed.
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (Item) -> Bool) -> FilteredList<Item> {
    FilteredList(self, isIncluded) { RowFilter($0) }
  }

  /// Returns a list with separators between items: headers, day dividers, "new since you left".
  ///
  /// ```swift
  /// let days = home.separated { above, below in
  ///   above?.day == below.day ? nil : Divider(day: below.day)
  /// }
  /// ```
  ///
  /// - Parameter separator: returns the separator to insert above the second item, if any. It is
  ///   called for each item that is inserted or changed and for the item below it. The first
  ///   argument is the item above, or `nil` at the top of the list. A gap between them is skipped.
  @inlinable
  public func separated<Separator: ListItem>(
    _ separator: @escaping @Sendable (_ above: Item?, _ below: Item) -> Separator?
  ) -> DerivedList<SeparatedRow<Item, Separator>> {
    DerivedList(separating: self) {
      let separators = SeparatorTransform<ListRow<Item>, Separator> {
        $0.item == nil
      } _: { above, below in
        below.item.flatMap { separator(above?.item, $0) }
      }
      let rows = MapTransform<
        SeparatedRow<ListRow<Item>, Separator>, ListRow<SeparatedRow<Item, Separator>>
      > { row in
        switch row {
        case .item(.item(let item)): .item(.item(item))
        case .item(.gap(let gap)): .gap(gap)
        case .separator(let separator, let occurrence):
          .item(.separator(separator, occurrence: occurrence))
        }
      }
      return RowTransform(ChainedTransform(separators, rows))
    }
  }

  /// Returns a list of the first rows, gaps included.
  ///
  /// - Parameter limit: the largest number of rows to show; the list ends when it is reached.
  public func limited(to limit: Int) -> DerivedList<Item> {
    let source = RowSource(self)
    return DerivedList(of: source.lists) { wake in
      TransformedRows(
        source.rows(wake), by: RowTransform(LimitTransform<ListRow<Item>>(limit)),
        source: { $0 }, pending: { $0 }
      ) { status, rows in
        status.forgetSizes()
        guard rows.count >= limit else { return }
        let isOpen = status.isCut || !status.state.isEndKnown
        status.isCut = rows.count > limit || isOpen
        status.state.next = .end
      }
    }
  }

  /// Returns a list with the items in sections, each at the place of its first row.
  ///
  /// Sections are in the order of their first rows. If a name appears again further down, its rows
  /// join the existing section (rule A1). A gap is in the section of the row above it.
  ///
  /// - Parameter name: returns the section of an item; called when the item is inserted or changed.
  @inlinable
  public func sectioned(by name: @escaping @Sendable (Item) -> String) -> DerivedList<Item> {
    DerivedList(sectioning: self) { RowSections(SectionedRows { $0.item.map(name) }) }
  }
}

// The initializers that connect the operators to the engine, for any type of rows.
extension DerivedList {
  @usableFromInline
  convenience init<Input>(
    mapping list: some LiveList<Input>,
    by transform: @escaping @Sendable () -> RowTransform<ListRow<Input>, ListRow<Item>>
  ) {
    let source = RowSource(list)
    self.init(of: source.lists) { MappedRows(source.rows($0), by: transform()) }
  }

  @usableFromInline
  convenience init<Input, Separator>(
    separating list: some LiveList<Input>,
    by transform: @escaping @Sendable () -> RowTransform<ListRow<Input>, ListRow<Item>>
  ) where Item == SeparatedRow<Input, Separator> {
    let source = RowSource(list)
    self.init(of: source.lists) { wake in
      TransformedRows(
        source.rows(wake), by: transform(), source: \.item,
        pending: { $0.isEmpty ? [] : ItemIDs($0.lazy.map { .item($0) }) })
    }
  }

  @usableFromInline
  convenience init(
    sectioning list: some LiveList<Item>,
    by sections: @escaping @Sendable () -> RowSections<ListRow<Item>>
  ) {
    let source = RowSource(list)
    self.init(of: source.lists, sections: sections, recipe: source.rows)
  }
}
