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
/// The pages of a list that counts rows shift. Its source has `overlapping` pages, which repeat a
/// row, and reports an exact `Page.total` and `Page.rowsAbove`. After the total changes, the feed
/// jumps only to rows that are far enough from the loaded ones. Otherwise it reads the page next to
/// them.
public protocol JumpableFeedSource<Item, Key>: FeedSource {
  /// Whether the source can find pages by the number of rows; `true` by default.
  var canJump: Bool { get }

  /// Whether the source finds whole pages: the one that contains a row, not one that begins with
  /// it; `false` by default.
  ///
  /// Its pages are `overlapping`. They report an exact `Page.total`, and those that it finds report
  /// `Page.rowsAbove` of their first item.
  var findsWholePages: Bool { get }

  /// Returns the key of the page that begins some rows further than another page.
  ///
  /// - Parameters:
  ///   - count: the number of rows of the other page, and of those that follow it, to leave out.
  ///   - key: the key of the other page; `nil` for the head of the list. If it leads upwards, as
  ///     `Page.previous` does, rows are counted upwards, and the page that is found ends there.
  ///   - end: the key of a page that is read in the other direction. The row that is found must be
  ///     between the positions of both keys. A source with `overlapping` pages receives none.
  /// If the source finds whole pages, rows are counted from the first row after those of the pages
  /// above the other page, and the key is that of the page that contains the row.
  ///
  /// - Returns: `nil` if there is no such row.
  /// - Throws: the reason why there is no answer. `FeedError.staleKey` is for a key that leads
  ///   nowhere any more.
  func key(_ count: Int, rowsFrom key: Key?, before end: Key?) async throws -> Key?
}

extension JumpableFeedSource {
  /// `true`: the source can find any page.
  public var canJump: Bool { true }
  /// `false`: a page can begin with any row.
  public var findsWholePages: Bool { false }
}
