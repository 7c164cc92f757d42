// Mutations that name an item which an earlier one creates, in whatever lane.
extension OutboxQueue {
  /// The number of items that are remembered after they got other ids, or were discarded.
  private static var rememberedLimit: Int { 1_000 }

  /// Returns an item that a mutation names by a temporary id, and the id that the source gave it.
  func renaming(of mutation: OutboxMutation) -> (target: MutationTarget, id: String)? {
    for name in mutation.names {
      // An insertion may use an id again.
      let isOwn = mutation.isInsertion && name == mutation.target
      if isOwn || isCreated(name, before: .max) { continue }
      if let renaming = renamed.last(where: { $0.target == name }) { return renaming }
    }
    return nil
  }

  /// Returns whether the source gave an item another id.
  func isRenamed(_ target: MutationTarget) -> Bool {
    renamed.contains { $0.target == target }
  }

  /// Returns whether the source gave no other item an id since a queue was copied from this one.
  func hasRenamed(asIn earlier: OutboxQueue) -> Bool {
    renamed.elementsEqual(earlier.renamed, by: ==)
  }

  /// Returns whether a mutation names an item whose creation the user discarded.
  func namesDiscarded(_ mutation: OutboxMutation) -> Bool {
    if discarded.isEmpty { return false }
    return mutation.names.contains { name in
      let isOwn = mutation.isInsertion && name == mutation.target
      return !isOwn && discarded.contains(name) && !isCreated(name, before: .max)
    }
  }

  /// Notes that the user discarded the creation of an item, which other processes may name.
  mutating func noteDiscarded(_ target: MutationTarget) {
    // The id is used again.
    if isCreated(target, before: .max) || discarded.contains(target) { return }
    discarded.append(target)
    if discarded.count > Self.rememberedLimit { discarded.removeFirst() }
  }

  /// Notes that the source gave an item another id.
  mutating func rename(_ target: MutationTarget, to id: String) {
    renamed.removeAll { $0.target == target }
    renamed.append((target, id))
    if renamed.count > Self.rememberedLimit { renamed.removeFirst() }
  }

  /// Returns whether a mutation names an item that an earlier one has yet to create.
  ///
  /// - Complexity: O(*k*) for *k* mutations that name the same items.
  func awaitsCreation(_ mutation: OutboxMutation) -> Bool {
    mutation.names.contains { isCreated($0, before: mutation.number) }
  }

  private func isCreated(_ target: MutationTarget, before number: UInt64) -> Bool {
    (named[target] ?? []).contains { key in
      guard let other = self[key]?.mutation else { return false }
      return other.isInsertion && other.target == target && other.number < number
    }
  }

  /// Returns the later mutations that name the item which a mutation inserts, in their order.
  ///
  /// - Complexity: O(*k* log *k*) for *k* of them.
  func dependents(of mutation: OutboxMutation) -> [OutboxMutation] {
    guard mutation.isInsertion else { return [] }
    let later = (named[mutation.target] ?? []).compactMap { self[$0]?.mutation }
      .filter { $0.number > mutation.number }
      .sorted { $0.number < $1.number }
    // An insertion that uses the id again begins another item.
    return Array(later.prefix { !$0.isInsertion || $0.target != mutation.target })
  }

  /// Returns the dependents of a mutation, those of the items that they insert, and so on.
  func allDependents(of mutation: OutboxMutation) -> [OutboxMutation] {
    var found: [String: OutboxMutation] = [:]
    var rest = dependents(of: mutation)
    while let next = rest.popLast() {
      if found.updateValue(next, forKey: next.id) == nil { rest += dependents(of: next) }
    }
    return found.values.sorted { $0.number < $1.number }
  }
}
