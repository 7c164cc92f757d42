internal import Foundation
public import Observation

/// Mutations that are stored until their source has answered, and shown in lists meanwhile.
///
/// ```swift
/// let outbox = Outbox(.file("outbox")) {
///   Sender(Like.self) { like, attempt in
///     try await api.like(like.target, idempotencyKey: attempt.idempotencyKey)
///   }
/// }
/// outbox.attach(feed.list)
/// try await outbox.perform(Like(target: post.id))  // on disk and on screen
/// ```
///
/// A mutation is sent until the source has answered, also after the app was ended and started
/// again. Each attempt has the same idempotency key, by which the server recognizes a mutation that
/// it has already applied. Without such a server, a mutation may be applied twice: if the
/// connection is lost, it is unknown whether the server received it.
///
/// Mutations of one lane are sent in the order in which they were performed, one at a time. A
/// transient failure is repeated after a wait. Any other one stops the lane until the mutation is
/// retried, replaced or discarded. Its edit stays on screen meanwhile.
///
/// An outbox belongs to one account: see ``OutboxStorage``. Keep it for as long as the app runs.
/// Every method may be called from any thread, at any time.
public final class Outbox: Sendable {
  struct State: Sendable {
    var queue = OutboxQueue()
    /// The mutations that were performed before the file was read, and who waits for them.
    var early: [(mutation: OutboxMutation, stored: OutboxWriter.Waiter)] = []
    var writer = OutboxWriter()
    var lists: [AttachedList] = []
    var displays = DisplayQueue()
    /// The edits on display, by the ids of their mutations.
    var displayed: [String: [OverlayEdit]] = [:]
    /// The mutations that were answered last.
    var answered: [String] = []
    /// The attempts under way, by the ids of their mutations.
    var attempts: [String: AttemptTasks] = [:]
    /// The number of the last attempt.
    var lastAttempt = 0
    /// The waits for other attempts.
    var waits: [String: Task<Void, Never>] = [:]
    /// The waits for which the source asked all mutations.
    var rateLimits: [Int: Task<Void, Never>] = [:]
    var lastRateLimit = 0
    /// The task that looks for changes of other processes.
    var polling: Task<Void, Never>?
    /// Why the last poll failed.
    var pollFailure: OutboxError?
    /// Whether another process may send, after `enterBackground()`.
    var isInBackground = false
    /// Imported changes that could not be stored, or whose deliveries could not be removed.
    var unfinished: OutboxQueue.Import?
    /// The file and its records, once it is open.
    var opening: Task<OutboxFile.Opened, any Error>
    var isLoaded = false
    /// Whether the attached lists show what was in its file.
    var isShown = false
    /// Whether its file could not be opened.
    var isUnopened = false
    /// Whether the account signed out, so that nothing more is accepted or sent.
    var isSignedOut = false
    /// Whether its file was closed after that.
    var isClosed = false
    /// The callers that await loading.
    var loading: [CheckedContinuation<Void, Never>] = []
    var policy: RetryPolicy
    /// Why its file could not be opened.
    var failure: OutboxError?
    /// Whether the last records could not be written.
    var hasUnwritten = false
    var damagedBytes = 0
    var observers: [Int: AsyncStream<OutboxStatus>.Continuation] = [:]
    /// The attempts that have ended, and are yet to be cancelled.
    var ended: [Task<Void, Never>] = []
    /// Whether observers are about to be notified.
    var isPublishing = false

    /// The mutations in their order, also those that are not in the queue yet.
    var mutations: [OutboxMutation] { queue.all.map(\.mutation) + early.map(\.mutation) }
  }

  let state: Locked<State>
  let senders: [String: Sender]
  let clock: any Clock<Duration>
  let sendsAtOnce: Int
  let limits: (count: Int, bytes: Int)
  let now: @Sendable () -> Date
  let storage: OutboxStorage
  /// The time between two looks for changes of other processes.
  let pollInterval: Duration
  let registrar = ObservationRegistrar()
  let lastObserver = Locked(0)

