/// The irregularities that a feed encountered since it was created.
public struct FeedDiagnostics: Equatable, Sendable {
  /// The number of items that an answer repeated (rule L1).
  public internal(set) var duplicatesDropped = 0
  /// The number of these that share their id with a different item of the same answer.
  ///
  /// Such an id does not identify a row.
  public internal(set) var duplicateIDs = 0
  /// The number of pages that had shifted and were found again by their rows (rule T5).
  public internal(set) var shiftsRepaired = 0
  /// The number of page keys that had expired and were replaced.
  public internal(set) var expiredKeys = 0
  /// The number of answers that arrived when no load expected them any more (rule R2).
  public internal(set) var lateAnswersIgnored = 0
  /// The number of rows that could not be decoded, if the source leaves such rows out.
  public internal(set) var invalidItems = 0
  /// The error of the first such row in the last page that had any, with its location.
  public internal(set) var invalidItem: FeedError?
  /// The number of loads that were repeated by the retry policy (rule R4).
  public internal(set) var retries = 0
  /// The number of rows, if it looks like a limit of the server.
  ///
  /// Servers often truncate lists at 50, 100, 200, 250, 500 or 1000 rows. It is reported only if
  /// the answer does not indicate whether there are more rows.
  public internal(set) var suspectedLimit: Int?
  /// The server's total at the last refresh, if it contradicts the list (rule T8).
  ///
  /// It is reported if the list is too long to be reread automatically.
  ///
  /// `refresh(.all)` reads all of the list.
  public internal(set) var unexplainedTotal: Int?
  /// The paging scheme, if the source inferred it from an answer.
  public internal(set) var paging: String?
}

extension FeedDiagnostics {
  /// Notes the diagnostics of a page.
  mutating func note<Item, Key>(_ page: Page<Item, Key>) {
    if page.invalidItems > 0 {
      invalidItems += page.invalidItems
      invalidItem = page.invalidItem?.masked
    }
    paging = page.paging ?? paging
    suspectedLimit = page.suspectedLimit
  }
}
