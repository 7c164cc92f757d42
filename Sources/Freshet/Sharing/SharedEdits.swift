internal import FreshetLists

/// The edits that are being sent, and the lists that show them besides those in which they began.
struct SharedEdits: Sendable {
  struct Edit: Sendable {
    let id: RowID
    let edit: OptimisticEdit
    var members: Set<SharedItems.Member>
  }

  private var edits: [Int: Edit] = [:]
  private var tokens: [RowID: [Int]] = [:]

  mutating func add(
    _ edit: OptimisticEdit, of id: RowID, token: Int, in members: [SharedItems.Member]
  ) {
    edits[token] = Edit(id: id, edit: edit, members: Set(members))
    tokens[id, default: []].append(token)
  }

  /// Returns the edits of an item that a list does not show yet, and notes that it does.
  mutating func offer(
    _ id: RowID, to member: SharedItems.Member
  ) -> [(edit: OptimisticEdit, token: Int)] {
    (tokens[id] ?? []).compactMap { token in
      guard edits[token]?.members.insert(member).inserted == true else { return nil }
      return edits[token].map { ($0.edit, token) }
    }
  }

  mutating func remove(_ token: Int) -> Edit? {
    guard let edit = edits.removeValue(forKey: token) else { return nil }
    tokens[edit.id]?.removeAll { $0 == token }
    if tokens[edit.id]?.isEmpty ?? false { tokens[edit.id] = nil }
    return edit
  }

  /// Removes a list that no longer exists.
  ///
  /// - Complexity: O(*n*) for *n* edits.
  mutating func leave(_ member: SharedItems.Member) {
    for token in edits.keys { edits[token]?.members.remove(member) }
  }
}

extension OptimisticEdit {
  /// The id of the item that the edit changes; `nil` if it inserts or moves one.
  var sharedID: RowID? {
    switch self {
    case .update(let id, _), .delete(let id): id
    case .insert, .move: nil
    }
  }
}
