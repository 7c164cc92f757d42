internal import FreshetLists

/// The changes that a query has not delivered, and when it delivers them: a value, without a clock.
///
/// The first change after a quiet time is delivered at once and opens a window, in which later ones
/// gather. They are delivered together when it ends, and the next one opens with them.
struct ChangeCoalescer<Item: ListItem>: Sendable {
  /// The changes to deliver now.
  struct Delivery: Sendable {
    let changes: ChangeBatch<Item>
    let status: QueryStatus
    /// Whether a window opens with it: the caller reports its end by `windowEnded()`.
    let opensWindow: Bool
  }

  /// The number of changes that may wait.
  private static var limit: Int { 4096 }

  private(set) var status = QueryStatus()
  /// Whether each change is delivered at once.
  var isImmediate = false
  private var changes = ChangeBatch<Item>()
  private var isStatusNew = false
  private var isWindowOpen = false
  /// The revision of another query's status that was followed last.
  private var followed = 0

  /// Items were inserted, updated or deleted.
  mutating func add(_ change: (inout ChangeBatch<Item>) -> Void) -> Delivery? {
    change(&changes)
    guard isImmediate || !isWindowOpen || changes.atMost >= Self.limit else { return nil }
    return deliver()
  }

  /// The status of the query changed: it is delivered with the changes before it.
  mutating func change(_ change: (inout QueryStatus) -> Void) -> Delivery? {
    change(&status)
    status.revision += 1
    isStatusNew = true
    return deliver()
  }

  /// The query has the status of another one; a revision that was followed is not delivered again.
  mutating func follow(_ other: QueryStatus) -> Delivery? {
    guard other.revision != followed else { return nil }
    followed = other.revision
    return change { status in
      let revision = status.revision
      status = other
      status.revision = revision
    }
  }

  /// The window ended: the changes in it are delivered.
  mutating func windowEnded() -> Delivery? {
    isWindowOpen = false
    return deliver()
  }

  /// Delivers what waits.
  mutating func deliver() -> Delivery? {
    guard !changes.isEmpty || isStatusNew else { return nil }
    let opensWindow = !changes.isEmpty && !isWindowOpen && !isImmediate
    isWindowOpen = isWindowOpen || opensWindow
    isStatusNew = false
    defer { changes = ChangeBatch() }
    return Delivery(changes: changes, status: status, opensWindow: opensWindow)
  }
}
