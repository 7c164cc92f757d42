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
    var lists: [AttachedList] = []
    /// The edits on display, by the keys of their mutations.
    var displayed: [String: [DisplayedEdit]] = [:]
    /// The tasks that send mutations, or wait until they are sent again.
    var tasks: [String: Task<Void, Never>] = [:]
    var isLoaded = false
    /// Those who wait until the file was read.
    var waiters: [CheckedContinuation<Void, Never>] = []
    var policy: RetryPolicy
    /// Why its file could not be opened.
    var failure: OutboxError?
    var damagedBytes = 0
    var observers: [Int: AsyncStream<OutboxStatus>.Continuation] = [:]
  }

  let state: Locked<State>
  let senders: [String: Sender]
  let clock: any Clock<Duration>
  private let limits: (count: Int, bytes: Int)
  private let now: @Sendable () -> Date
  /// The file and its records, once it is open.
  private let opening: Task<OutboxFile.Opened, any Error>
  private let registrar = ObservationRegistrar()
  private let lastObserver = Locked(0)

  /// Opens an outbox, and begins to send what is in it.
  ///
  /// Its file is read on another thread. If that fails, `status` and `perform(_:)` say why.
  ///
  /// - Parameters:
  ///   - storage: the place of the mutations. It can be open once at a time, in all processes.
  ///   - retryPolicy: the waits between the attempts. They go on for as long as the failure is
  ///     transient: after its attempts, each wait is the policy's longest.
  ///   - limit: the number of mutations that it holds at most.
  ///   - byteLimit: the number of bytes of them that it holds at most.
  ///   - clock: the clock that measures the waits.
  ///   - senders: how the mutations of each type are sent. Mutations of other types are kept.
  public convenience init(
    _ storage: OutboxStorage, retryPolicy: RetryPolicy = .polite, limit: Int = 10_000,
    byteLimit: Int = 64 << 20, clock: any Clock<Duration> = ContinuousClock(),
    @SenderBuilder senders: () -> [Sender]
  ) {
    self.init(
      storage, retryPolicy: retryPolicy, limit: limit, byteLimit: byteLimit, clock: clock,
      now: { Date() }, senders: senders())
  }

  init(
    _ storage: OutboxStorage, retryPolicy: RetryPolicy, limit: Int, byteLimit: Int,
    clock: any Clock<Duration>, now: @escaping @Sendable () -> Date, senders: [Sender]
  ) {
    let senders = Dictionary(senders.map { ($0.name, $0) }) { $1 }
    self.senders = senders
    state = Locked(State(policy: retryPolicy))
    (limits, self.clock, self.now) = ((limit, byteLimit), clock, now)
    let opening = Task { @concurrent in
      try storage.folder.map { try OutboxFile.open($0) } ?? OutboxFile.Opened()
    }
    self.opening = opening
    Task { @concurrent [weak self] in
      let outcome = await opening.result
      self?.begin(outcome)
    }
  }

  deinit {
    let (tasks, observers) = state.withLock { ($0.tasks, $0.observers) }
    for task in tasks.values { task.cancel() }
    for observer in observers.values { observer.finish() }
  }

  /// Takes in what was stored, in front of what was performed meanwhile.
  private func begin(_ outcome: Result<OutboxFile.Opened, any Error>) {
    let opened = (try? outcome.get()) ?? OutboxFile.Opened()
    let stored = OutboxQueue(opened.records) { senders[$0] != nil }
    let (news, waiters) = state.withLock { state in
      let performed = state.queue.all.map(\.mutation)
      let isPaused = state.queue.isPaused
      state.queue = stored
      state.queue.isPaused = isPaused
      for mutation in performed { state.queue.add(mutation) }
      state.isLoaded = true
      state.damagedBytes = opened.damaged
      if case .failure(let error) = outcome { state.failure = error as? OutboxError }
      defer { state.waiters = [] }
      return (stored.all, state.waiters)
    }
    for waiter in waiters { waiter.resume() }
    let lists = state.withLock { $0.lists }
    for entry in news { display(entry.mutation, in: lists) }
    sendReady()
  }

  // MARK: - Mutations

  /// Shows a mutation in the attached lists, stores it, and sends it.
  ///
  /// It is on screen at once, if the lists are idle, and on the disk on return. The attached lists
  /// that have the item show the edit, now and after a relaunch.
  ///
  /// - Throws: an ``OutboxError``, or the error that the mutation cannot be encoded; the edit is
  ///   undone by then, and nothing is sent.
  public func perform(_ mutation: some Mutation) async throws {
    try await perform(mutation, inListNamed: nil)
  }

  func perform<Performed: Mutation>(
    _ mutation: Performed, inListNamed list: String?, shown: () -> Void = {}
  ) async throws {
    guard let coding = senders[Performed.name]?.coding else {
      throw OutboxError.unreadable(name: Performed.name)
    }
    var stored = try StoredMutation(mutation, key: UUID().uuidString, at: now(), list: list)
    let lists = try state.withLock { state -> [AttachedList] in
      if let failure = state.failure { throw failure }
      if state.queue.count >= limits.count { throw OutboxError.full(limit: limits.count) }
      if state.queue.size + stored.json.utf8.count > limits.bytes {
        throw OutboxError.full(limit: limits.bytes)
      }
      if let target = state.queue.target(of: stored) {
        stored = try coding.retargeted(stored, to: target)
      }
      state.queue.add(stored)
      return state.lists
    }
    display(stored, in: lists)
    shown()
    try await store(new: stored)
    sendReady()
  }

  /// Stores a mutation that is on display, or undoes it.
  private func store(new mutation: StoredMutation) async throws {
    do {
      try await loaded()
      // It has its number by now.
      let numbered = state.withLock { $0.queue[mutation.key]?.mutation } ?? mutation
      try await store([.added(numbered)], isDurable: true) { [self] in
        state.withLock { $0.queue.noteStored(mutation.key) }
      }
    } catch {
      state.withLock { $0.queue.forget(mutation.key) }
      for edit in takeDisplayed(mutation.key) { await edit.undo() }
      throw error
    }
  }

  /// Sends a mutation that failed once more.
  ///
  /// - Throws: an ``OutboxError`` if that cannot be stored.
  public func retry(_ id: PendingMutation.ID) async throws {
    state.withLock { $0.queue.retry(id) }
    sendReady()
    try await store([.retried(id)], isDurable: false)
  }

  /// Replaces a mutation, which is then sent in its place.
  ///
  /// - Throws: `OutboxError.sending` or `noSuchMutation` if it is too late for that, or another
  ///   error if it cannot be stored.
  public func replace(_ id: PendingMutation.ID, with mutation: some Mutation) async throws {
    let changed = try state.withLock { state -> (StoredMutation, [AttachedList]) in
      guard let entry = state.queue[id] else { throw OutboxError.noSuchMutation }
      guard entry.progress != .sending else { throw OutboxError.sending }
      let stored = try entry.mutation.replaced(by: mutation)
      state.queue.move(stored)
      return (stored, state.lists)
    }
    let old = takeDisplayed(id)
    display(changed.0, in: changed.1)
    for edit in old { await edit.undo() }
    try await store([.changed(changed.0), .retried(id)], isDurable: true)
    state.withLock { $0.queue.retry(id) }
    sendReady()
  }

  /// Discards a mutation and undoes its edit.
  ///
  /// If it inserts its item, the later mutations of that item are discarded too.
  ///
  /// - Throws: `OutboxError.sending` if one of them is being sent, or another error if that cannot
  ///   be stored.
  public func discard(_ id: PendingMutation.ID) async throws {
    let gone = try state.withLock { state -> [String] in
      guard state.queue[id] != nil else { return [] }
      let gone = state.queue.discard(id)
      if gone.isEmpty { throw OutboxError.sending }
      return gone
    }
    for key in gone {
      for edit in takeDisplayed(key) { await edit.undo() }
    }
    sendReady()
    try await store(gone.map { .removed($0) }, isDurable: true)
  }

  /// Sends nothing until `resume()`, such as while there is no network.
  ///
  /// A mutation that is being sent is not interrupted.
  public func pause() {
    state.withLock { $0.queue.isPaused = true }
    publish()
  }

  /// Sends what waits, also what failed because the source was unreachable.
  public func resume() {
    let waiting = state.withLock { state -> [Task<Void, Never>] in
      let waiting = state.queue.all.filter {
        if case .retrying = $0.progress { true } else { false }
      }
      state.queue.resume()
      return waiting.compactMap { state.tasks.removeValue(forKey: $0.mutation.key) }
    }
    for task in waiting { task.cancel() }
    sendReady()
  }

  // MARK: - Lists

  /// Shows the mutations in a list, those that are stored and later ones.
  ///
  /// Mutations of items of the list's type are shown where the list has the item. Attach a list
  /// when it is created, so that it shows stored mutations before its source answers.
  ///
  /// - Parameters:
  ///   - list: the list; held weakly.
  ///   - name: a name of the list that stays the same. An insertion that was performed for a list
  ///     of a name is shown in lists of that name only; any other one in all lists of its items.
  public func attach(_ list: some EditableList, as name: String? = nil) {
    let attached = AttachedList(list, as: name)
    let stored = state.withLock { state -> [StoredMutation]? in
      if state.lists.contains(where: { $0.id == attached.id }) { return nil }
      state.lists.append(attached)
      return state.isLoaded ? state.queue.all.map(\.mutation) : []
    }
    for mutation in stored ?? [] { display(mutation, in: [attached]) }
  }

  private func display(_ mutation: StoredMutation, in lists: [AttachedList]) {
    let lists = lists.filter { $0.shows(mutation) }
    guard !lists.isEmpty, let read = try? senders[mutation.name]?.coding.edit(mutation) else {
      return
    }
    let edits = lists.compactMap { $0.show(read.edit, read.target) }
    let isGone = state.withLock { state -> Bool in
      guard state.queue[mutation.key] != nil else { return true }
      state.displayed[mutation.key, default: []] += edits
      return false
    }
    // It was answered meanwhile: the source has it.
    if isGone { Task { for edit in edits { await edit.confirm(nil) } } }
  }

  func takeDisplayed(_ key: String) -> [DisplayedEdit] {
    state.withLock { $0.displayed.removeValue(forKey: key) ?? [] }
  }

  // MARK: - Storing

  /// Waits until the file was read.
  ///
  /// - Throws: the error of reading it.
  private func loaded() async throws {
    await withCheckedContinuation { continuation in
      let isLoaded = state.withLock { state in
        if !state.isLoaded { state.waiters.append(continuation) }
        return state.isLoaded
      }
      if isLoaded { continuation.resume() }
    }
    _ = try await opening.value
  }

  /// Appends records to the file, in their order.
  @concurrent
  func store(
    _ records: [OutboxRecord], isDurable: Bool, then: @escaping @Sendable () -> Void = {}
  ) async throws {
    guard let file = try await opening.value.file else { return then() }
    try file.append(records, isDurable: isDurable) {
      state.withLock { $0.queue.records }
    } then: {
      then()
    }
  }

  // MARK: - Status

  /// What the outbox holds now.
  ///
  /// Views that read it are updated when it changes.
  ///
  /// - Complexity: O(*n* log *n*) for *n* mutations.
  public var status: OutboxStatus {
    registrar.access(self, keyPath: \.status)
    return state.withLock { Self.status(of: $0) }
  }

  /// The states of the outbox from now on: the first is the current one.
  ///
  /// A slow observer gets the newest. Iterate it once.
  public var statuses: AsyncStream<OutboxStatus> {
    let number = lastObserver.next()
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
      }
      state.withLock { state in
        state.observers[number] = continuation
        continuation.yield(Self.status(of: state))
      }
    }
  }

  private static func status(of state: State) -> OutboxStatus {
    OutboxStatus(
      mutations: state.queue.all.map { PendingMutation($0) }, isPaused: state.queue.isPaused,
      failure: state.failure.map { ErrorNotice($0) }, damagedBytes: state.damagedBytes)
  }

  /// Notifies the observers of a change.
  func publish() {
    registrar.withMutation(of: self, keyPath: \.status) {}
    state.withLock { state in
      guard !state.observers.isEmpty else { return }
      let status = Self.status(of: state)
      for observer in state.observers.values { observer.yield(status) }
    }
  }
}

extension Outbox: Observable {}
