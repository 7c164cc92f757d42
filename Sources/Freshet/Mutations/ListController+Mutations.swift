extension ListController where List: EditableList {
  /// Shows a mutation in this list and in the others of an outbox, stores it, and sends it.
  ///
  /// It is shown in the same turn of the main actor, if the list is idle. The list is attached to
  /// the outbox if it is not yet. An insertion is shown in lists that are attached under the same
  /// name only.
  ///
  /// ```swift
  /// try await feed.perform(Like(target: post.id), outbox)
  /// ```
  ///
  /// - Parameters:
  ///   - mutation: the mutation.
  ///   - outbox: the outbox.
  ///   - name: the name under which the list is attached; see `Outbox.attach(_:as:)`.
  /// - Returns: see `Outbox.perform(_:)`.
  /// - Throws: see `Outbox.perform(_:)`; the edit is undone by then.
  @discardableResult
  public func perform<Performed: Mutation>(
    _ mutation: Performed, _ outbox: Outbox, as name: String? = nil
  ) async throws -> PerformedMutation where Performed.Item == Item {
    defer { catchUp() }
    return try await list.perform(mutation, outbox, as: name) { catchUp() }
  }
}
