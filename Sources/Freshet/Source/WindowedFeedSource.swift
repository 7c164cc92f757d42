/// A source that can read the loaded parts of a list again, such as a table of a database.
///
/// Each of its keys names a position in a total order, and keeps naming it whatever is inserted,
/// moved or deleted. A refresh of its feed therefore reads exactly what is loaded, wherever that
/// is, and afterwards each part of the list is what the source has there: nothing is concluded from
/// rows that are missing. An event `FeedEvent.invalidate` refreshes like this, too, and
/// ``FeedEvent/invalidateWindows(except:)`` only if it concerns the feed.
///
/// A feed with a cache refreshes from its head, as with any other source.
public protocol WindowedFeedSource<Item, Key>: FeedSource {
  /// Returns all rows of some windows, as they are now.
  ///
  /// The answers are of one state of the list, in the order of the windows. Each consists of one or
  /// more pages that follow each other: together they have all rows of the window, and the last one
  /// has the window's `end` as its `next` key. A page's `previous` key leads up from its start.
  ///
  /// Each page is a window of later requests. Divide a long window, so that the list can read or
  /// evict its parts one by one. If a window has too many rows, the answer may end before its end:
  /// the list then has a gap there.
  ///
  /// A page with a `validator` may be followed by ``Page/unchanged``, as the only page of an
  /// answer, if no row of that window has changed since.
  ///
  /// - Throws: the reason why there are no answers. `FeedError.staleKey` means that the keys name
  ///   no positions any more, and the feed then reads from its head.
  func pages(in windows: [PageWindow<Key>]) async throws -> [[Page<Item, Key>]]
}

/// The error for a number of answers that differs from that of the windows.
struct WindowCountError: Error, CustomStringConvertible {
  let windows: Int
  let answers: Int

  /// A description of the problem, and of what to try.
  var description: String {
    "The source answered for \(answers) of \(windows) windows. Return at least one page for each window, in their order."
  }
}
