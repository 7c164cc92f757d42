internal import FreshetLists
internal import struct Foundation.URLError

// Mutations are sent by one task each.
extension Outbox {
  /// Sends the mutations that are first in their lanes.
  func sendReady() {
    state.withLock { state in
      guard state.isLoaded else { return }
      for entry in state.queue.takeReady(atMost: sendsAtOnce) {
        state.lastAttempt += 1
        state.attempts[entry.mutation.id] = attempt(entry, number: state.lastAttempt)
        // The first attempt is recorded, so that a relaunch knows of it.
        if entry.attempts == 0 { state.writer.add([.begun(entry.mutation.id)]) }
      }
    }
    write()
  }

  /// The longest wait for another attempt, whatever a source asks for.
  private static var longestWait: Duration { .seconds(86_400) }

  private func attempt(_ entry: OutboxQueue.Entry, number: Int) -> AttemptTasks {
    let (mutation, sender, clock) = (entry.mutation, senders[entry.mutation.name], clock)
    let attempt = SendAttempt(
      idempotencyKey: mutation.idempotencyKey, number: entry.attempts)
    let sending = Task { @concurrent [weak self] in
      do {
        guard let sender, (try? sender.coding.edit(mutation)) != nil else {
          throw OutboxError.unreadable(name: mutation.name)
        }
        let answer = try await sender.coding.send(mutation, attempt)
        await self?.receive(answer, for: mutation, number)
      } catch {
        // The outbox is gone, or it no longer waits for this attempt.
        if Task.isCancelled { return }
        self?.receive(error, for: mutation, number)
      }
    }
    let limit = Task { @concurrent [weak self] in
      guard let sender, (try? await clock.sleep(for: sender.timeout)) != nil else { return }
      // The lane does not wait for a sender that ignores its cancellation.
      if self?.receive(URLError(.timedOut), for: mutation, number) == true {
        sending.cancel()
      }
    }
    return AttemptTasks(number: number, sending: sending, limit: limit)
  }

  private func receive(
    _ answer: MutationAnswer, for mutation: OutboxMutation, _ attempt: Int
  ) async {
    let isCurrent = state.withLock { state in
      guard state.end(attempt, of: mutation.id) else { return false }
      state.writer.beginAnswer()
      // The source can be reached again.
      for id in state.queue.endOutage() { state.cancelWait(of: id) }
      return true
    }
    guard isCurrent else { return }
    // The next one of the lane is sent once this one is confirmed on screen.
    for edit in takeDisplayed(mutation.id) { await edit.confirm(answer.item) }
    let renamed = finish(mutation, target: answer.target)
    state.withLock { $0.writer.endAnswer() }
    for other in renamed { displayAgain(other) }
    sendReady()
  }

  /// Removes a mutation that the source took, and gives others the id that the source returned.
  ///
  /// Types of the app replace the ids without the lock, until none of the mutations changes
  /// meanwhile.
  ///
  /// - Returns: the mutations with another id.
  private func finish(_ mutation: OutboxMutation, target: String?) -> [OutboxMutation] {
    var replaced: [OutboxMutation: OutboxMutation] = [:]
    while true {
      let missing = state.withLock { state -> [OutboxMutation] in
        let others =
          target == mutation.target.id || target == nil
          ? [] : state.queue.dependents(of: mutation)
        let missing = others.filter { replaced[$0] == nil }
        guard missing.isEmpty else { return missing }
        replaced = replaced.filter { others.contains($0.key) && $0.key != $0.value }
        state.finish(mutation, target: target, replacing: others.compactMap { replaced[$0] })
        return []
      }
      guard let target, !missing.isEmpty else { break }
      for other in missing {
        let coding = senders[other.name]?.coding
        replaced[other] =
          (try? coding?.replacing(mutation.target, with: target, in: other)) ?? other
      }
    }
    return replaced.values.sorted { $0.number < $1.number }
  }

  /// - Returns: whether the attempt ended with this error.
  @discardableResult
  private func receive(
    _ error: any Error, for mutation: OutboxMutation, _ attempt: Int
  ) -> Bool {
    let isCurrent = state.withLock { state in
      guard state.end(attempt, of: mutation.id) else { return false }
      if error.allowsAnotherAttempt {
        state.queue.fail(
          mutation.id, MutationFailure(error, isRetriedByItself: true), isFinal: false,
          hasToWait: error.askedWait > .zero)
        wait(for: mutation.id, after: error, &state)
      } else {
        let failure = MutationFailure(error)
        state.queue.fail(mutation.id, failure, isFinal: true)
        state.writer.add([.failed(mutation.id, failure)])
      }
      return true
    }
    if isCurrent { sendReady() }
    return isCurrent
  }

  /// Begins the wait for another attempt.
  private func wait(for id: String, after error: any Error, _ state: inout State) {
    let repetitions = max(0, (state.queue[id]?.attempts ?? 0) - 1)
    let asked = min(error.askedWait, Self.longestWait)
    let wait = min(asked + state.policy.wait(beforeRepetition: repetitions), Self.longestWait)
    if asked > .zero { limitRate(for: asked, &state) }
    let clock = clock
    state.waits[id] = Task { @concurrent [weak self] in
      guard (try? await clock.sleep(for: wait)) != nil else { return }
      self?.state.withLock { state in
        // It may have been cut short just now, and another one may have begun.
        if Task.isCancelled { return }
        state.waits[id] = nil
        state.queue.wake(id)
      }
      self?.sendReady()
    }
  }

  /// Sends nothing for the time that the source asked for, whatever the lane.
  private func limitRate(for time: Duration, _ state: inout State) {
    state.lastRateLimit += 1
    state.queue.isRateLimited = true
    let (clock, number) = (clock, state.lastRateLimit)
    state.rateLimits[number] = Task { @concurrent [weak self] in
      guard (try? await clock.sleep(for: time)) != nil else { return }
      self?.state.withLock { state in
        state.rateLimits[number] = nil
        state.queue.isRateLimited = !state.rateLimits.isEmpty
      }
      self?.sendReady()
    }
  }
}

extension Outbox.State {
  /// Removes a mutation that the source took, and stores others with the id that it returned.
  fileprivate mutating func finish(
    _ mutation: OutboxMutation, target: String?, replacing others: [OutboxMutation]
  ) {
    noteAnswered(mutation.id)
    queue.answer(mutation.id, target: target)
    if let target, mutation.isInsertion, target != mutation.target.id {
      writer.add([.renamed(mutation.target, to: target)])
    }
    for other in others { queue.move(other) }
    writer.add(others.map { .changed($0) } + [.removed(mutation.id, isAnswered: true)])
  }
}
