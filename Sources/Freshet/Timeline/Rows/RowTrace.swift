public import Foundation

/// Why a row is where it is: what put it there, and when.
public struct RowTrace: Hashable, Sendable, CustomStringConvertible {
  /// What can put a row where it is.
  @nonexhaustive
  public enum Cause: Hashable, Sendable {
    /// An answer to the request for a page; `nil` is the first page.
    case page(PageKey?)
    /// News that the source sent by itself.
    case event
    /// An edit of the user's, or of the app's.
    case edit
    /// The cache, which had it there.
    case cache
  }

  /// What put the row there.
  public let cause: Cause
  /// When the row was put there.
  public let date: Date

  /// What put the row there, and when.
  public var description: String {
    let what =
      switch cause {
      case .page(nil): "the first page"
      case .page(let key?): "the page \(key)"
      case .event: "an event"
      case .edit: "an edit"
      case .cache: "the cache"
      }
    return "\(what), \(date.formatted(.iso8601))"
  }
}
