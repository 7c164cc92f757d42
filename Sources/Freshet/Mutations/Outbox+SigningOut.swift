/// What becomes of the mutations of an account that signs out.
public enum SignOutPolicy: Sendable {
  /// They stay in the file, and are sent once the same account has signed in again.
  case keep
  /// They are undone, and the file is removed.
  case discard
}

// The end of an outbox whose account signs out.
extension Outbox {
  /// Stops sending for good, and takes all edits off the screen.
  ///
  /// An attempt that is under way is cancelled, and its answer is ignored. The source may have
  /// received that mutation all the same: if it is kept, it is sent again with the same key; if it
  /// is discarded, only its edit is undone. On return, another outbox can open the file. From the
  /// call on, every other call throws `OutboxError.signedOut`, and nothing more is sent.
  ///
  /// ```swift
  /// try await outbox.signOut(.keep)
  /// ```
  ///
  /// - Parameter policy: whether the mutations are kept for this account, or discarded.
  /// - Throws: `OutboxError.notStored` if the file cannot be removed: call it again then.
  ///   `OutboxError.signedOut` if that was done before. `OutboxError.sentElsewhere` if the
  ///   mutations are to be discarded and another process sends them; nothing has changed then.
  public func signOut(_ policy: SignOutPolicy) async throws {
    await loaded()
    try state.withLock { state in
      if state.isClosed { throw OutboxError.signedOut }
      if policy == .discard, state.isInBackground || state.queue.isSentElsewhere {
        throw OutboxError.sentElsewhere
      }
      state.isSignedOut = true
      state.failure = .signedOut
      state.queue.isPaused = true
      state.cancelSending()
    }
    // Callers of `perform` still wait for what is being written.
    try? await written()
    let edits = state.withLock { state in
      defer { state.displayed = [:] }
      return state.displayed.values.flatMap(\.self)
    }
    for edit in edits { await edit.undo() }
    let opened = try? await state.withLock { $0.opening }.value
    try opened?.file?.close(removing: policy == .discard)
    // Until then, the file may be rewritten from it.
    state.withLock { state in
      state.queue = OutboxQueue()
      state.queue.isPaused = true
      state.isClosed = true
    }
    publish()
  }
}
