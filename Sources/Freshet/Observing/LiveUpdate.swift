public import FreshetLists

public import struct Foundation.Date

/// All that a live list shows at one moment: rows and load states as one value (rule R5).
public protocol LiveValue<Item>: Sendable {
  /// What the list is a list of.
  associatedtype Item: ListItem
  /// A row of it: an item, or an item or a gap.
  associatedtype Row: ListItem

  /// The rows in their sections.
  var list: ListSnapshot<Row> { get }
  /// How its edges stand; where there are no pages, the list ends on either side.
  var loads: FeedState { get }
  /// When its source last answered, where that is known.
  var refreshedAt: Date? { get }
  /// Whether a limit leaves rows out.
  var isCut: Bool { get }
  /// Whether rows may be missing anywhere, as long as results are not there that belong among them.
  var isPartial: Bool { get }
  /// What to tell people of what went wrong; `nil` where nothing did.
  var notice: ErrorNotice? { get }
  /// The items with edits that their source has not taken yet.
  var pendingEdits: ItemIDs<Item.ID> { get }

  /// Where an item is shown; `nil` where it is not.
  func path(of id: Item.ID) -> RowPath?
  /// Whether a section holds all rows it should (rule A4).
  ///
  /// - Parameter section: an index of `list.sections`.
  func isComplete(_ section: Int) -> Bool

  /// Where a gap stands; `nil` where the list has no such gap.
  ///
  /// - Complexity: that of `path(of:)`.
  func path(ofGap gap: Gap.ID) -> RowPath?

  /// A row as lists that are made of this one show it.
  static func row(_ row: Row) -> FeedRow<Item>
}

extension LiveValue {
  /// None: where edits are not kept until a source takes them.
  public var pendingEdits: ItemIDs<Item.ID> { [] }

  /// That of the first load that failed.
  public var notice: ErrorNotice? { loads.notice }

  /// `nil`: where lists have no gaps.
  public func path(ofGap gap: Gap.ID) -> RowPath? { nil }
}

/// One step of a live list: exact changes, and the state that came with them.
public protocol LiveUpdate<Value>: Sendable {
  /// All that the list shows at one moment.
  associatedtype Value: LiveValue

  /// The step of the list, ready to be performed by a view.
  var list: ListUpdate<Value.Row> { get }
  /// All that the list shows after the step.
  var value: Value { get }
}

extension LiveUpdate {
  /// What the step does to the screen.
  public var changes: ListChanges { list.changes }
}

extension ListUpdate {
  /// The step that shows a list where nothing was shown.
  init(showing list: ListSnapshot<Item>, origin: Origin) {
    self.init(
      before: ListSnapshot(), after: list,
      changes: ListChanges(from: ListSnapshot(), to: list, edits: []), origin: origin)
  }
}
