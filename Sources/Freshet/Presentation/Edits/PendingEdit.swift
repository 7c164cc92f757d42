internal import FreshetLists
internal import struct Foundation.Date

extension PendingEdits {
  /// What an edit does to its item.
  enum Change: Sendable {
    case update(@Sendable (inout AnyItem) -> Void)
    case delete
    /// The item is this one, whatever it was.
    case put(AnyItem)
  }

  /// One edit of an item.
  struct Edit: Sendable {
    let token: Int
    var change: Change
    /// Whether it says where the item stands.
    var isPlaced = false
    /// Whether it makes an item that was not known before: answers and news that have the item are
    /// of its first version or a newer one.
    var makesItem = false
    /// The last request made before the edit.
    let since: Int
    /// The last request made before the source took the edit.
    var takenAfter: Int?
    /// Until when the source may still answer as if it had not.
    var takenUntil: Date?
    let cause: RowTrace.Cause
    /// Whether an event reported the item while the edit was in flight.
    ///
    /// Which of the two the source took first is unknown.
    var isOvertaken = false
  }

  /// How an item appears.
  struct EffectiveItem {
    /// The item; `nil` where it does not appear.
    var item: AnyItem?
    /// Whether an edit says where it stands, and not an answer.
    var isPlaced = false

    /// Whether it is shown where an edit put it, or where the answers have it.
    func isShown(placed: Bool) -> Bool { item != nil && isPlaced == placed }
  }
}

extension PendingEdits.Edit {
  /// Whether an item is being made by it.
  var isCreation: Bool { takenAfter == nil && isPlaced && cause == .edit }

  /// Whether what came in answer to a request has the edit in it.
  func isKnown(to request: Int?) -> Bool {
    guard let request else { return false }
    // An item that answers have is made, and they say where it stands.
    if makesItem, request > since { return true }
    return takenUntil == nil && takenAfter.map { request > $0 } ?? false
  }
}

extension PendingEdits.Change {
  var isDeletion: Bool { if case .delete = self { true } else { false } }

  /// What an item becomes; `nil` where it goes.
  func applied(to item: AnyItem?) -> AnyItem? {
    switch self {
    case .put(let item): return item
    case .delete: return nil
    case .update(let change):
      guard var item else { return nil }
      change(&item)
      return item
    }
  }
}
