public import FreshetLists

// Lists that are made of one.
extension LiveList {
  /// Each item as another value.
  ///
  /// Give the values ids that are unique, as those of the items are. Which items are being sent
  /// (`pendingEdits`) is not known of the values.
  ///
  /// ```swift
  /// let models = home.map(RowModel.init)
  /// ```
  ///
  /// - Parameter transform: is called once for each item that comes or changes.
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

  /// The items for which a condition is true; `replaceCondition(_:)` sets another one.
  ///
  /// Gaps stay: nobody knows what is in them. Merge first and filter then: a list that is filtered
  /// knows less about how far it is loaded.
  ///
  /// - Parameter isIncluded: is called once for each item that comes or changes.
  @inlinable
  public func filter(_ isIncluded: @escaping @Sendable (Item) -> Bool) -> FilteredList<Item> {
    FilteredList(self, isIncluded) { RowFilter($0) }
  }

  /// The items with separators between them: headers, day dividers, "new since you left".
  ///
  /// ```swift
  /// let days = home.separated { above, below in
  ///   above?.day == below.day ? nil : Divider(day: below.day)
  /// }
  /// ```
  ///
  /// - Parameter separator: what stands above the second item; it is called for each item that
  ///   comes or changes and for the one below it, with the item above, `nil` at the top of the
  ///   list. A gap between them is passed over.
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

  /// The first rows, gaps among them.
  ///
  /// - Parameter limit: how many rows show at most; once there are as many, the list ends.
  public func limited(to limit: Int) -> DerivedList<Item> {
    let source = RowSource(self)
    return DerivedList(of: source.lists) { wake in
      TransformedRows(
        source.rows(wake), by: RowTransform(LimitTransform<ListRow<Item>>(limit)),
        source: { $0 }, pending: { $0 }
      ) { status, rows in
        guard rows.count >= limit else { return }
        let isOpen = status.isCut || !status.state.isEndKnown
        status.isCut = rows.count > limit || isOpen
        status.state.next = .end
      }
    }
  }

  /// The items in sections, each where its first row stood.
  ///
  /// Sections stand in the order of their first rows, and a name that comes again further down
  /// makes no second one (rule A1). A gap is in the section of the row above it.
  ///
  /// - Parameter name: the section of an item, asked for when it comes or changes.
  @inlinable
  public func sectioned(by name: @escaping @Sendable (Item) -> String) -> DerivedList<Item> {
    DerivedList(sectioning: self) { RowSections(SectionedRows { $0.item.map(name) }) }
  }
}

// What the engine does about them, whatever is made of the rows.
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
