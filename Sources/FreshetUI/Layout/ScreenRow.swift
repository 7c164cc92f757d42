public import Freshet
public import FreshetLists

/// The content of a row of a table or collection view.
public enum ScreenRow<Item: ListItem>: Equatable, Sendable {
  /// An item of the list.
  case item(Item)
  /// Rows that the source may still hold, the state of their load, and their number if it is known.
  case gap(Gap, LoadState, RowTotal?)
  /// An edge of the list and its state.
  case edge(EdgeRow)
  /// A row of the list that is not loaded: see `ScreenOptions.showsPlaceholders`.
  case placeholder(PlaceholderRow)

  /// The item, if the row shows one.
  public var item: Item? { if case .item(let item) = self { item } else { nil } }
}

/// A row for an item that is not loaded.
public struct PlaceholderRow: Hashable, Sendable {
  /// The places at which rows are not loaded.
  public enum Place: Hashable, Sendable {
    /// Above the first row of the list.
    case above
    /// In a gap. The gap is a row of its own, above its placeholders.
    case gap(Gap.ID)
    /// Below the last row of the list.
    case below
  }

  /// The place at which the row is not loaded.
  public let place: Place
  /// The index of the row among the placeholders of the place.
  public let index: Int

  /// Creates the placeholder at an index of a place.
  public init(_ place: Place, _ index: Int) { (self.place, self.index) = (place, index) }
}

/// An edge of a list and its state, shown as a row above or below the list's own rows.
public struct EdgeRow: ListItem {
  /// The edges that a list has.
  public enum Edge: Hashable, Sendable, CaseIterable {
    /// The head of the list, at which new items are requested.
    case refresh
    /// The rows above the first one.
    case previous
    /// The rows after the last one.
    case next
  }

  /// The edge that the row represents.
  public let id: Edge
  /// The state of the load at this edge.
  public let state: LoadState

  /// Creates the row of an edge.
  public init(_ edge: Edge, _ state: LoadState) {
    id = edge
    self.state = state
  }
}

/// The edges of a list that are shown as rows of their own.
public enum EdgeRows: Equatable, Sendable {
  /// No edges: a list and its rows have the same paths.
  case none
  /// The edges that load or failed.
  ///
  /// The head is included only if it failed, or if there is nothing else to show.
  case active
  /// The active edges, and the end of the list once it is reached.
  case activeAndEnd

  /// Returns the rows above those of a list.
  func head(_ loads: ListState, isEmpty: Bool) -> [EdgeRow] {
    guard self != .none else { return [] }
    var rows: [EdgeRow] = []
    let isFirstLoad = isEmpty && loads.refresh == .loading
    if isFirstLoad || loads.refresh.failure != nil { rows.append(EdgeRow(.refresh, loads.refresh)) }
    if loads.previous.isActive { rows.append(EdgeRow(.previous, loads.previous)) }
    return rows
  }

  /// Returns the rows below those of a list.
  func foot(_ loads: ListState, isEmpty: Bool) -> [EdgeRow] {
    guard self != .none else { return [] }
    let isEnd = self == .activeAndEnd && loads.next == .end && !isEmpty
    return isEnd || loads.next.isActive ? [EdgeRow(.next, loads.next)] : []
  }
}

extension LoadState {
  /// Whether a page is loading, or its load failed.
  fileprivate var isActive: Bool { self == .loading || failure != nil }
}
