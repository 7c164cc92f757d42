/// An error for an invalid request to a list.
@nonexhaustive
public enum ListError: Error, Equatable, Sendable {
  /// There is no row at this path.
  case invalidIndexPath(RowPath)
}

extension ListError: CustomStringConvertible {
  /// The invalid request, and what to check.
  public var description: String {
    switch self {
    case .invalidIndexPath(let path):
      "No row at \(path). Ask the snapshot you are showing, and check `count` first."
    }
  }
}