  /// Opens an outbox, and begins to send what is in it.
  ///
  /// Its file is read on another thread. If that fails, `status` and `perform(_:)` say why, and the
  /// next `perform(_:)` or `resume()` tries again.
  ///
  /// - Parameters:
  ///   - storage: the place of the mutations. It can be open once at a time, in all processes,
  ///     unless it is shared.
  ///   - retryPolicy: the waits between the attempts, which double up to the policy's longest. They
  ///     follow each other for as long as the failure is transient, however many attempts the
  ///     policy allows. When the source accepts a mutation, it cuts short the waits of those that
  ///     failed before, unless it asked for a wait. Each is cut short once, and the next one passes
  ///     in full.
  ///   - limit: the number of mutations that it holds at most.
  ///   - byteLimit: the number of bytes of them that it holds at most.
  ///   - sendsAtOnce: the number of mutations that are sent at the same time, at most.
  ///   - isPaused: whether it begins as after `pause()`.
  ///   - clock: the clock that measures the waits.
  ///   - senders: how the mutations of each type are sent, each type with a name of its own.
  ///     Mutations of other types are kept.
  public convenience init(
    _ storage: OutboxStorage, retryPolicy: RetryPolicy = .polite, limit: Int = 10_000,
    byteLimit: Int = 64 << 20, sendsAtOnce: Int = 4, isPaused: Bool = false,
    clock: any Clock<Duration> = ContinuousClock(), @SenderBuilder senders: () -> [Sender]
  ) {
    self.init(
      storage, retryPolicy: retryPolicy, limit: limit, byteLimit: byteLimit,
      sendsAtOnce: sendsAtOnce, isPaused: isPaused, clock: clock, now: { Date() },
      senders: senders())
  }

  init(
    _ storage: OutboxStorage, retryPolicy: RetryPolicy, limit: Int, byteLimit: Int,
    sendsAtOnce: Int = 4, isPaused: Bool = false, clock: any Clock<Duration>,
    pollInterval: Duration = .milliseconds(500),
    now: @escaping @Sendable () -> Date, senders: [Sender]
  ) {
    self.senders = Dictionary(senders.map { ($0.name, $0) }) { first, _ in
      preconditionFailure("There are two senders for mutations named \(first.name)")
    }
    self.sendsAtOnce = max(1, sendsAtOnce)
    (self.storage, self.pollInterval) = (storage, pollInterval)
    var first = State(opening: storage.opening(), policy: retryPolicy)
    first.queue.isPaused = isPaused
    state = Locked(first)
    (limits, self.clock, self.now) = ((limit, byteLimit), clock, now)
    open()
  }

  /// Takes in the file once it is open.
  ///
  /// - Parameter again: whether to open the file if that failed before, and not to wait for it.
  func open(again: Bool = false) {
    let opening = state.withLock { state -> Task<OutboxFile.Opened, any Error>? in
      guard again else { return state.opening }
      // Mutations that were performed meanwhile fail first.
      guard state.isUnopened, state.queue.count == 0, !state.isSignedOut, !state.isInBackground
      else { return nil }
      (state.isUnopened, state.isLoaded, state.isShown) = (false, false, false)
      state.opening = storage.opening()
      return state.opening
    }
    guard let opening else { return }
    Task { @concurrent [weak self] in
      let outcome = await opening.result
      self?.begin(outcome)
      await self?.awaitLists()
    }
  }

  deinit {
    let observers = state.withLock { state in
      state.cancelSending()
      return state.observers
    }
    cancelEnded()
    for observer in observers.values { observer.finish() }
  }

  /// Takes in what was stored, in front of what was performed meanwhile.
  private func begin(_ outcome: Result<OutboxFile.Opened, any Error>) {
    let snapshot = snapshot(of: (try? outcome.get()) ?? OutboxFile.Opened())
    state.withLock { state in
      let difference = state.apply(snapshot)
      let early = state.early
      state.early = []
      state.isLoaded = true
      state.failure = nil
      if case .failure(let error) = outcome {
        state.failure = error as? OutboxError ?? .notStored(reason: "\(error)")
        state.isUnopened = true
      }
      for (mutation, waiter) in early {
        state.add(mutation, waiter)
      }
      // The edits apply in the order of their mutations.
      if !difference.added.isEmpty {
        for (mutation, _) in early { state.displays.add(.renew(mutation)) }
      }
    }
    updateLists()
    write()
    sendReady()
    beginPolling()
  }

