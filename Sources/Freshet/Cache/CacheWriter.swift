internal import FreshetLists

/// Stores the steps of one feed, one after the other, on no actor.
///
/// Steps that are enqueued while an earlier one is being stored are merged into one, if the rows
/// that they need are in memory. So the writer catches up, however fast steps arrive. It outlives
/// its feed until everything is stored.
final class CacheWriter<Item: ListItem>: Sendable {
  private enum Work: Sendable {
    /// Consecutive steps.
    case save([FeedCommit<Item>])
    case load(Range<Int>, of: Int, @Sendable (Result<[CachedRows<Item>.Row]?, any Error>) -> Void)
    case clear
    /// Stores the last step again, which could not be stored.
    case saveAgain
    case flush(CheckedContinuation<Void, Never>)
  }

  private struct Pending {
    var saves = 0
    var isStored = true
    /// The last step, if it is not stored.
    var unstored: FeedCommit<Item>?
    /// Whether that step is stored again once another cache releases the lock.
    var isWaiting = false
    var issues: [CacheIssue] = []
    var observers: [Int: AsyncStream<CacheIssue>.Continuation] = [:]
    var lastObserver = 0
  }

  /// The work to do, in order.
  private final class Queue: Sendable {
    private let work = Locked<[Work]>([])
    /// Is released once everything is done.
    let registration = Locked<StoredFeeds.Registration?>(nil)

    func append(_ next: Work) {
      work.withLock { work in
        if case .save(let commits) = next, case .save(var waiting)? = work.last {
          work.removeLast()
          waiting += commits
          work.append(.save(waiting))
        } else {
          work.append(next)
        }
      }
    }

    func takeAll() -> [Work] {
      work.withLock { work in
        defer { work = [] }
        return work
      }
    }
  }

  let cache: any FeedCache<Item>
  private let queue = Queue()
  /// Signals that there is work.
  private let signal: AsyncStream<Void>.Continuation
  private let pending = Locked(Pending())
  private let number = DepartedWriters.shared.makeNumber()
  /// The task that does the work.
  private let task = Locked<Task<Void, Never>?>(nil)

  init(_ cache: any FeedCache<Item>) {
    self.cache = cache
    let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.signal = signal
    // Writing blocks a thread for some hundred microseconds, so it is done on the thread pool.
    let task = Task { @concurrent [weak self, queue, number] in
      let locking = cache as? any LockingCache
      for await _ in signals {
        if let locking {
          await DepartedWriters.shared.finish(before: number, of: locking.lockName)
        }
        for work in queue.takeAll() { await Self.perform(work, in: cache) { self } }
      }
      locking?.close()
    }
    self.task.withLock { $0 = task }
  }

  /// Does one piece of work, even if the feed was released.
  private static func perform(
    _ work: Work, in cache: any FeedCache<Item>, for writer: () -> CacheWriter?
  ) async {
    switch work {
    case .save(let commits):
      let steps = FeedCommit.joined(commits[...])
      var isStored = true
      for step in steps { isStored = await cache.save(step) }
      writer()?.saved(commits.count, unstored: isStored ? nil : steps.last)
    case .load(let range, let count, let completion):
      do {
        completion(.success(try await cache.load(range, of: count)))
      } catch {
        completion(.failure(error))
      }
      writer()?.reportIssues()
    case .saveAgain: await saveAgain(in: cache, for: writer)
    case .clear:
      writer()?.pending.withLock { $0.unstored = nil }
      await cache.removeAll()
    case .flush(let continuation):
      await saveAgain(in: cache, for: writer)
      continuation.resume()
    }
  }

  /// Stores the last step again, if it is not stored and no newer step is enqueued.
  private static func saveAgain(
    in cache: any FeedCache<Item>, for writer: () -> CacheWriter?
  ) async {
    guard let step = writer()?.pending.withLock({ $0.saves == 0 ? $0.unstored : nil }) else {
      return
    }
    let isStored = await cache.save(step.withoutChanges)
    writer()?.saved(0, unstored: isStored ? nil : step)
  }

  private func add(_ work: Work) {
    queue.append(work)
    signal.yield()
  }

  deinit {
    signal.finish()
    if let locking = cache as? any LockingCache {
      // The next feed of the cache may store at once, or after the pending work.
      if pending.withLock({ $0.saves == 0 }) {
        locking.close()
      } else if let task = task.withLock({ $0 }) {
        DepartedWriters.shared.add(number, of: locking.lockName, task)
      }
    }
    for observer in pending.withLock({ $0.observers }).values { observer.finish() }
  }

  /// Keeps a registration until everything is stored.
  func keep(_ registration: StoredFeeds.Registration) {
    queue.registration.withLock { $0 = registration }
  }

  var isSaved: Bool { pending.withLock { $0.saves == 0 && $0.isStored } }

  /// Whether the last attempt to store something succeeded.
  var isStored: Bool { pending.withLock { $0.isStored } }

  func save(_ commit: FeedCommit<Item>) {
    pending.withLock { $0.saves += 1 }
    add(.save([commit]))
  }

  /// Reads rows, after the pending steps are stored.
  func load(
    _ range: Range<Int>, of count: Int,
    completion: @escaping @Sendable (Result<[CachedRows<Item>.Row]?, any Error>) -> Void
  ) {
    add(.load(range, of: count, completion))
  }

  /// Removes everything that is stored, after the pending steps.
  func clear() { add(.clear) }

  func flush() async {
    await withCheckedContinuation { add(.flush($0)) }
  }

  /// Returns a stream of the problems, which begins with the earlier ones.
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

  private func saved(_ count: Int, unstored: FeedCommit<Item>?) {
    pending.withLock {
      $0.saves -= count
      ($0.isStored, $0.unstored) = (unstored == nil, unstored)
    }
    reportIssues()
    if unstored != nil, let locking = cache as? any LockingCache { wait(for: locking.lockName) }
  }

  /// Stores the last step again once another cache of this process releases the lock.
  private func wait(for lock: String) {
    let isFirst = pending.withLock { pending in
      defer { pending.isWaiting = true }
      return !pending.isWaiting
    }
    guard isFirst else { return }
    LockReleases.shared.wait(for: lock) { [weak self] in
      self?.pending.withLock { $0.isWaiting = false }
      self?.add(.saveAgain)
    }
    // The lock may have been released just now.
    add(.saveAgain)
  }
}
