internal import FreshetLists

/// Stores the steps of one feed, one after the other, off every actor.
///
/// It outlives its feed for as long as there is something to store.
final class CacheWriter<Item: ListItem>: Sendable {
  private enum Work: Sendable {
    case save(FeedCommit<Item>)
    case flush(CheckedContinuation<Void, Never>)
  }

  private struct Pending {
    var saves = 0
    var issues: [CacheIssue] = []
    var observers: [AsyncStream<CacheIssue>.Continuation] = []
  }

  let cache: any FeedCache<Item>
  private let work: AsyncStream<Work>.Continuation
  private let pending = Locked(Pending())

  init(_ cache: any FeedCache<Item>) {
    self.cache = cache
    let (stream, continuation) = AsyncStream<Work>.makeStream()
    work = continuation
    // Writing blocks a thread for some hundred microseconds: on the pool, never on an actor.
    Task { @concurrent [weak self] in
      for await work in stream {
        switch work {
        case .save(let commit):
          cache.save(commit)
          self?.saved()
        case .flush(let continuation): continuation.resume()
        }
      }
    }
  }

  deinit { work.finish() }

  var isSaved: Bool { pending.withLock { $0.saves == 0 } }

  func save(_ commit: FeedCommit<Item>) {
    pending.withLock { $0.saves += 1 }
    work.yield(.save(commit))
  }

  func flush() async {
    await withCheckedContinuation { _ = work.yield(.flush($0)) }
  }

  /// What goes wrong, with what did before anybody asked.
  func issues() -> AsyncStream<CacheIssue> {
    let (stream, continuation) = AsyncStream<CacheIssue>.makeStream()
    pending.withLock { pending in
      pending.observers.append(continuation)
      for issue in pending.issues { continuation.yield(issue) }
    }
    return stream
  }

  func reportIssues() {
    let issues = cache.takeIssues()
    guard !issues.isEmpty else { return }
    pending.withLock { pending in
      pending.issues += issues
      for observer in pending.observers { for issue in issues { observer.yield(issue) } }
    }
  }

  private func saved() {
    pending.withLock { $0.saves -= 1 }
    reportIssues()
  }
}
