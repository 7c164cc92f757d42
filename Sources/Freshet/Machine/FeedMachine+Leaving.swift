internal import FreshetLists

extension FeedMachine {
  /// Nobody looks any more: what is loaded for nobody who waits ends.
  mutating func leave() -> [Effect] {
    restoring?.deferred.removeAll { $0.waiter == nil }
    for index in loads.indices { loads[index].isUnattended = false }
    let ended = loads.filter(\.waiters.isEmpty)
    guard !ended.isEmpty else { return publish() }
    loads.removeAll(where: \.waiters.isEmpty)
    let settled = settle(at: now)
    return ended.map { .cancel($0.ticket.load) } + settled + publish() + readAnswers()
  }
}
