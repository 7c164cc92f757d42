internal import FreshetLists

/// Something for the shell to do on behalf of a load.
enum LoadAction: Sendable {
  /// Ask the source for a page, and report the answer for this load and attempt.
  case fetch(LoadTicket, PageRequest<PageKey>)
  /// Read rows from disk, by their indices among so many, and report them for this load.
  case read(LoadTicket, Range<Int>, of: Int)
  /// Wait before a load is asked for again.
  case wait(LoadTicket, Duration)
  /// This load is no longer wanted.
  case cancel(Int)
  /// Tell these waiters how their edge stands now.
  case resume([Int], LoadState)
}

/// What an answer is for: a late answer for an earlier ticket of a load has no effect.
struct LoadTicket: Hashable, Sendable {
  var load: Int
  var attempt: Int
}

typealias PageAnswer = Result<Page<AnyItem, PageKey>, FeedError>
