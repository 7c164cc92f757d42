internal import FreshetLists
internal import struct Foundation.Date

extension Feed {
  /// Returns a feed that shows these rows in this state without a server, for previews and tests.
  ///
  /// ```swift
  /// static var previews: some View {
  ///   Shelf(feed: .preview([book]))
  ///   Shelf(feed: .preview([], state: .loading))
  ///   Shelf(feed: .preview([], state: .failed(URLError(.notConnectedToInternet))))
  ///   Shelf(feed: .preview(rows: [.item(book), .gap(Gap(id: 1))]))
  /// }
  /// ```
  ///
  /// The feed does not change: a load ends at once without an effect, even if a view starts it
  /// when it appears. Edits are shown. Lists that are derived from the feed can be previewed as
  /// well.
  ///
  /// - Parameters:
  ///   - rows: items, and gaps for rows that may be missing.
  ///   - state: the load states of the edges; a gap without a state is idle.
  ///   - section: returns the name of an item's section; `nil` for a list without sections.
  public static func preview(
    _ rows: [ListRow<Item>], state: ListState = .complete,
    sectionedBy section: (@Sendable (Item) -> String)? = nil
  ) -> Feed {
    let feed = Feed(
      ClosureSource { (_: PageRequest<Int>) in Page(rows.compactMap(\.item), next: nil) },
      sectionedBy: section)
    feed.show(rows, in: state)
    return feed
  }

  /// Shows rows without a source.
  func show(_ rows: [ListRow<Item>], in state: ListState) {
    let rows = RowTree<ListRow<AnyItem>>(refs: RowTree(uniquing: rows).refs)
    engine.perform { machine, now in machine.show(Array(rows), in: state, at: now) }
  }
}

extension FeedMachine {
  /// Shows rows and a state without a source.
  fileprivate mutating func show(
    _ given: [ListRow<AnyItem>], in state: ListState, at now: Date
  ) {
    let lastGap = given.lazy.compactMap { $0.gap?.id }.max() ?? 0
    while rows.timeline.makeGap().id < lastGap {}
    let ends = [state.previous, state.next].map { $0 == .end ? FeedEnd.end : .open }
    let change = rows.change(.page(nil), at: now) { rows in
      rows.timeline.replace(
        0..<0, with: given.map { NewRow(row: $0) }, head: ends[0], tail: ends[1])
    }
    if !given.isEmpty || state.refresh == .idle { published.noteRefresh(at: now) }
    var state = state
    let gaps = given.compactMap { row in row.gap.map { ($0.id, state.gaps[$0.id] ?? .idle) } }
    state.gaps = Dictionary(uniqueKeysWithValues: gaps).filter { timeline.gaps[$0.key] != nil }
    planner.fixedState = state
    publish(absorb(change))
  }
}

extension ListController {
  /// Returns a controller that shows these items without a server, for previews and tests.
  ///
  /// See `Feed.preview(_:state:sectionedBy:)`.
  public static func preview<Item: ListItem>(
    _ items: [Item], state: ListState = .complete,
    sectionedBy section: (@Sendable (Item) -> String)? = nil
  ) -> ListController where List == Feed<Item> {
    preview(rows: items.map { .item($0) }, state: state, sectionedBy: section)
  }

  /// Returns a controller that shows these rows, gaps included, without a server.
  ///
  /// See `Feed.preview(_:state:sectionedBy:)`.
  public static func preview<Item: ListItem>(
    rows: [ListRow<Item>], state: ListState = .complete,
    sectionedBy section: (@Sendable (Item) -> String)? = nil
  ) -> ListController where List == Feed<Item> {
    ListController(Feed.preview(rows, state: state, sectionedBy: section))
  }

  /// Returns a controller of one query that shows these rows without a server.
  ///
  /// Every other query is answered with the same items. See `Feed.preview(_:state:sectionedBy:)`.
  public static func preview<Query: Hashable & Codable & Sendable, Item: ListItem>(
    _ query: Query, rows: [ListRow<Item>], state: ListState = .complete,
    sectionedBy section: (@Sendable (Item) -> String)? = nil
  ) -> ListController where List == QueryFeed<Query, Item> {
    let family = FeedFamily(sectionedBy: section) { (_: Query) in
      ClosureSource { (_: PageRequest<Int>) in Page(rows.compactMap(\.item), next: nil) }
    }
    family[query].show(rows, in: state)
    return ListController(QueryFeed(family, query: query))
  }
}
