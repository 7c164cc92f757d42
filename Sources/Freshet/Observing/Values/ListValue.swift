public import FreshetLists

public import struct Foundation.Date

/// All that a list shows at one moment: rows and load states.
///
/// They are one value, so that no reader sees new rows with an old state (rule R5). It is the same
/// type for feeds, live results and lists made of others. Copied in O(1).
///
/// ```swift
/// for await value in feed.values {  // rows and states together, the newest first
///   print(value.items.count, value.state.next)
/// }
/// ```
public struct ListValue<Item: ListItem>: Sendable {
  let shared: Shared<ListContents>

  /// Creates the value of contents whose rows are of this type of items.
  init(_ contents: ListContents) { shared = Shared(contents) }

  /// Creates the value of contents that others share.
  init(shared: Shared<ListContents>) { self.shared = shared }

  /// Creates the value of a list that has not begun.
  init() { shared = ListContents.none }

  /// All of it, whatever the type of the items.
  var contents: ListContents { shared.value }

  /// The items in the order of the list, without the gaps.
  ///
  /// That is the order of the source, of the arrangement, or of the lists it is made of. The
  /// sections of a feed are those of `list`: one may hold items that are far apart here.
  public var items: LoadedItems<Item> { LoadedItems(ordered, gaps: shared.value.gaps) }
  /// The rows, items and gaps, in the order of the list.
  public var rows: ListItems<ListRow<Item>> { ordered.items }
  /// The rows in sections, or as one unnamed section; no section without rows.
  public var list: ListSnapshot<ListRow<Item>> { ListSnapshot(refs: shared.value.list) }
  /// The load states of the head, the end and the gaps.
  ///
  /// Live results have no pages: their `refresh` is the state of the fetch, and both ends are
  /// `end`.
  public var state: ListState { shared.value.state }
  /// The status of the last fetch of live results; `nil` for other lists.
  public var fetchStatus: FetchStatus? { shared.value.fetch }
  /// When the source last answered for the head of the list: how old the rows may be.
  ///
  /// It is stored with the next step, or by `flush()`. Live results have none.
  public var refreshedAt: Date? { shared.value.refreshedAt }
  /// Whether the source answered for the head of the list since the feed was made.
  var isAnswered: Bool { shared.value.isAnswered }
  /// Where the newest rows came from.
  public var origin: ListOrigin { shared.value.origin }
  /// The item at which the reader is, if the app set it.
  ///
  /// It is there again after a relaunch. If the item is removed, the nearest one left takes its
  /// place.
  public var anchor: Item.ID? { shared.value.anchor.map { Item._id(of: $0) } }
  /// The items with edits that the source has not taken yet: a view shows them as being sent.
  public var pendingEdits: ItemIDs<Item.ID> {
    let keys = shared.value.pendingEdits
    // Keys of rows in rows are those of the innermost items.
    guard let key = keys.all.first, !(key is RowKeyBox<Item.ID>) else { return ItemIDs(keys: keys) }
    return ItemIDs(keys.all.map { Item._id(of: $0) })
  }
  /// How many updates led here: equal for values that show the same rows.
  var step: Int { shared.value.step }
  /// Whether a limit leaves rows out, as that of a list made of others may.
  public var isCut: Bool { shared.value.isCut }
  /// Whether rows may be missing anywhere: in live results that are not fetched, and in lists made
  /// of them.
  public var isPartial: Bool { shared.value.isPartial }
  /// What a feed met and mended so far.
  public var diagnostics: FeedDiagnostics { shared.value.diagnostics }

  /// The path of an item; `nil` if it is not shown.
  ///
  /// - Complexity: O(log *n*).
  public func path(of id: Item.ID) -> RowPath? {
    shared.value.places.path(of: .item(id), in: list)
  }

  /// The path of a gap; `nil` if there is no such gap.
  ///
  /// - Complexity: that of `path(of:)`.
  public func path(ofGap gap: Gap.ID) -> RowPath? {
    shared.value.places.path(of: .gap(gap), in: list)
  }

  /// The parts that differ, besides the rows.
  ///
  /// - Complexity: O(1) for copies.
  func parts(differingFrom other: ListValue) -> ChangedProperties {
    shared === other.shared ? [] : shared.value.parts(differingFrom: other.shared.value)
  }

  /// Whether a section holds all rows it should: it touches no gap and no end that may go on
  /// (rule A4).
  ///
  /// The list is taken to be arranged by its sections.
  ///
  /// - Parameter section: an index of `list.sections`.
  /// - Complexity: O(log *n*) for each gap, and O(1) for each row of the section.
  public func isComplete(_ section: Int) -> Bool {
    if isPartial || isCut && section == list.sections.count - 1 { return false }
    let open = openRows
    return open.isEmpty || !list.sections[section].rows.contains { open.contains($0.id) }
  }

  /// What to show people about the first failure; `nil` if nothing failed.
  ///
  /// That is a load that failed, or a store that cannot report changes at the moment and tries
  /// again by itself.
  public var notice: ErrorNotice? {
    fetchStatus?.state.failure.map { ErrorNotice($0) }
      ?? fetchStatus?.interruption.map { ErrorNotice($0, isRetriedByItself: true) }
      ?? state.notice
  }

  /// The rows of a feed or of a list made of others in their order, whatever their sections.
  var sourceRows: RowTree<ListRow<Item>> { RowTree(refs: shared.value.rows) }

  /// The rows beside which others may be missing: at gaps, and at ends that may go on.
  ///
  /// - Complexity: O(log *n*) for each gap.
  var openRows: Set<ListRow<Item>.ID> {
    var open: Set<ListRow<Item>.ID> = []
    let rows = sourceRows
    for gap in shared.value.gaps {
      let touched = max(0, gap - 1)..<min(gap + 2, rows.count)
      open.formUnion(rows.slice(touched).map(\.id))
    }
    if state.previous != .end, let first = rows.first { open.insert(first.id) }
    if state.next != .end, let last = rows.last { open.insert(last.id) }
    return open
  }

  /// The rows in the order of the list: for live results, that of their sections.
  private var ordered: ListSnapshot<ListRow<Item>> {
    let list = list
    return list.sections.count < 2 || fetchStatus != nil ? list : ListSnapshot(sourceRows)
  }
}

extension ListValue: CustomReflectable {
  /// The rows and the load states.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "list": list, "state": state, "fetchStatus": fetchStatus as Any,
        "refreshedAt": refreshedAt as Any, "anchor": anchor as Any,
        "pendingEdits": pendingEdits, "diagnostics": diagnostics,
      ])
  }
}
