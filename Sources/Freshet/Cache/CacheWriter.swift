internal import FreshetLists

/// Stores the steps of one feed, one after the other, off every actor.
///
/// Steps that wait while an earlier one is stored are stored as one, where they have all they need
/// in memory: it does not fall behind for good, however fast they come. It outlives its feed for as
/// long as there is something to store.
final class CacheWriter<Item: ListItem>: Sendable {
  private enum Work: Sendable {
    /// Steps that follow each other.
    case save([FeedCommit<Item>])
    case load(Range<Int>, of: Int, @Sendable (Result<[CachedRows<Item>.Row]?, any Error>) -> Void)
    case clear
    /// Stores again what could not be stored.
    case saveAgain
    case flush(CheckedContinuation<Void, Never>)
  }

  private struct Pending {
    var saves = 0
    var isStored = true
    /// The last step, where it is not stored.
    var unstored: FeedCommit<Item>?
    /// Whether it is stored again once another cache gives up the lock.
    var isWaiting = false
    var issues: [CacheIssue] = []
    var observers: [Int: AsyncStream<CacheIssue>.Continuation] = [:]
    var lastObserver = 0
  }

  /// What is to be done, in its order.
  private final class Queue: Sendable {
    private let work = Locked<[Work]>([])

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
  /// Says that there is work.
  private let signal: AsyncStream<Void>.Continuation
  private let pending = Locked(Pending())
  private let number = DepartedWriters.shared.makeNumber()
  /// Does what is to be done.
  private let task = Locked<Task<Void, Never>?>(nil)

  init(_ cache: any FeedCache<Item>) {
    self.cache = cache
    let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.signal = signal
    // Writing blocks a thread for some hundred microseconds: on the pool, never on an actor.
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

  /// Does what is to be done, also when the feed is gone.
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

  /// Stores the last step again, where it is not stored: nothing changed since.
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
      // A feed that is opened next may store at once, or after what is still to be stored.
      if pending.withLock({ $0.saves == 0 }) {
        locking.close()
      } else if let task = task.withLock({ $0 }) {
        DepartedWriters.shared.add(number, of: locking.lockName, task)
      }
    }
    for observer in pending.withLock({ $0.observers }).values { observer.finish() }
  }

  var isSaved: Bool { pending.withLock { $0.saves == 0 && $0.isStored } }

  func save(_ commit: FeedCommit<Item>) {
    pending.withLock { $0.saves += 1 }
    add(.save([commit]))
  }

  /// Reads rows back, after what is still to be stored.
  func load(
    _ range: Range<Int>, of count: Int,
    completion: @escaping @Sendable (Result<[CachedRows<Item>.Row]?, any Error>) -> Void
  ) {
    add(.load(range, of: count, completion))
  }

  /// Forgets everything stored, after what is still to be stored.
  func clear() { add(.clear) }

  func flush() async {
    await withCheckedContinuation { add(.flush($0)) }
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

  private func saved(_ count: Int, unstored: FeedCommit<Item>?) {
    pending.withLock {
      $0.saves -= count
      ($0.isStored, $0.unstored) = (unstored == nil, unstored)
    }
    reportIssues()
    if unstored != nil, let locking = cache as? any LockingCache { wait(for: locking.lockName) }
  }

  /// Stores the last step again once another cache of this process gives up the lock.
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
    // It may have been given up just now.
    add(.saveAgain)
  }
}
