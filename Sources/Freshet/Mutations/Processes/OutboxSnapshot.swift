/// The mutations that the files of an outbox held when they were read.
struct OutboxSnapshot: Sendable {
  var queue: OutboxQueue
  /// The changes that were delivered to this process.
  let imported: OutboxQueue.Import
  /// Whether this process sends.
  let isSender: Bool
  /// Whether the source took a mutation that was removed, by its id.
  let answers: [String: Bool]
  let damagedBytes: Int
}

extension Outbox {
  /// Returns the mutations in files.
  ///
  /// It is called without the lock: types of the app decode their mutations.
  func snapshot(of opened: OutboxFile.Opened) -> OutboxSnapshot {
    var queue = OutboxQueue(opened.records) { senders[$0] != nil }
    // A mutation of a type that was unknown may still name an item by its temporary id.
    for mutation in queue.all.map(\.mutation) {
      let new = renamed(mutation, in: queue)
      if new != mutation { queue.move(new) }
    }
    let deliveries = renamed(opened.deliveries, in: queue)
    let imported = queue.importDeliveries(deliveries, known: opened.records.added)
    queue.isSentElsewhere = !opened.isSender
    if !opened.isSender { for id in imported.held { queue.noteStored(id) } }
    return OutboxSnapshot(
      queue: queue, imported: imported, isSender: opened.isSender, answers: opened.records.answers,
      damagedBytes: opened.damaged)
  }

  /// Returns deliveries with the ids that the source gave to their items.
  func renamed(_ deliveries: [OutboxDelivery], in queue: OutboxQueue) -> [OutboxDelivery] {
    deliveries.map { delivery in
      var delivery = delivery
      delivery.records = delivery.records.map { record in
        if case .added(let mutation) = record {
          .added(renamed(mutation, in: queue))
        } else {
          record
        }
      }
      return delivery
    }
  }

  private func renamed(_ mutation: OutboxMutation, in queue: OutboxQueue) -> OutboxMutation {
    var (mutation, replaced) = (mutation, Set<MutationTarget>())
    while let (old, id) = queue.renaming(of: mutation), replaced.insert(old).inserted,
      let new = try? senders[mutation.name]?.coding.replacing(old, with: id, in: mutation)
    { mutation = new }
    return mutation
  }
}

extension Outbox.State {
  /// Applies what is stored, when it is first read or was changed by another process.
  ///
  /// - Returns: the changes of what lists display; new and changed mutations are queued for that.
  mutating func apply(_ snapshot: OutboxSnapshot) -> OutboxDifference {
    let old = queue
    var new = snapshot.queue
    (new.isPaused, new.isRateLimited) = (old.isPaused, old.isRateLimited)
    if isInBackground { new.isSentElsewhere = true }
    // Unwritten changes follow the stored ones.
    writer.rewrite { new.reapply($0) }
    if snapshot.isSender { writer.add(snapshot.imported) }
    (queue, unfinished) = (new, nil)
    damagedBytes = snapshot.damagedBytes
    let difference = OutboxDifference(from: old, to: new, snapshot.answers)
    displays.add(.show(difference.added, in: lists))
    for mutation in difference.changed { displays.add(.renew(mutation)) }
    for id in difference.answered { noteAnswered(id) }
    return difference
  }
}
