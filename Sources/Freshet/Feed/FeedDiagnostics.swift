/// What a feed met and mended since it was created.
public struct FeedDiagnostics: Equatable, Sendable {
  /// Items that an answer repeated (rule L1).
  public internal(set) var duplicatesDropped = 0
  /// Of these, the items that share their id with a different item of the same answer: the id does
  /// not identify a row.
  public internal(set) var duplicateIDs = 0
  /// Pages that had shifted under the feed and were found again by their rows (rule T5).
  public internal(set) var shiftsRepaired = 0
  /// Page keys that had expired and were replaced.
  public internal(set) var expiredKeys = 0
  /// Answers that came when nobody waited for them any more (rule R2).
  public internal(set) var lateAnswersIgnored = 0
  /// Rows that answers held and that could not be read, where the source leaves such rows out.
  public internal(set) var invalidItems = 0
  /// What was wrong with the first of the last page that had any, and where.
  public internal(set) var invalidItem: FeedError?
  /// Loads that were asked for again by the retry policy (rule R4).
  public internal(set) var retries = 0
  /// The number of rows, if servers often truncate lists at it (50, 100, 200, 250, 500, 1000) and
  /// the answer does not say whether there are more.
  public internal(set) var suspectedLimit: Int?
  /// The server's total at the last refresh, if it contradicts a list that is too long to reread
  /// automatically (rule T8).
  ///
  /// `refresh(.all)` reads all of the list.
  public internal(set) var unexplainedTotal: Int?
  /// How the source finds its pages, where it found that out from an answer.
  public internal(set) var paging: String?
}

extension FeedDiagnostics {
  /// Notes what a page says of itself.
  mutating func note<Item, Key>(_ page: Page<Item, Key>) {
    if page.invalidItems > 0 {
      invalidItems += page.invalidItems
      invalidItem = page.invalidItem?.masked
    }
    paging = page.paging ?? paging
    suspectedLimit = page.suspectedLimit
  }
}
