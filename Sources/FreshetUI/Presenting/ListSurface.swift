public import FreshetLists

/// A table or collection view, as `ListPresenter` uses it to show a list.
///
/// It makes no decisions. `FreshetUI` has surfaces for the views of UIKit and AppKit. A view of
/// your own becomes a surface by implementing these members, and then shows exact changes too.
@MainActor
public protocol ListSurface: AnyObject {
  /// Whether the user can see the view; otherwise it is reloaded and never animated.
  var isOnScreen: Bool { get }
  /// Whether the view shows this list at the moment.
  ///
  /// If it does not, another list is shown on it, and the presenter does nothing to it.
  var isInUse: Bool { get }
  /// Whether the user is dragging a row, in which case steps are held back until it is dropped.
  var isReordering: Bool { get }
  /// Whether the view is scrolled to its very top.
  var isAtTop: Bool { get }
  /// The rows on screen, top to bottom, without those that are entirely under a bar.
  ///
  /// If the view is not on screen, they are the rows that would be visible.
  var visiblePaths: [RowPath] { get }
  /// The rows that are selected.
  var selectedPaths: [RowPath] { get }
  /// Whether a batch keeps the selection of rows that it neither removes nor moves.
  ///
  /// If it does not, no row is selected after a batch.
  var keepsSelection: Bool { get }

  /// Returns how far below the visible top edge a row begins; negative if it begins above.
  func distance(of path: RowPath) -> Double?
  /// Scrolls without animation so that a row begins at this distance below the top edge.
  ///
  /// If the content does not allow that, the view scrolls as near to it as possible.
  func scroll(_ path: RowPath, to distance: Double)
  /// Selects rows in addition to those that are selected.
  func select(_ paths: [RowPath])

  /// Reloads all rows and clears the selection.
  ///
  /// The presenter then calls `select(_:)` once, with the rows that are selected from then on.
  ///
  /// - Parameter show: puts the new rows in place; called once, first.
  func reload(_ show: () -> Void)
  /// Performs a batch, without its `updatedRows`.
  ///
  /// - Parameters:
  ///   - changes: the batch.
  ///   - isAnimated: whether rows may slide.
  ///   - show: puts the new rows in place; called once, when the view expects its data to change.
  func perform(_ changes: ListChanges, isAnimated: Bool, _ show: @escaping () -> Void)
  /// Configures the existing cells of these rows again.
  func reconfigure(_ paths: [RowPath])
}

extension ListSurface {
  /// `true`, for a view that always shows the same list.
  public var isInUse: Bool { true }
  /// `false`, for a view whose rows cannot be dragged.
  public var isReordering: Bool { false }
  /// `true`, as in a table.
  public var keepsSelection: Bool { true }
}
