public import FreshetLists

/// A table or collection view as a list is shown on it: what `ListPresenter` asks of it and tells
/// it.
///
/// It decides nothing. `FreshetUI` has those of UIKit and AppKit; a view of one's own becomes one
/// by these members, and shows exact changes too.
@MainActor
public protocol ListSurface: AnyObject {
  /// Whether anybody can see it; where not, it is reloaded and never animated.
  var isOnScreen: Bool { get }
  /// Whether it shows the list at the moment; where not, another list is shown on it, and nothing
  /// is done to it.
  var isInUse: Bool { get }
  /// Whether the reader is dragging a row at the moment: steps wait until it is dropped.
  var isReordering: Bool { get }
  /// Whether it is scrolled to its very top.
  var isAtTop: Bool { get }
  /// The rows on screen, top to bottom, without those that are wholly under a bar; where nobody
  /// sees it, those that would be.
  var visiblePaths: [RowPath] { get }
  /// The rows that are selected.
  var selectedPaths: [RowPath] { get }
  /// Whether selected rows that a batch does not take from their place stay so; where not, nothing
  /// is selected after one.
  var keepsSelection: Bool { get }

  /// How far below the top edge of what is visible a row begins; negative where it begins above.
  func distance(of path: RowPath) -> Double?
  /// Scrolls, without animation, so that a row begins at this distance, or as near as the content
  /// allows.
  func scroll(_ path: RowPath, to distance: Double)
  /// Selects rows besides those that are selected.
  func select(_ paths: [RowPath])

  /// Shows everything anew, and forgets what was selected: `select(_:)` comes next, once, with the
  /// rows that are selected from then on.
  ///
  /// - Parameter show: makes the rows what they will be; called once, first.
  func reload(_ show: () -> Void)
  /// Performs a batch, without its `updatedRows`.
  ///
  /// - Parameters:
  ///   - changes: the batch.
  ///   - isAnimated: whether rows may slide.
  ///   - show: makes the rows what they will be; called once, where the view wants its data to
  ///     change.
  func perform(_ changes: ListChanges, isAnimated: Bool, _ show: @escaping () -> Void)
  /// Configures the cells of these rows anew, as far as there are any.
  func reconfigure(_ paths: [RowPath])
}

extension ListSurface {
  /// `true`: where one list is shown on it for good.
  public var isInUse: Bool { true }
  /// `false`: where rows cannot be dragged.
  public var isReordering: Bool { false }
  /// `true`, as in a table.
  public var keepsSelection: Bool { true }
}
