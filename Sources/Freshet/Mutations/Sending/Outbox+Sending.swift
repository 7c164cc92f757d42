internal import FreshetLists
internal import struct Foundation.URLError

// Mutations are sent by one task each.
extension Outbox {
  /// Sends the mutations that are first in their lanes.
  func sendReady() {
    state.withLock { state in
      guard state.isLoaded else { return }
      for entry in state.queue.takeReady(atMost: sendsAtOnce) {
        state.tasks[entry.mutation.id] = task(sending: entry)
        // The first attempt is recorded, so that a relaunch knows of it.
        if entry.attempts == 0 { state.writer.add([.begun(entry.mutation.id)]) }
      }
    }
    write()
  }

  /// The longest wait for another attempt, whatever a source asks for.
  private static var longestWait: Duration { .seconds(86_400) }

  private func task(sending entry: OutboxQueue.Entry) -> Task<Void, Never> {
    let (mutation, sender) = (entry.mutation, senders[entry.mutation.name])
    let attempt = SendAttempt(
      idempotencyKey: mutation.idempotencyKey, number: entry.attempts)
    return Task { @concurrent [weak self] in
      do {
        guard let sender, (try? sender.coding.edit(mutation)) != nil else {
          throw OutboxError.unreadable(name: mutation.name)
        }
        let answer = try await sender.coding.send(mutation, attempt)
        await self?.receive(answer, for: mutation)
      } catch {
        // The owner of the outbox is gone: it is sent again by the next one.
        if Task.isCancelled { return }
        self?.receive(error, for: mutation, attempt.number)
      }
    }
  }

  private func receive(_ answer: MutationAnswer, for mutation: OutboxMutation) async {
    // The next one of the lane is sent once this one is confirmed on screen.
    for edit in takeDisplayed(mutation.id) { await edit.confirm(answer.item) }
    let renamed = state.withLock { state -> [OutboxMutation] in
      state.tasks[mutation.id] = nil
      state.noteAnswered(mutation.id)
      let others = state.queue.answer(mutation.id, target: answer.target)
      if let target = answer.target, mutation.isInsertion, target != mutation.target.id {
        state.writer.add([.renamed(mutation.target, to: target)])
      }
      // The source's id takes the place of the temporary one in the other mutations.
      let renamed = others.compactMap { other in
        answer.target.flatMap { try? senders[other.name]?.coding.retargeted(other, to: $0) }
      }
      for other in renamed { state.queue.move(other) }
      state.writer.add(renamed.map { .changed($0) } + [.removed(mutation.id)])
      return renamed
    }
    for other in renamed { displayAgain(other) }
    sendReady()
  }

  private func receive(_ error: any Error, for mutation: OutboxMutation, _ attempt: Int) {
    let feedError = error as? FeedError ?? .source(error)
    let isCancelled = error is CancellationError || (error as? URLError)?.code == .cancelled
    let clock = clock
    state.withLock { state in
      guard feedError.isTransient || isCancelled else {
        let failure = MutationFailure(error)
        state.tasks[mutation.id] = nil
        state.queue.fail(mutation.id, failure, isFinal: true)
        return state.writer.add([.failed(mutation.id, failure)])
      }
      state.queue.fail(
        mutation.id, MutationFailure(error, isRetriedByItself: true), isFinal: false)
      let wait =
        state.policy.wait(after: feedError, attempt: attempt)
        ?? min(max(state.policy.limit, feedError.retryAfter ?? .zero), Self.longestWait)
      state.tasks[mutation.id] = Task { @concurrent [weak self] in
        guard (try? await clock.sleep(for: wait)) != nil else { return }
        self?.state.withLock { $0.queue.wake(mutation.id) }
        self?.sendReady()
      }
    }
    sendReady()
  }
}
