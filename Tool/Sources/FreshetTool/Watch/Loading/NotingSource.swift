import Freshet
import FreshetHTTP
import Synchronization

/// A source that lets its answers be seen: how long pages are, and what is asked for again.
struct NotingSource: FeedSource {
  let base: HTTPFeedSource<WatchedItem>
  let attempts: Attempts

  var continuity: PageContinuity { base.continuity }
  var retryPolicy: RetryPolicy { base.retryPolicy }

  func page(_ request: PageRequest<HTTPPageKey>) async throws -> Page<WatchedItem, HTTPPageKey> {
    attempts.willAsk(for: request.key)
    do {
      let page = try await base.page(request)
      // Where pages repeat rows, the first one alone says how long a page is.
      let isWhole = request.key == nil || (page.continuity ?? continuity) == .stable
      attempts.answered(rows: isWhole ? page.items.count : 0)
      return page
    } catch {
      attempts.failed(request.key, error)
      throw error
    }
  }
}

/// What became of requests.
final class Attempts: Sendable {
  private struct State {
    var pageSize: Int?
    var failure: (key: HTTPPageKey?, error: FeedError)?
  }

  private let state = Mutex(State())
  private let notices: Notices

  init(_ notices: Notices) { self.notices = notices }

  /// The most rows that a page had, once one came.
  var pageSize: Int? { state.withLock { $0.pageSize } }

  /// Says that what is asked for next is not asked for again because of a failure.
  func begin() { state.withLock { $0.failure = nil } }

  func willAsk(for key: HTTPPageKey?) {
    let failure = state.withLock { $0.failure }
    guard let failure, failure.key == key else { return }
    let complaint = WatchFailure(failure.error, isPartial: false)
    notices.note("\(failure.error) Asking again.", about: "again: \(complaint.complaint)")
  }

  func answered(rows: Int) {
    state.withLock {
      $0.failure = nil
      if rows > 0 { $0.pageSize = max($0.pageSize ?? 0, rows) }
    }
  }

  func failed(_ key: HTTPPageKey?, _ error: any Error) {
    guard let error = error as? FeedError else { return }
    state.withLock { $0.failure = (key, error) }
    // It may take minutes before it is asked for again.
    let complaint = WatchFailure(error, isPartial: false)
    if complaint.retryAfter != nil {
      notices.note("\(error)", about: "again: \(complaint.complaint)")
    }
  }
}
