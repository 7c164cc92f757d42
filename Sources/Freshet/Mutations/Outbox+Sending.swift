internal import FreshetLists

// Mutations are sent by one task each.
extension Outbox {
  /// Sends the mutations that are first in their lanes.
  func sendReady() {
    let ready = state.withLock { state -> [OutboxQueue.Entry] in
      guard state.isLoaded else { return [] }
      let ready = state.queue.takeReady()
      for entry in ready { state.tasks[entry.mutation.key] = task(sending: entry) }
      return ready
    }
    publish()
    if ready.isEmpty { return }
    // After a crash, the record shows that they may have been sent. They are sent again anyway.
    let begun = ready.filter { $0.attempts == 0 }.map { OutboxRecord.begun($0.mutation.key) }
    if !begun.isEmpty { Task { [weak self] in try? await self?.store(begun, isDurable: false) } }
  }

  private func task(sending entry: OutboxQueue.Entry) -> Task<Void, Never> {
    let (mutation, sender) = (entry.mutation, senders[entry.mutation.name])
    let attempt = SendAttempt(idempotencyKey: mutation.key, number: entry.attempts)
    return Task { @concurrent [weak self] in
      do {
        guard let sender else { throw OutboxError.unreadable(name: mutation.name) }
        guard (try? sender.coding.edit(mutation)) != nil else {
          throw OutboxError.unreadable(name: mutation.name)
        }
        let answer = try await sender.coding.send(mutation, attempt)
        await self?.receive(answer, for: mutation)
      } catch {
        // The app, or the owner of the outbox, is gone: it is sent again with the next one.
        if Task.isCancelled { return }
        await self?.receive(error, for: mutation, attempt.number)
      }
    }
  }

  private func receive(_ answer: MutationAnswer, for mutation: StoredMutation) async {
    let renamed = state.withLock { state -> [StoredMutation] in
      state.tasks[mutation.key] = nil
      let others = state.queue.answer(mutation.key, target: answer.target)
      // The source's id takes the place of the temporary one in what waits.
      return others.compactMap { other in
        guard let target = answer.target,
          let renamed = try? senders[other.name]?.coding.retargeted(other, to: target)
        else { return nil }
        state.queue.move(renamed)
        return renamed
      }
    }
    try? await store(
      renamed.map { .changed($0) } + [.removed(mutation.key)], isDurable: !renamed.isEmpty)
    for edit in takeDisplayed(mutation.key) { await edit.confirm(answer.item) }
    sendReady()
  }

  private func receive(_ error: any Error, for mutation: StoredMutation, _ attempt: Int) async {
    let feedError = error as? FeedError ?? .source(error)
    guard feedError.isTransient else {
      let failure = MutationFailure(error)
      state.withLock { state in
        state.tasks[mutation.key] = nil
        state.queue.fail(mutation.key, failure, isFinal: true)
      }
      publish()
      try? await store([.failed(mutation.key, failure)], isDurable: false)
      return
    }
    let clock = clock
    state.withLock { state in
      state.queue.fail(
        mutation.key, MutationFailure(error, isRetriedByItself: true), isFinal: false)
      let wait =
        state.policy.wait(after: feedError, attempt: attempt)
        ?? max(state.policy.limit, feedError.retryAfter ?? .zero)
      state.tasks[mutation.key] = Task { @concurrent [weak self] in
        guard (try? await clock.sleep(for: wait)) != nil else { return }
        self?.state.withLock { $0.queue.retry(mutation.key) }
        self?.sendReady()
      }
    }
    publish()
  }
}
