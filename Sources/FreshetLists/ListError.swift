/// What can be wrong with a question put to a list.
@nonexhaustive
public enum ListError: Error, Equatable, Sendable {
  /// No row stands at this path.
  case invalidIndexPath(RowPath)
}

extension ListError: CustomStringConvertible {
  /// What was asked for, and what to check.
  public var description: String {
    switch self {
    case .invalidIndexPath(let path):
      "No row at \(path). Ask the snapshot you are showing, and check `count` first."
    }
  }
}