  /// Resumes the callers that await loading, once all lists show what was read.
  private func awaitLists() async {
    await awaitUpdates()
    for list in state.withLock({ $0.lists }) { await list.awaitEdits() }
    var loading: [CheckedContinuation<Void, Never>] = []
    state.withLock { state in
      // Its file may be opened once more by now.
      guard state.isLoaded else { return }
      state.isShown = true
      swap(&loading, &state.loading)
    }
    for caller in loading { caller.resume() }
  }

  // MARK: - Mutations that wait

  /// Sends a mutation that failed once more.
  ///
  /// - Throws: an ``OutboxError`` if there is no such mutation, or if that cannot be stored.
  public func retry(_ id: PendingMutation.ID) async throws {
    try await change { state in
      guard state.queue[id] != nil else { throw OutboxError.noSuchMutation }
      state.cancelWait(of: id)
      state.queue.retry(id)
      return [.retried(id)]
    }
    sendReady()
  }

  /// Replaces a mutation by one of its type, which is then sent in its place.
  ///
  /// It has another idempotency key, as the other one may have been sent before.
  ///
  /// - Throws: `OutboxError.sending` or `noSuchMutation` if it is too late for that, or another
  ///   error if it cannot be stored.
  public func replace(_ id: PendingMutation.ID, with mutation: some Mutation) async throws {
    await loaded()
    let old = try state.withLock { try $0.entry(id).mutation }
    // The type of the app encodes it without the lock.
    let new = try old.replaced(by: mutation, isSent: true)
    do {
      try await change { state in
        guard try state.entry(id).mutation == old else { throw OutboxError.sending }
        if state.queue.isSentElsewhere { throw OutboxError.sentElsewhere }
        state.cancelWait(of: id)
        state.queue.move(new)
        // It is sent once it is stored.
        state.queue.hold(id)
        state.queue.retry(id)
        return [.changed(new), .retried(id)]
      }
    } catch {
      state.withLock { state in
        guard state.queue[id]?.mutation == new else { return }
        state.queue.move(old)
        state.queue.noteStored(id)
      }
      throw error
    }
    // Those of the same item that were performed later stay on top of it.
    let later = state.withLock { state -> [OutboxMutation] in
      guard let new = state.queue[id]?.mutation else { return [] }
      return state.mutations.filter { $0.target == new.target && $0.number >= new.number }
    }
    for mutation in later { displayAgain(mutation) }
    sendReady()
  }

  /// Discards a mutation and undoes its edit.
  ///
  /// If it inserts its item, the later mutations of that item are discarded too. A mutation whose
  /// last attempt failed may have reached the source all the same.
  ///
  /// - Throws: `OutboxError.sending` if one of them is being sent, `noSuchMutation` if it was
  ///   answered, or another error if that cannot be stored.
  public func discard(_ id: PendingMutation.ID) async throws {
    let gone = Locked<[OutboxQueue.Entry]>([])
    do {
      try await change { state in
        _ = try state.entry(id)
        let entries = state.queue.discard(id)
        if entries.isEmpty { throw OutboxError.sending }
        for entry in entries { state.cancelWait(of: entry.mutation.id) }
        gone.withLock { $0 = entries }
        return entries.flatMap(\.mutation.removal)
      }
    } catch {
      state.withLock { state in
        if state.isSignedOut { return }
        for entry in gone.withLock({ $0 }) where state.queue[entry.mutation.id] == nil {
          state.queue.putBack(entry)
          // Its wait for another attempt is over.
          state.queue.wake(entry.mutation.id)
        }
      }
      sendReady()
      throw error
    }
    for entry in gone.withLock({ $0 }) {
      for edit in takeDisplayed(entry.mutation.id) { await edit.undo() }
    }
    sendReady()
  }

  /// Sends nothing until `resume()`, such as while there is no network.
  ///
  /// A mutation that is being sent is not interrupted.
  public func pause() {
    state.withLock { $0.queue.isPaused = true }
    publish()
  }

  /// Sends the mutations that wait, also those that wait for another attempt.
  ///
  /// A time for which the source asked with ``LoadFailure/retryAfter`` passes first.
  public func resume() {
    open(again: true)
    state.withLock { state in
      if state.isSignedOut { return }
      for entry in state.queue.all {
        if case .retrying = entry.progress { state.cancelWait(of: entry.mutation.id) }
      }
      state.queue.resume()
    }
    sendReady()
  }
}

extension Outbox: Observable {}
