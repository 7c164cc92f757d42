internal import Freshet
internal import Foundation

extension ScreenRow {
  /// A plain line for a gap or an edge, for apps that have no cell of their own for it; `nil` for
  /// an item.
  ///
  /// A failure says itself what went wrong.
  public var text: String? {
    let state: LoadState
    let idle: String
    switch self {
    case .item: return nil
    case .gap(_, let load): (state, idle) = (load, "There may be more here.")
    case .edge(let edge): (state, idle) = (edge.state, "There may be more.")
    }
    return switch state {
    case .idle: idle
    case .loading: "Loading…"
    case .failed(let error): error.localizedDescription
    case .end: "That is all."
    }
  }
}
