/// What is to be done with the files of an outbox, one step at a time.
///
/// Records are written in the order of the changes. Those of one moment are written together, and
/// synced once.
struct OutboxWriter: Sendable {
  /// A caller that waits until its records are on the disk.
  typealias Waiter = @Sendable (Result<Void, any Error>) -> Void

  struct Batch: Sendable {
    var records: [OutboxRecord] = []
    var waiters: [Waiter] = []
    /// What was imported: its deliveries are removed once its records are on the disk.
    var imported = OutboxQueue.Import()
    var isEmpty: Bool { records.isEmpty && waiters.isEmpty && imported.isEmpty }
    /// Whether it has to be on the disk, and not only with the system.
    var isDurable: Bool { !waiters.isEmpty || !imported.isEmpty }
    /// The ids of the mutations whose contents are written.
    var stored: [String] {
      (records + imported.records).compactMap {
        switch $0 {
        case .added(let mutation), .changed(let mutation): mutation.id
        default: nil
        }
      }
    }
  }

  enum Step: Sendable {
    /// Look for changes of other processes.
    case poll
    case store(Batch)
    /// Let another process send, and resume the callers that wait for it.
    case release([CheckedContinuation<Void, Never>])
  }

  private var next = Batch()
  private var isPollDue = false
  /// Whether the last step was a poll: another one waits for what is to be stored.
  private var hasJustPolled = false
  private var releases: [CheckedContinuation<Void, Never>] = []
  /// The number of answers that lists are about to show, and whose records follow.
  private var answers = 0
  private var isAtWork = false

  /// Adds the records of a change.
  mutating func add(_ records: [OutboxRecord], _ waiter: Waiter? = nil) {
    next.records += records
    if let waiter { next.waiters.append(waiter) }
  }

  /// Adds the changes that were imported.
  mutating func add(_ imported: OutboxQueue.Import) { next.imported.append(imported) }

  /// Changes the records that wait.
  mutating func rewrite(_ change: (OutboxRecord) -> OutboxRecord) {
    next.records = next.records.map(change)
  }

  mutating func poll() { isPollDue = true }

  /// Lets another process send once everything is stored.
  mutating func release(_ caller: CheckedContinuation<Void, Never>) { releases.append(caller) }

  /// Puts off the release until `endAnswer()`: the source took a mutation, and its records follow.
  mutating func beginAnswer() { answers += 1 }
  mutating func endAnswer() { answers -= 1 }

  var isAnswering: Bool { answers > 0 }
  /// Whether another process is to send once everything is stored.
  var isReleasing: Bool { !releases.isEmpty }
  private var canRelease: Bool { !releases.isEmpty && !isAnswering }
  private var hasWork: Bool { isPollDue || !next.isEmpty || canRelease }

  /// Returns whether the caller has to work: there is something, and no other caller does it.
  mutating func begin() -> Bool {
    if isAtWork || !hasWork { return false }
    isAtWork = true
    return true
  }

  /// Returns the step to do next; `nil` ends the work.
  mutating func nextStep() -> Step? {
    isAtWork = hasWork
    if isPollDue, !hasJustPolled || next.isEmpty && !canRelease {
      (isPollDue, hasJustPolled) = (false, true)
      return .poll
    }
    hasJustPolled = false
    if !next.isEmpty {
      defer { next = Batch() }
      return .store(next)
    }
    guard canRelease else { return nil }
    defer { releases = [] }
    return .release(releases)
  }
}
