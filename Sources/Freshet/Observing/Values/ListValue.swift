public import FreshetLists

public import struct Foundation.Date

/// The contents of a list at one moment: rows and load states.
///
/// They are one value, so that a reader never sees new rows with an old state (rule R5). Feeds,
/// live results and lists made of others have the same type of value. Copying is O(1).
///
/// ```swift
/// for await value in feed.values {  // rows and states together, the newest first
///   print(value.items.count, value.state.next)
/// }
/// ```
public struct ListValue<Item: ListItem>: Sendable {
  let shared: Shared<ListContents>

  /// Creates a value from contents whose rows have this type of items.
  init(_ contents: ListContents) { shared = Shared(contents) }

  /// Creates a value from contents that are shared.
  init(shared: Shared<ListContents>) { self.shared = shared }

  /// Creates the value of a list that has not started.
  init() { shared = ListContents.none }

  /// The contents, for items of any type.
  var contents: ListContents { shared.value }

  /// The items in the order of the list, without the gaps.
  ///
  /// That is the order of the source, of the arrangement, or of the lists from which it is made.
  /// The sections of a feed are in `list`: one may hold items that are far apart here.
  public var items: LoadedItems<Item> { LoadedItems(ordered, gaps: shared.value.gaps) }
  /// The rows, items and gaps, in the order of the list.
  public var rows: ListItems<ListRow<Item>> { ordered.items }
  /// The rows in sections, or as one unnamed section; no section is empty.
  public var list: ListSnapshot<ListRow<Item>> { ListSnapshot(refs: shared.value.list) }
  /// The load states of the head, the end and the gaps.
  ///
  /// Live results have no pages: their `refresh` is the state of the fetch, and both ends are
  /// `end`.
  public var state: ListState { shared.value.state }
  /// The status of the last fetch of live results; `nil` for other lists.
  public var fetchStatus: FetchStatus? { shared.value.fetch }
  /// The time of the source's last answer for the head of the list.
  ///
  /// It shows how old the rows may be. It is stored with the next step, or by `flush()`. It is
  /// `nil` for live results.
  public var refreshedAt: Date? { shared.value.refreshedAt }
  /// Whether the source answered for the head of the list since the feed was made.
  var isAnswered: Bool { shared.value.isAnswered }
  /// The origin of the newest rows.
  public var origin: ListOrigin { shared.value.origin }
  /// The item at which the reader is, if the app set it.
  ///
  /// It is restored after a relaunch. If the item is removed, the nearest remaining one takes its
  /// place.
  public var anchor: Item.ID? { shared.value.anchor.map { Item._id(of: $0) } }
  /// The items with edits that the source has not confirmed yet, which a view can mark as pending.
  public var pendingEdits: ItemIDs<Item.ID> {
    let keys = shared.value.pendingEdits
    // The keys of nested rows are those of the innermost items.
    guard let key = keys.all.first, !(key is RowKeyBox<Item.ID>) else { return ItemIDs(keys: keys) }
    return ItemIDs(keys.all.map { Item._id(of: $0) })
  }
  /// The number of updates so far: equal for values that show the same rows.
  var step: Int { shared.value.step }
  /// Whether a limit leaves out rows, such as that of a list made of others.
  public var isCut: Bool { shared.value.isCut }
  /// Whether rows may be missing anywhere.
  ///
  /// That is so for live results that are not fetched, and for lists made of them.
  public var isPartial: Bool { shared.value.isPartial }
  /// The irregularities that a feed encountered so far.
  public var diagnostics: FeedDiagnostics { shared.value.diagnostics }

  /// Returns the path of an item; `nil` if it is not shown.
  ///
  /// - Complexity: O(log *n*).
  public func path(of id: Item.ID) -> RowPath? {
    shared.value.places.path(of: .item(id), in: list)
  }

  /// Returns the path of a gap; `nil` if there is no such gap.
  ///
  /// - Complexity: that of `path(of:)`.
  public func path(ofGap gap: Gap.ID) -> RowPath? {
    shared.value.places.path(of: .gap(gap), in: list)
  }

  /// Returns the parts that differ, besides the rows.
  ///
  /// - Complexity: O(1) for copies.
  func parts(differingFrom other: ListValue) -> ChangedProperties {
    shared === other.shared ? [] : shared.value.parts(differingFrom: other.shared.value)
  }

  /// Returns whether a section has all its rows (rule A4).
  ///
  /// Such a section is not next to a gap, or to an end of the list with possibly more rows. The
  /// list is assumed to be arranged by its sections.
  ///
  /// - Parameter section: an index of `list.sections`.
  /// - Complexity: O(log *n*) for each gap, and O(1) for each row of the section.
  public func isComplete(_ section: Int) -> Bool {
    if isPartial || isCut && section == list.sections.count - 1 { return false }
    let open = openRows
    return open.isEmpty || !list.sections[section].rows.contains { open.contains($0.id) }
  }

  /// The notice of the first failure; `nil` if nothing failed.
  ///
  /// The failure is a load that failed, or a store that cannot report changes at the moment and
  /// retries automatically.
  public var notice: ErrorNotice? {
    fetchStatus?.state.failure.map { ErrorNotice($0) }
      ?? fetchStatus?.interruption.map { ErrorNotice($0, isRetriedByItself: true) }
      ?? state.notice
  }

  /// The rows of a feed or of a list made of others in their order, without sections.
  var sourceRows: RowTree<ListRow<Item>> { RowTree(refs: shared.value.rows) }

  /// The ids of rows next to missing rows: at gaps, and at ends with possibly more rows.
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
