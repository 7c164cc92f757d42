public import Foundation

/// The reason for a row's position: the cause, and the time.
public struct RowTrace: Hashable, Sendable, CustomStringConvertible {
  /// A cause that can put a row at its position.
  @nonexhaustive
  public enum Cause: Hashable, Sendable {
    /// An answer to the request for a page; `nil` is the first page.
    case page(PageKey?)
    /// An event that the source sent by itself.
    case event
    /// An edit by the user or by the app.
    case edit
    /// The cache, which had the row at this position.
    case cache
  }

  /// The cause that put the row there.
  public let cause: Cause
  /// The time when the row was put there.
  public let date: Date

  /// A text with the cause and the time.
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
