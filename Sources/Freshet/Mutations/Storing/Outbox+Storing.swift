// Changes of an outbox, and the records that store them.
extension Outbox {
  /// Changes the state once it is loaded, and returns when the records are on the disk.
  ///
  /// - Parameter change: changes the state and returns the records.
  func change(_ change: (inout State) throws -> [OutboxRecord]) async throws {
    await loaded()
    try await withCheckedThrowingContinuation { waiter in
      do {
        try state.withLock { state in
          if state.isSignedOut { throw OutboxError.signedOut }
          let records = try change(&state)
          state.writer.add(records, waiter)
        }
        write()
      } catch {
        waiter.resume(throwing: error)
      }
    }
  }

  /// Returns once the file was read.
  func loaded() async {
    await withCheckedContinuation { caller in
      let isLoaded = state.withLock { state in
        if !state.isLoaded { state.loading.append(caller) }
        return state.isLoaded
      }
      if isLoaded { caller.resume() }
    }
  }

  /// Returns once these records, and all records before them, are on the disk.
  func written(_ records: [OutboxRecord] = []) async throws {
    try await withCheckedThrowingContinuation { waiter in
      state.withLock { $0.writer.add(records, waiter) }
      write()
    }
  }

  /// Writes the records that wait, in the order of the changes, unless that is being done.
  func write() {
    let isFirst = state.withLock { $0.isLoaded && $0.writer.begin() }
    publish()
    guard isFirst else { return }
    Task { @concurrent in
      while let batch = self.state.withLock({ $0.writer.take() }) {
        let opened = await self.state.withLock { $0.opening }.result
        let outcome: Result<Void, any Error>
        do {
          let file = try opened.get().file
          try file?.append(batch.records, isDurable: batch.isDurable) {
            self.state.withLock { $0.queue.records }
          }
          outcome = .success(())
        } catch {
          outcome = .failure(error)
        }
        if case .failure(let error) = outcome, (try? opened.get()) != nil {
          self.state.withLock { $0.failure = error as? OutboxError }
        } else if case .success = outcome {
          self.state.withLock { state in
            if !state.isSignedOut { state.failure = nil }
            for id in batch.stored { state.queue.noteStored(id) }
          }
        }
        for waiter in batch.waiters { waiter.resume(with: outcome) }
      }
      self.publish()
    }
  }
}

extension Outbox.State {
  /// Adds a mutation that was performed, and displays it.
  mutating func perform(
    _ mutation: OutboxMutation, _ waiter: OutboxWriter.Waiter,
    within limits: (count: Int, bytes: Int)
  ) throws {
    if isSignedOut { throw OutboxError.signedOut }
    if queue.count + early.count >= limits.count { throw OutboxError.full(limit: limits.count) }
    let size = mutation.json.utf8.count
    if queue.size + size > limits.bytes || 2 * size > OutboxRecord.limit {
      throw OutboxError.tooLarge(limit: min(limits.bytes, OutboxRecord.limit / 2))
    }
    if isLoaded { add(mutation, waiter) } else { early.append((mutation, waiter)) }
    displays.add(.show([mutation], in: lists))
  }

  mutating func add(_ mutation: OutboxMutation, _ waiter: OutboxWriter.Waiter) {
    queue.add(mutation)
    let numbered = queue[mutation.id]?.mutation ?? mutation
    writer.add([.added(numbered)], waiter)
  }

  /// Returns a mutation that can be changed.
  func entry(_ id: String) throws(OutboxError) -> OutboxQueue.Entry {
    if isSignedOut { throw .signedOut }
    guard let entry = queue[id] else { throw .noSuchMutation }
    if entry.progress == .sending || entry.progress == .storing { throw .sending }
    return entry
  }

  /// Ends the wait for another attempt.
  mutating func cancelWait(of id: String) {
    waits.removeValue(forKey: id)?.cancel()
  }

  /// Remembers that a mutation was answered, for edits that are being put on display.
  mutating func noteAnswered(_ id: String) {
    answered.append(id)
    if answered.count > 256 { answered.removeFirst() }
  }
}
