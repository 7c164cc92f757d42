/// A source that finds pages by the number of rows between them.
///
/// A feed over it jumps: ``Feed/load(rowAt:)`` loads the rows around any row of the list, however
/// far that is from the loaded ones. Nothing that is loaded is lost.
///
/// ```swift
/// extension Orders: JumpableFeedSource {
///   func key(_ count: Int, rowsFrom key: Int?, before end: Int?) async throws -> Int? {
///     (key ?? 0) + count  // this API counts rows
///   }
/// }
/// ```
public protocol JumpableFeedSource<Item, Key>: FeedSource {
  /// Returns the key of the page that begins some rows further than another page.
  ///
  /// - Parameters:
  ///   - count: the number of rows of the other page, and of those that follow it, to leave out.
  ///   - key: the key of the other page; `nil` for the head of the list. If it leads upwards, as
  ///     `Page.previous` does, rows are counted upwards, and the page ends there.
  ///   - end: the key of a page in the other direction, which must have the first row of the
  ///     page. A source whose pages shift never receives one.
  /// - Returns: `nil` if there is no such row, or if the source cannot tell. The feed then loads
  ///   the rows between, page by page.
  /// - Throws: the reason why there is no answer. `FeedError.staleKey` is for a key that leads
  ///   nowhere any more.
  func key(_ count: Int, rowsFrom key: Key?, before end: Key?) async throws -> Key?
}
