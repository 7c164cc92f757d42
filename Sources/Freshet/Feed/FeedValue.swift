public import FreshetLists

public import struct Foundation.Date

/// All that a feed shows at one moment: rows and load states.
///
/// They are one value, so that nobody sees new rows with an old state (rule R5). Copied in O(1).
///
/// ```swift
/// for await value in feed.values {  // rows and states together, the newest first
///   print(value.items.count, value.state.next)
/// }
/// ```
public struct FeedValue<Item: ListItem>: Sendable {
  /// The items in server order, without the gaps.
  public internal(set) var items = FeedItems<Item>()
  /// The rows, items and gaps, in server order.
  public internal(set) var rows: RowTree<FeedRow<Item>> = []
  /// The rows as they are shown: in sections, or as one unnamed section.
  public internal(set) var list = ListSnapshot<FeedRow<Item>>()
  /// Where the rows of the list stand, by their ids.
  var places = RowIndex()
  /// How the edges of the feed stand.
  public internal(set) var state = FeedState()
  /// When the source last answered for the head of the list: how old the rows may be.
  ///
  /// It is stored with the next step, or by `flush()`.
  public internal(set) var refreshedAt: Date?
  /// Whether the source answered for the head of the list since the feed was made.
  var isAnswered = false
  /// Where the newest rows came from.
  public internal(set) var origin = ListUpdate<FeedRow<Item>>.Origin.cache

  /// The item at which the reader is, if the app said so; kept over a relaunch, and the nearest one
  /// left where it went.
  public internal(set) var anchor: Item.ID? {
    get { anchorKey.map { Item._id(of: $0) } }
    set { anchorKey = newValue.map { Item._key(of: $0) } }
  }
  private var anchorKey: RowRef?
  /// The items with edits that the source has not taken yet: what a view shows as being sent.
  public internal(set) var pendingEdits: ItemIDs<Item.ID> {
    get {
      // Keys of rows in rows are those of the innermost items.
      guard let key = pendingKeys.all.first, !(key is RowKeyBox<Item.ID>) else {
        return ItemIDs(keys: pendingKeys)
      }
      return ItemIDs(pendingKeys.all.map { Item._id(of: $0) })
    }
    set { pendingKeys = newValue.keys }
  }
  var pendingKeys = RowKeys()
  /// How many updates led here: equal for values that show the same rows.
  var step = 0
  /// Whether a limit leaves rows out, as that of a list made of others may.
  public internal(set) var isCut = false
  /// Whether rows may be missing anywhere, as in a list made of live results that are not there
  /// yet.
  public internal(set) var isPartial = false
  /// What the feed met and mended so far.
  public internal(set) var diagnostics = FeedDiagnostics()

  init() {}

  /// Where an item is shown; `nil` where it is not.
  ///
  /// - Complexity: O(log *n*).
  public func path(of id: Item.ID) -> RowPath? { places.path(of: .item(id), in: list) }

  /// Where a gap stands; `nil` where there is no such gap.
  ///
  /// - Complexity: that of `path(of:)`.
  public func path(ofGap gap: Gap.ID) -> RowPath? { places.path(of: .gap(gap), in: list) }

  /// Whether anything but the rows differs.
  func differsBesideRows(from other: FeedValue) -> Bool { !parts(differingFrom: other).isEmpty }

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

  /// The rows beside which others may be missing: at gaps, and at ends that may go on.
  ///
  /// - Complexity: O(log *n*) for each gap.
  var openRows: Set<FeedRow<Item>.ID> {
    var open: Set<FeedRow<Item>.ID> = []
    for gap in items.gaps {
      let touched = max(0, gap - 1)..<min(gap + 2, rows.count)
      open.formUnion(rows.slice(touched).map(\.id))
    }
    if state.previous != .end, let first = rows.first { open.insert(first.id) }
    if state.next != .end, let last = rows.last { open.insert(last.id) }
    return open
  }
}

// Rows are the same, whatever their items are called: a value of one type of items is one of
// another in constant time.
extension FeedValue where Item == AnyItem {
  /// The value, of items of a type.
  func typed<Other>(as _: Other.Type = Other.self) -> FeedValue<Other> {
    var value = FeedValue<Other>()
    value.rows = RowTree(refs: rows.refs)
    value.items = FeedItems(rows: value.rows, gaps: items.gaps)
    value.list = ListSnapshot(refs: list.refs)
    (value.places, value.state, value.origin) = (places, state, origin)
    (value.refreshedAt, value.isAnswered, value.step) = (refreshedAt, isAnswered, step)
    value.anchor = anchor.map { Other._id(of: $0.row) }
    value.pendingKeys = pendingKeys
    (value.isCut, value.isPartial, value.diagnostics) = (isCut, isPartial, diagnostics)
    return value
  }
}

extension FeedUpdate where Item == AnyItem {
  /// The step, of items of a type.
  func typed<Other>(as _: Other.Type = Other.self) -> FeedUpdate<Other> {
    FeedUpdate<Other>(
      list: ListUpdate(
        before: ListSnapshot(refs: list.before.refs), after: ListSnapshot(refs: list.after.refs),
        changes: list.changes, origin: list.origin),
      value: value.typed(), duplicatesDropped: duplicatesDropped)
  }
}

/// One step of a feed: the list before and after, the exact changes, and the load states that
/// came with them.
///
/// ```swift
/// for await update in feed.updates {
///   let changes = update.changes  // the rows of an inserted section come with it
///   print(changes.insertedSections, changes.insertedRows, changes.deletedRows, update.value.state)
/// }
/// ```
public struct FeedUpdate<Item: ListItem>: LiveUpdate {
  /// The step of the list, ready to be performed by a view.
  public let list: ListUpdate<FeedRow<Item>>
  /// All that the feed shows after the step.
  public let value: FeedValue<Item>
  /// How many items of the answer were dropped because it repeated their ids (rule L1).
  public let duplicatesDropped: Int

  /// The rows before the step.
  public var before: ListSnapshot<FeedRow<Item>> { list.before }
  /// The rows after the step.
  public var after: ListSnapshot<FeedRow<Item>> { list.after }
  /// Where the step came from.
  public var origin: ListUpdate<FeedRow<Item>>.Origin { list.origin }

  /// Two steps as one, from the list before the first to the list after the second: without changes
  /// where they undo each other.
  ///
  /// - Complexity: O(*n*); parts that share storage are skipped.
  public func followed(by next: FeedUpdate) -> FeedUpdate {
    FeedUpdate(
      list: ListUpdate(from: list.before, to: next.list.after, origin: next.origin),
      value: next.value, duplicatesDropped: duplicatesDropped + next.duplicatesDropped)
  }
}
