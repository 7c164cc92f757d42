extension EditableList {
  /// Shows a mutation in this list and in the others of an outbox, stores it, and sends it.
  ///
  /// The list is attached to the outbox if it is not yet. An insertion is shown in lists that are
  /// attached under the same name only.
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
    try await perform(mutation, outbox, as: name) {}
  }

  /// - Parameter shown: called as soon as the edit is on display in the lists that are idle.
  func perform<Performed: Mutation>(
    _ mutation: Performed, _ outbox: Outbox, as name: String?, shown: () -> Void
  ) async throws -> PerformedMutation where Performed.Item == Item {
    outbox.attach(self, as: name)
    let name = outbox.insertionName(for: self, named: name)
    return try await outbox.perform(mutation, inListNamed: name, shown: shown)
  }
}
