/// A source that finds pages by the number of rows between them.
///
/// A feed over it jumps: ``Feed/load(rowAt:)`` loads the rows around any row of the list, however
/// far that is from the loaded ones. The rows that are loaded stay.
///
/// ```swift
/// extension Orders: JumpableFeedSource {
///   func key(_ count: Int, rowsFrom key: Int?, before end: Int?) async throws -> Int? {
///     (key ?? 0) + count  // this API counts rows
///   }
/// }
/// ```
///
/// The pages of a list in which rows are counted shift. Such a source has `overlapping` pages,
/// which repeat a row, and reports `Page.total` and `Page.rowsAbove`. Its feed jumps while the
/// total stays the same: after another one, it first reads a page beside others again.
public protocol JumpableFeedSource<Item, Key>: FeedSource {
  /// Whether the source can do so, for example with its way of paging; `true` by default.
  var canJump: Bool { get }

  /// Returns the key of the page that begins some rows further than another page.
  ///
  /// - Parameters:
  ///   - count: the number of rows of the other page, and of those that follow it, to leave out.
  ///   - key: the key of the other page; `nil` for the head of the list. If it leads upwards, as
  ///     `Page.previous` does, rows are counted upwards, and the page that is found ends there.
  ///   - end: the key of a page that is read in the other direction. The row that is found must
  ///     belong to that page or to those that follow it in its direction: it is between both keys.
  ///     A source with `overlapping` pages receives none.
  /// - Returns: `nil` if there is no such row.
  /// - Throws: the reason why there is no answer. `FeedError.staleKey` is for a key that leads
  ///   nowhere any more.
  func key(_ count: Int, rowsFrom key: Key?, before end: Key?) async throws -> Key?
}

extension JumpableFeedSource {
  /// `true`: the source can find any page.
  public var canJump: Bool { true }
}
