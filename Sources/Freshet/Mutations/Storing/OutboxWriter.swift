/// The records that are to be written, in the order of the changes.
///
/// Changes of one moment are written together, and synced once.
struct OutboxWriter: Sendable {
  /// A caller that waits until its records are on the disk.
  typealias Waiter = CheckedContinuation<Void, any Error>

  struct Batch: Sendable {
    var records: [OutboxRecord] = []
    var waiters: [Waiter] = []
    var isEmpty: Bool { records.isEmpty && waiters.isEmpty }
    /// Whether a caller waits for it.
    var isDurable: Bool { !waiters.isEmpty }
    /// The ids of the mutations whose contents are written.
    var stored: [String] {
      records.compactMap {
        switch $0 {
        case .added(let mutation), .changed(let mutation): mutation.id
        default: nil
        }
      }
    }
  }

  private var next = Batch()
  private var isAtWork = false

  /// Adds the records of a change.
  mutating func add(_ records: [OutboxRecord], _ waiter: Waiter? = nil) {
    next.records += records
    if let waiter { next.waiters.append(waiter) }
  }

  /// Returns whether the caller has to write: there is something, and no other caller does it.
  mutating func begin() -> Bool {
    if isAtWork || next.isEmpty { return false }
    isAtWork = true
    return true
  }

  /// Takes the next batch; `nil` ends the work.
  mutating func take() -> Batch? {
    isAtWork = !next.isEmpty
    defer { next = Batch() }
    return isAtWork ? next : nil
  }
}
