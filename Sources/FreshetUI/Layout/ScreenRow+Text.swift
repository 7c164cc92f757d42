internal import Freshet
internal import Foundation

extension ScreenRow {
  /// A plain line of text for a gap or an edge; `nil` for an item.
  ///
  /// It is for apps that have no cell of their own for these rows. For a failure, it is the
  /// description of the error.
  public var text: String? {
    let state: LoadState
    let idle: String
    switch self {
    case .item: return nil
    case .placeholder: return "…"
    case .gap(_, let load, let size):
      (state, idle) = (load, size.map { "Rows to load: \($0.text)." } ?? "There may be more here.")
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
