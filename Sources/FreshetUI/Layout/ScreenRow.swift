public import Freshet
public import FreshetLists

/// What a row of a table or collection view shows.
public enum ScreenRow<Item: ListItem>: Equatable, Sendable {
  /// An item of the list.
  case item(Item)
  /// Rows that the source may still hold, and how the load of them stands.
  case gap(Gap, LoadState)
  /// How an edge of the list stands.
  case edge(EdgeRow)

  /// The item, where the row shows one.
  public var item: Item? { if case .item(let item) = self { item } else { nil } }
}

/// How an edge of a list stands, shown as a row above or below its own.
public struct EdgeRow: ListItem {
  /// The edges that a list has.
  public enum Edge: Hashable, Sendable, CaseIterable {
    /// The head of the list, which is asked for what is new.
    case refresh
    /// The rows above the first one.
    case previous
    /// The rows behind the last one.
    case next
  }

  /// Which edge the row speaks of.
  public let id: Edge
  /// How the load at this edge stands.
  public let state: LoadState

  /// Creates the row of an edge.
  public init(_ edge: Edge, _ state: LoadState) {
    id = edge
    self.state = state
  }
}

/// Which edges of a list show as rows of their own.
public enum EdgeRows: Equatable, Sendable {
  /// None: a list and its rows stand at the same paths.
  case none
  /// Those that load or failed; the head only where it failed, or where there is nothing else to
  /// show.
  case active
  /// The same, and the end of the list once it is reached.
  case activeAndEnd

  /// The rows above those of a list.
  func head(_ loads: ListState, isEmpty: Bool) -> [EdgeRow] {
    guard self != .none else { return [] }
    var rows: [EdgeRow] = []
    let isFirstLoad = isEmpty && loads.refresh == .loading
    if isFirstLoad || loads.refresh.failure != nil { rows.append(EdgeRow(.refresh, loads.refresh)) }
    if loads.previous.isActive { rows.append(EdgeRow(.previous, loads.previous)) }
    return rows
  }

  /// The rows below those of a list.
  func foot(_ loads: ListState, isEmpty: Bool) -> [EdgeRow] {
    guard self != .none else { return [] }
    let isEnd = self == .activeAndEnd && loads.next == .end && !isEmpty
    return isEnd || loads.next.isActive ? [EdgeRow(.next, loads.next)] : []
  }
}

extension LoadState {
  /// Whether a page is on its way, or failed.
  fileprivate var isActive: Bool { self == .loading || failure != nil }
}
