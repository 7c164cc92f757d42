internal import FreshetLists
internal import struct Foundation.Date

extension PendingEdits {
  /// The change that an edit makes to its item.
  enum Change: Sendable {
    case update(@Sendable (inout AnyItem) -> Void)
    case delete
    /// The item is replaced with this one, whatever it was.
    case put(AnyItem)
    /// The item is moved, and has these contents once the source returned them.
    case move(as: AnyItem?)
  }

  /// One edit of an item.
  struct Edit: Sendable {
    let token: Int
    var change: Change
    /// Whether the edit determines the position of the item.
    var isPlaced = false
    /// Whether the edit creates an item that was not known before.
    ///
    /// Answers and events that include the item have its first version or a newer one.
    var makesItem = false
    /// The last request made before the edit.
    let since: Int
    /// The last request made before the source confirmed the edit.
    var takenAfter: Int?
    /// The time until which the source may still answer as if it had not confirmed the edit.
    var takenUntil: Date?
    let cause: RowTrace.Cause
    /// Whether an event reported the item while the edit was in flight.
    ///
    /// It is not known which of the two the source processed first.
    var isOvertaken = false
  }

  /// The item as it appears with its edits.
  struct EffectiveItem {
    /// The item; `nil` if it does not appear.
    var item: AnyItem?
    /// Whether an edit determines its position, and not an answer.
    var isPlaced = false

    /// Returns whether the item is shown where an edit (`placed`) or an answer put it.
    func isShown(placed: Bool) -> Bool { item != nil && isPlaced == placed }
  }
}

extension PendingEdits.Edit {
  /// Whether the edit creates an item, and the source has not confirmed it yet.
  var isCreation: Bool { takenAfter == nil && isPlaced && cause == .edit && !change.isMove }

  /// Returns whether the answer to a request already includes the edit.
  func isKnown(to request: Int?) -> Bool {
    guard let request else { return false }
    // An item that answers include has been created, and the answers determine its position.
    if makesItem, request > since { return true }
    return takenUntil == nil && takenAfter.map { request > $0 } ?? false
  }
}

extension PendingEdits.Change {
  var isDeletion: Bool { if case .delete = self { true } else { false } }
  var isMove: Bool { if case .move = self { true } else { false } }

  /// Returns the item after the change; `nil` if there is none then.
  func applied(to item: AnyItem?) -> AnyItem? {
    switch self {
    case .put(let item): return item
    case .delete: return nil
    case .move(let moved): return item == nil ? nil : moved ?? item
    case .update(let change):
      guard var item else { return nil }
      change(&item)
      return item
    }
  }
}
