// An outbox that several processes have open: one of them sends, and the others deliver to it.
extension Outbox {
  /// Lets another process send: this one holds no lock on return.
  ///
  /// Call it when the app enters the background, if the outbox is shared. Requests under way are
  /// cancelled, and sent again with the same key. Until `enterForeground()`, `perform(_:)` still
  /// stores mutations. An outbox that is not shared does not change.
  public func enterBackground() async {
    guard storage.isShared else { return }
    state.withLock { state in
      state.isInBackground = true
      state.polling?.cancel()
    }
    await loaded()
    await withCheckedContinuation { done in
      let isOver = state.withLock { state in
        // It is in the foreground again, or signs out.
        if !state.isInBackground || state.isSignedOut { return true }
        state.stopSending()
        state.writer.release(done)
        return false
      }
      if isOver { done.resume() }
      write()
    }
  }

  /// Sends again, unless another process does: the opposite of `enterBackground()`.
  public func enterForeground() {
    guard storage.isShared else { return }
    state.withLock { $0.isInBackground = false }
    poll()
    beginPolling()
  }

  /// Looks for changes of other processes, from time to time.
  func beginPolling() {
    guard storage.isShared else { return }
    state.withLock { state in
      state.polling?.cancel()
      guard !state.isInBackground, !state.isSignedOut else { return }
      state.polling = Task { @concurrent [weak self, clock, pollInterval] in
        while (try? await clock.sleep(for: pollInterval)) != nil, let self { self.poll() }
      }
    }
  }

  /// Looks for changes of other processes, and sends from now on if none of them does.
  func poll() {
    state.withLock { state in
      state.writer.poll()
      // What could not be stored is stored as soon as possible, for the other processes, too.
      if state.hasUnwritten, !state.queue.isSentElsewhere { state.writer.add([]) { _ in } }
    }
    work()
  }

  /// Applies the changes of other processes.
  ///
  /// - Returns: whether there are any.
  func poll(_ file: OutboxFile) throws -> Bool {
    let (isSender, takesOver, isDone) = state.withLock { state in
      let isSender = !state.queue.isSentElsewhere
      // Records for the log are about to be stored. A poll would give up the lock, and no process
      // imports all kinds of them from a delivery.
      let isTooEarly = !isSender && (state.writer.isAnswering || state.writer.isReleasing)
      return (isSender, !state.isInBackground, isTooEarly || state.importAgain())
    }
    if isDone { return true }
    guard let update = try file.poll(isSender: isSender, takesOver: takesOver) else { return false }
    switch update {
    case .stored(let opened):
      let snapshot = snapshot(of: opened)
      guard let difference = state.withLock({ $0.isSignedOut ? nil : $0.apply(snapshot) }) else {
        file.release()
        return false
      }
      updateLists()
      end(difference.answered, isAnswered: true)
      end(difference.undone, isAnswered: false)
    case .delivered(let deliveries):
      let discarded = importDeliveries(deliveries)
      updateLists()
      end(discarded, isAnswered: false)
    }
    sendReady()
    return true
  }

  /// Ends the edits of mutations that are no longer there.
  private func end(_ ids: [String], isAnswered: Bool) {
    let edits = ids.flatMap { takeDisplayed($0) }
    guard !edits.isEmpty else { return }
    Task {
      for edit in edits { if isAnswered { await edit.confirm(nil) } else { await edit.undo() } }
    }
  }

  /// Imports what was delivered to this process, which sends.
  ///
  /// - Returns: the mutations that were discarded.
  private func importDeliveries(_ deliveries: [OutboxDelivery]) -> [String] {
    while true {
      let queue = state.withLock { $0.queue }
      let deliveries = renamed(deliveries, in: queue)
      let discarded = state.withLock { state -> [String]? in
        if state.isSignedOut { return [] }
        // The source may have given an item its id meanwhile.
        guard state.queue.hasRenamed(asIn: queue) else { return nil }
        let imported = state.queue.importDeliveries(deliveries)
        state.writer.add(imported)
        state.displays.add(.show(imported.added, in: state.lists))
        state.damagedBytes += deliveries.reduce(0) { $0 + $1.damaged }
        return imported.discarded
      }
      if let discarded { return discarded }
    }
  }
}

extension Outbox.State {
  /// Ends all attempts and waits, so that another process can send.
  mutating func stopSending() {
    cancelAttempts()
    queue.stopSending()
  }

  /// Writes once more what was imported and could not be stored, or whose deliveries are still
  /// there.
  ///
  /// - Returns: whether there is any.
  mutating func importAgain() -> Bool {
    guard let unfinished, !isSignedOut, !queue.isSentElsewhere else { return false }
    writer.add(unfinished)
    self.unfinished = nil
    return true
  }
}
