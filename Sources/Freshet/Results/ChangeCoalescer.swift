internal import FreshetLists

/// A value without a clock that collects the changes of a query and decides when to deliver them.
///
/// The first change after a quiet time is delivered at once and opens a window. Later changes are
/// collected in the window and delivered together when it ends, which opens the next window.
struct ChangeCoalescer<Item: ListItem>: Sendable {
  /// The changes to deliver now.
  struct Delivery: Sendable {
    let changes: ChangeBatch<Item>
    let status: QueryStatus
    /// Whether a window opens with it; the caller reports its end by `windowEnded()`.
    let opensWindow: Bool
  }

  /// The number of changes that may be pending.
  private static var limit: Int { 4096 }

  private(set) var status = QueryStatus()
  /// Whether each change is delivered at once.
  var isImmediate = false
  private var changes = ChangeBatch<Item>()
  private var isStatusNew = false
  private var isWindowOpen = false
  /// The revision of the other query's status that was adopted last.
  private var followed = 0

  /// Adds items that were inserted, updated or deleted.
  mutating func add(_ change: (inout ChangeBatch<Item>) -> Void) -> Delivery? {
    change(&changes)
    guard isImmediate || !isWindowOpen || changes.atMost >= Self.limit else { return nil }
    return deliver()
  }

  /// Changes the status of the query, and delivers it together with the changes before it.
  mutating func change(_ change: (inout QueryStatus) -> Void) -> Delivery? {
    change(&status)
    status.revision += 1
    isStatusNew = true
    return deliver()
  }

  /// Adopts the status of another query; a revision that was adopted is not delivered again.
  mutating func follow(_ other: QueryStatus) -> Delivery? {
    guard other.revision != followed else { return nil }
    followed = other.revision
    return change { status in
      let revision = status.revision
      status = other
      status.revision = revision
    }
  }

  /// Ends the window, and delivers the changes in it.
  mutating func windowEnded() -> Delivery? {
    isWindowOpen = false
    return deliver()
  }

  /// Delivers the pending changes.
  mutating func deliver() -> Delivery? {
    guard !changes.isEmpty || isStatusNew else { return nil }
    let opensWindow = !changes.isEmpty && !isWindowOpen && !isImmediate
    isWindowOpen = isWindowOpen || opensWindow
    isStatusNew = false
    defer { changes = ChangeBatch() }
    return Delivery(changes: changes, status: status, opensWindow: opensWindow)
  }
}
