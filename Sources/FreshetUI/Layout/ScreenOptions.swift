/// How a table or collection view shows the steps of a list.
public struct ScreenOptions: Equatable, Sendable {
  /// When the row at the top stays where it is while rows come and go above it.
  public enum KeptPlace: Sendable {
    /// Whenever the reader has scrolled: who is at the top sees what is new there.
    case whenScrolled
    /// Wherever the reader is, also at the top.
    case always
    /// Never: the view does what it does.
    case never
  }

  /// Up to how many rows that come, go, move or change a step is performed as a batch; with more,
  /// the view reloads, which costs what is visible.
  ///
  /// A few screens are worth animating: more rows than anybody sees move only cost time.
  public var batchLimit: Int { didSet { batchLimit = max(0, batchLimit) } }
  /// When the row at the top stays where it is.
  public var keptPlace: KeptPlace
  /// Which edges of the list are rows.
  public var edges: EdgeRows
  /// Whether edges are rows also where the list has none, in whose place the app may show
  /// something.
  public var showsEdgesWhenEmpty: Bool
  /// Whether rows slide and fade; without, they change at once.
  public var isAnimated: Bool

  /// Creates options: batches of up to 300 rows that slide, a kept place, and edges that load or
  /// failed, also of a list without rows.
  public init(
    batchLimit: Int = 300, keptPlace: KeptPlace = .whenScrolled, edges: EdgeRows = .active,
    isAnimated: Bool = true, showsEdgesWhenEmpty: Bool = true
  ) {
    self.batchLimit = max(0, batchLimit)
    self.keptPlace = keptPlace
    self.edges = edges
    self.isAnimated = isAnimated
    self.showsEdgesWhenEmpty = showsEdgesWhenEmpty
  }

  /// Which edges of a list are rows.
  func edges(ofListWithRows hasRows: Bool) -> EdgeRows {
    hasRows || showsEdgesWhenEmpty ? edges : .none
  }
}
