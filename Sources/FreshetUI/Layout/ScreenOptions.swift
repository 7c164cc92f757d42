/// The options with which a table or collection view shows the steps of a list.
public struct ScreenOptions: Equatable, Sendable {
  /// When the row at the top stays in place while rows are inserted and removed above it.
  public enum KeptPlace: Sendable {
    /// Whenever the reader has scrolled; a reader at the top sees new rows there.
    case whenScrolled
    /// At every scroll position, also at the top.
    case always
    /// Never: the view scrolls as it does by itself.
    case never
  }

  /// The largest number of changed rows for which a step is performed as a batch.
  ///
  /// Rows that are inserted, removed, moved or updated count. With more, the view reloads, which
  /// costs what is visible.
  ///
  /// A few screens of rows are worth animating. Animating more rows than a reader can see only
  /// costs time.
  public var batchLimit: Int { didSet { batchLimit = max(0, batchLimit) } }
  /// When the row at the top stays in place.
  public var keptPlace: KeptPlace
  /// The edges of the list that are shown as rows.
  public var edges: EdgeRows
  /// Whether edges are shown as rows even if the list itself has no rows.
  ///
  /// Without them, the app may show something else in place of the empty list.
  public var showsEdgesWhenEmpty: Bool
  /// Whether rows that are not loaded have placeholders, as far as their number is known (rule W6).
  ///
  /// The scroll bar is then that of the whole list. A placeholder on screen loads the rows around
  /// it, or if the list cannot jump there, those at the nearer end of its gap. There are at most
  /// 1,000,000 placeholders for each gap and each end.
  public var showsPlaceholders: Bool
  /// Whether rows slide and fade; otherwise, they change at once.
  public var isAnimated: Bool

  /// Creates options for how a screen shows its list.
  ///
  /// By default, batches have up to 300 rows and are animated, and the row at the top stays in
  /// place once the reader has scrolled. Edges that load or failed are rows, also of a list without
  /// rows. Rows that are not loaded have no placeholders.
  public init(
    batchLimit: Int = 300, keptPlace: KeptPlace = .whenScrolled, edges: EdgeRows = .active,
    isAnimated: Bool = true, showsEdgesWhenEmpty: Bool = true, showsPlaceholders: Bool = false
  ) {
    self.batchLimit = max(0, batchLimit)
    self.keptPlace = keptPlace
    self.edges = edges
    self.isAnimated = isAnimated
    self.showsEdgesWhenEmpty = showsEdgesWhenEmpty
    self.showsPlaceholders = showsPlaceholders
  }

  /// Returns the edges that are rows, for a list with or without rows.
  func edges(ofListWithRows hasRows: Bool) -> EdgeRows {
    hasRows || showsEdgesWhenEmpty ? edges : .none
  }
}
