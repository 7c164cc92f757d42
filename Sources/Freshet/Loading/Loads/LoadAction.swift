internal import FreshetLists

/// An action for the shell to perform on behalf of a load.
enum LoadAction: Sendable {
  /// Requests a page from the source; the answer is reported for this load and attempt.
  case fetch(LoadTicket, PageRequest<PageKey>)
  /// Requests a page some rows away from that of the request's key.
  case fetchFar(LoadTicket, PageRequest<PageKey>, PageSkip)
  /// Requests windows from the source; the answer is reported for this load and attempt.
  case fetchWindows(LoadTicket, [PageWindow<PageKey>])
  /// Reads rows from disk by index; the integer is the total number of rows there.
  case read(LoadTicket, Range<Int>, of: Int)
  /// Waits before a load is requested again.
  case wait(LoadTicket, Duration)
  /// Cancels a load that is no longer wanted.
  case cancel(Int)
  /// Resumes these waiters with the current state of their edge.
  case resume([Int], LoadState)
}

/// The load and attempt of an answer; a late answer for an earlier ticket has no effect.
struct LoadTicket: Hashable, Sendable {
  var load: Int
  var attempt: Int
}

typealias PageAnswer = Result<Page<AnyItem, PageKey>, FeedError>
/// The pages of each window.
typealias WindowAnswer = Result<[[Page<AnyItem, PageKey>]], FeedError>

extension PageAnswer {
  /// The first item of a page, with the number of rows above it, if the page says so.
  var position: (item: RowID, rowsAbove: RowTotal)? {
    guard case .success(let page) = self, let item = page.items.first,
      let rowsAbove = page.rowsAbove
    else { return nil }
    // The item may be preceded by some that could not be read.
    return (item.id, page.invalidItems == 0 ? rowsAbove : .estimated(rowsAbove.count))
  }
}
