// Mutations that other processes delivered.
extension OutboxQueue {
  /// The changes that a queue imported from deliveries.
  struct Import: Sendable {
    /// The records that store them.
    var records: [OutboxRecord] = []
    /// The mutations that are not sent before their deliveries are removed.
    var held: Set<String> = []
    /// The files of the deliveries.
    var names: [String] = []
    /// The mutations that are new.
    var added: [OutboxMutation] = []
    /// The mutations that were discarded, the last one first.
    var discarded: [String] = []

    var isEmpty: Bool { names.isEmpty }

    mutating func append(_ other: Import) {
      records += other.records
      held.formUnion(other.held)
      names += other.names
    }
  }

  /// Imports mutations that other processes performed, and their decisions about those that failed.
  ///
  /// The mutations follow all others. A mutation is retried or discarded if it still waits for the
  /// user.
  ///
  /// - Parameter known: the ids of mutations that were stored before; they are imported once.
  mutating func importDeliveries(
    _ deliveries: [OutboxDelivery], known: Set<String> = []
  ) -> Import {
    var imported = Import(names: deliveries.map(\.name))
    for record in deliveries.flatMap(\.records) {
      switch record {
      case .added(let mutation):
        if namesDiscarded(mutation) {
          // It was performed before its process learned of that.
          if mutation.isInsertion {
            noteDiscarded(mutation.target)
            imported.records.append(.discarded(mutation.target))
          }
          imported.discarded.append(mutation.id)
          continue
        }
        // The process may have ended before it could remove the delivery.
        if self[mutation.id] == nil, !known.contains(mutation.id) {
          imported.added.append(add(mutation))
        }
        guard let entry = self[mutation.id] else { continue }
        if entry.progress == .storing { imported.records.append(.added(entry.mutation)) }
        hold(mutation.id)
        imported.held.insert(mutation.id)
      case .retried(let id) where hasFailed(id):
        retry(id)
        imported.records.append(record)
      case .removed(let id, _) where hasFailed(id):
        // The records of those that are being stored precede them.
        let discarded = discard(id, evenStoring: true).map(\.mutation)
        imported.records += discarded.flatMap(\.removal)
        imported.discarded += discarded.map(\.id)
      default: break
      }
    }
    return imported
  }

  private func hasFailed(_ id: String) -> Bool {
    if case .failed = self[id]?.progress { true } else { false }
  }

  /// Reapplies a change that was not yet written when the queue was read.
  ///
  /// - Returns: the record to write.
  mutating func reapply(_ record: OutboxRecord) -> OutboxRecord {
    switch record {
    case .added(let mutation): return .added(add(mutation))
    case .changed(let mutation): move(mutation)
    case .renamed(let target, let id): rename(target, to: id)
    case .retried(let id): retry(id)
    case .removed(let id, _): forget(id)
    case .discarded(let target): noteDiscarded(target)
    case .begun, .failed: break
    }
    return record
  }
}
