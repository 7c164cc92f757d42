internal import FreshetLists

/// A feed of a family that a list observes, step by step.
struct FeedSubscription<Query: Hashable & Codable & Sendable, Item: ListItem>: Sendable {
  let held: FamilyMembers<Query, Item>.Held
  private let observer: ListObserver<Item>
  /// The value after the steps taken so far.
  private(set) var value: ListValue<Item>

  /// - Parameter wake: is called when there is something new.
  init(_ held: FamilyMembers<Query, Item>.Held, wake: @escaping @Sendable () -> Void) {
    self.held = held
    observer = ListObserver(held.feed.publisher, wake: wake)
    value = observer.first
  }

  /// Takes the pending updates.
  mutating func advance() -> [ListUpdate<Item>] {
    var updates: [ListUpdate<Item>] = []
    while let update = observer.next() {
      updates.append(update)
      value = update.value
    }
    if let newest = observer.newest { value = newest }
    return updates
  }

  /// Whether there is something to show: rows, or an answer without rows.
  var hasArrived: Bool { value.rows.count > 0 || value.refreshedAt != nil }

  /// Whether the feed has another observer.
  var isShared: Bool { held.feed.publisher.observers > 1 }
}

extension ListUpdate {
  /// Returns the step with another value after it.
  func with(_ value: ListValue<Item>) -> ListUpdate {
    ListUpdate(step: step, value: value, duplicatesDropped: duplicatesDropped)
  }
}
