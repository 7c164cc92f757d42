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
          state.writer.add(records) { waiter.resume(with: $0) }
        }
        write()
      } catch {
        waiter.resume(throwing: error)
      }
    }
  }

  /// Returns once the file was read, or could not be, and the attached lists show its mutations.
  ///
  /// Until then, `status` has only what was performed since the outbox was created.
  public func loaded() async {
    await withCheckedContinuation { caller in
      let isShown = state.withLock { state in
        if !state.isShown { state.loading.append(caller) }
        return state.isShown
      }
      if isShown { caller.resume() }
    }
  }

  /// Returns once all records are on the disk.
  func written() async throws {
    try await withCheckedThrowingContinuation { waiter in
      state.withLock { $0.writer.add([]) { waiter.resume(with: $0) } }
      write()
    }
  }

  /// Writes the records that wait, in the order of the changes, unless that is being done.
  func write() {
    cancelEnded()
    publish()
    work()
  }

  /// Performs the next steps with the files, unless that is being done.
  func work() {
    guard state.withLock({ $0.isLoaded && $0.writer.begin() }) else { return }
    Task { @concurrent in
      var isChanged = false
      while let step = self.state.withLock({ $0.writer.nextStep() }) {
        let opened = await self.state.withLock { $0.opening }.result
        switch step {
        case .poll:
          if self.poll(opened) { isChanged = true }
        case .store(let batch):
          self.store(batch, opened)
          isChanged = true
        case .release(let callers):
          // It may send again by now: the next poll decides.
          self.state.withLock { $0.stopSending() }
          self.cancelEnded()
          try? opened.get().file?.release()
          for caller in callers { caller.resume() }
        }
      }
      if isChanged { self.publish() }
    }
  }

  /// - Returns: whether something changed.
  private func poll(_ opened: Result<OutboxFile.Opened, any Error>) -> Bool {
    guard let file = try? opened.get().file, !state.withLock({ $0.isSignedOut }) else {
      return false
    }
    var isChanged = false
    var failure: OutboxError?
    do { isChanged = try poll(file) } catch { failure = error as? OutboxError }
    return state.withLock { [failure] state in
      guard failure != state.pollFailure, !state.isSignedOut else { return isChanged }
      if failure != nil || state.failure == state.pollFailure { state.failure = failure }
      state.pollFailure = failure
      return true
    }
  }

  private func store(_ batch: OutboxWriter.Batch, _ opened: Result<OutboxFile.Opened, any Error>) {
    let imported = batch.imported
    var isImported = true
    let outcome = Result {
      let file = try opened.get().file
      try file?.append(batch.records + imported.records, isDurable: batch.isDurable) {
        state.withLock { $0.stored }
      }
      // A delivery that stays would be imported again after its mutations were answered.
      if !imported.isEmpty { isImported = file?.remove(imported.names) ?? true }
    }
    state.withLock { state in
      switch outcome {
      case .success:
        if !state.isSignedOut { state.failure = state.pollFailure }
        state.hasUnwritten = false
        for id in imported.held.union(batch.stored) {
          state.queue.noteStored(id, isHeld: !isImported && imported.held.contains(id))
        }
        if !isImported {
          state.failure = .notStored(reason: "the deliveries of other processes cannot be removed")
          state.unfinished = OutboxQueue.Import(held: imported.held, names: imported.names)
        }
      case .failure(let error):
        if (try? opened.get()) != nil {
          state.failure = error as? OutboxError
          state.hasUnwritten = true
        }
        if !imported.isEmpty { state.unfinished = imported }
      }
    }
    for waiter in batch.waiters { waiter(outcome) }
    if !imported.isEmpty { sendReady() }
  }
}

extension Outbox.State {
  /// The records that store everything, and the last answers: another process may not have seen
  /// their records.
  var stored: [OutboxRecord] {
    queue.records + answered.suffix(100).map { .removed($0, isAnswered: true) }
  }

  /// Adds a mutation that was performed, and displays it.
  mutating func perform(
    _ mutation: OutboxMutation, within limits: (count: Int, bytes: Int),
    _ waiter: @escaping OutboxWriter.Waiter
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

  mutating func add(_ mutation: OutboxMutation, _ waiter: @escaping OutboxWriter.Waiter) {
    writer.add([.added(queue.add(mutation))], waiter)
  }

  /// Returns a mutation that can be changed.
  func entry(_ id: String) throws(OutboxError) -> OutboxQueue.Entry {
    if isSignedOut { throw .signedOut }
    guard let entry = queue[id] else { throw .noSuchMutation }
    if case .failed = entry.progress { return entry }
    if queue.isSentElsewhere { throw .sentElsewhere }
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
