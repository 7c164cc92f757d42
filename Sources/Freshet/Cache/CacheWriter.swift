internal import FreshetLists

/// Stores the steps of one feed, one after the other, off every actor.
///
/// It outlives its feed for as long as there is something to store.
final class CacheWriter<Item: ListItem>: Sendable {
  private enum Work: Sendable {
    case save(FeedCommit<Item>)
    case load(Range<Int>, of: Int, @Sendable (Result<[CachedRows<Item>.Row]?, any Error>) -> Void)
    case clear
    case flush(CheckedContinuation<Void, Never>)
  }

  private struct Pending {
    var saves = 0
    var isStored = true
    var issues: [CacheIssue] = []
    var observers: [Int: AsyncStream<CacheIssue>.Continuation] = [:]
    var lastObserver = 0
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
          // Also when the feed is gone.
          let isStored = await cache.save(commit)
          self?.saved(isStored: isStored)
        case .load(let range, let count, let completion):
          do {
            completion(.success(try await cache.load(range, of: count)))
          } catch {
            completion(.failure(error))
          }
          self?.reportIssues()
        case .clear: await cache.removeAll()
        case .flush(let continuation): continuation.resume()
        }
      }
      (cache as? any LockingCache)?.close()
    }
  }

  deinit {
    work.finish()
    // Whoever opens the feed next may do so at once; what is still to be stored is first.
    if pending.withLock({ $0.saves == 0 }) { (cache as? any LockingCache)?.close() }
    for observer in pending.withLock({ $0.observers }).values { observer.finish() }
  }

  var isSaved: Bool { pending.withLock { $0.saves == 0 && $0.isStored } }

  func save(_ commit: FeedCommit<Item>) {
    pending.withLock { $0.saves += 1 }
    work.yield(.save(commit))
  }

  /// Reads rows back, after what is still to be stored.
  func load(
    _ range: Range<Int>, of count: Int,
    completion: @escaping @Sendable (Result<[CachedRows<Item>.Row]?, any Error>) -> Void
  ) {
    work.yield(.load(range, of: count, completion))
  }

  /// Forgets everything stored, after what is still to be stored.
  func clear() async {
    work.yield(.clear)
    await flush()
  }

  func flush() async {
    await withCheckedContinuation { _ = work.yield(.flush($0)) }
  }

  /// What goes wrong, with what did before anybody asked.
  func issues() -> AsyncStream<CacheIssue> {
    let (stream, continuation) = AsyncStream<CacheIssue>.makeStream()
    let observer = pending.withLock { pending in
      pending.lastObserver += 1
      pending.observers[pending.lastObserver] = continuation
      for issue in pending.issues { continuation.yield(issue) }
      return pending.lastObserver
    }
    continuation.onTermination = { [weak self] _ in
      self?.pending.withLock { _ = $0.observers.removeValue(forKey: observer) }
    }
    return stream
  }

  func reportIssues() {
    let issues = cache.takeIssues()
    guard !issues.isEmpty else { return }
    pending.withLock { pending in
      pending.issues += issues
      for observer in pending.observers.values { for issue in issues { observer.yield(issue) } }
    }
  }

  private func saved(isStored: Bool) {
    pending.withLock {
      $0.saves -= 1
      $0.isStored = isStored
    }
    reportIssues()
  }
}
