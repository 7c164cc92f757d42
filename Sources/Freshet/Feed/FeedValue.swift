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
  let shared: Shared<ListContents>

  /// Creates the value of contents whose rows are of this type of items.
  init(_ contents: ListContents) { shared = Shared(contents) }

  /// Creates the value of contents that others share.
  init(shared: Shared<ListContents>) { self.shared = shared }

  /// Creates the value of a feed that has not begun.
  init() { shared = ListContents.none }

  /// All of it, whatever the type of the items.
  var contents: ListContents { shared.value }

  /// The items in server order, without the gaps.
  public var items: FeedItems<Item> { FeedItems(rows: rows, gaps: shared.value.gaps) }
  /// The rows, items and gaps, in server order.
  public var rows: RowTree<FeedRow<Item>> { RowTree(refs: shared.value.rows) }
  /// The rows as they are shown: in sections, or as one unnamed section.
  public var list: ListSnapshot<FeedRow<Item>> { ListSnapshot(refs: shared.value.list) }
  /// How the edges of the feed stand.
  public var state: FeedState { shared.value.state }
  /// When the source last answered for the head of the list: how old the rows may be.
  ///
  /// It is stored with the next step, or by `flush()`.
  public var refreshedAt: Date? { shared.value.refreshedAt }
  /// Whether the source answered for the head of the list since the feed was made.
  var isAnswered: Bool { shared.value.isAnswered }
  /// Where the newest rows came from.
  public var origin: ListOrigin { shared.value.origin }
  /// The item at which the reader is, if the app said so; kept over a relaunch, and the nearest one
  /// left where it went.
  public var anchor: Item.ID? { shared.value.anchor.map { Item._id(of: $0) } }
  /// The items with edits that the source has not taken yet: what a view shows as being sent.
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
  /// Whether rows may be missing anywhere, as in a list made of live results that are not there
  /// yet.
  public var isPartial: Bool { shared.value.isPartial }
  /// What the feed met and mended so far.
  public var diagnostics: FeedDiagnostics { shared.value.diagnostics }

  /// Where an item is shown; `nil` where it is not.
  ///
  /// - Complexity: O(log *n*).
  public func path(of id: Item.ID) -> RowPath? {
    shared.value.places.path(of: .item(id), in: list)
  }

  /// Where a gap stands; `nil` where there is no such gap.
  ///
  /// - Complexity: that of `path(of:)`.
  public func path(ofGap gap: Gap.ID) -> RowPath? {
    shared.value.places.path(of: .gap(gap), in: list)
  }

  /// What differs beside the rows.
  ///
  /// - Complexity: O(1) for copies.
  func parts(differingFrom other: FeedValue) -> ValueParts {
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

extension FeedValue: CustomReflectable {
  /// The rows and the load states.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "list": list, "state": state, "refreshedAt": refreshedAt as Any, "anchor": anchor as Any,
        "pendingEdits": pendingEdits, "diagnostics": diagnostics,
      ])
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
  let step: StepContents
  init(step: StepContents) { self.step = step }

  init(list: ListUpdate<FeedRow<Item>>, value: FeedValue<Item>, duplicatesDropped: Int) {
    step = StepContents(
      list: list.step, contents: value.shared, duplicatesDropped: duplicatesDropped)
  }

  /// The step of the list, ready to be performed by a view.
  public var list: ListUpdate<FeedRow<Item>> { ListUpdate(step: step.list) }
  /// All that the feed shows after the step.
  public var value: FeedValue<Item> { FeedValue(shared: step.contents) }
  /// How many items of the answer were dropped because it repeated their ids (rule L1).
  public var duplicatesDropped: Int { step.duplicatesDropped }

  /// The rows before the step.
  public var before: ListSnapshot<FeedRow<Item>> { list.before }
  /// The rows after the step.
  public var after: ListSnapshot<FeedRow<Item>> { list.after }
  /// Where the step came from.
  public var origin: ListOrigin { step.list.origin }
}

extension FeedUpdate: CustomReflectable {
  /// The step of the list, and what is shown after it.
  public var customMirror: Mirror { Mirror(self, children: ["list": list, "value": value]) }
}
