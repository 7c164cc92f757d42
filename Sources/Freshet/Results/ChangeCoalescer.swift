internal import FreshetLists

/// What a query was told and has not passed on, and when it does: a value, without a clock.
///
/// The first change after a quiet time is passed on at once and opens a window, in which later ones
/// gather. They are passed on together when it ends, and the next one opens with them.
struct ChangeCoalescer<Item: ListItem>: Sendable {
  /// What is passed on now.
  struct Delivery: Sendable {
    let changes: ChangeBatch<Item>
    let status: QueryStatus
    /// Whether a window opens with it: whoever passes it on says when that has ended.
    let opensWindow: Bool
  }

  /// How many changes may wait.
  private static var limit: Int { 4096 }

  private(set) var status = QueryStatus()
  /// Whether changes are passed on as they come.
  var isImmediate = false
  private var changes = ChangeBatch<Item>()
  private var isStatusNew = false
  private var isWindowOpen = false
  /// The revision of another query's status that was followed last.
  private var followed = 0

  /// Items came, changed or went.
  mutating func add(_ change: (inout ChangeBatch<Item>) -> Void) -> Delivery? {
    change(&changes)
    guard isImmediate || !isWindowOpen || changes.atMost >= Self.limit else { return nil }
    return deliver()
  }

  /// The query stands otherwise; what came before is passed on with that.
  mutating func change(_ change: (inout QueryStatus) -> Void) -> Delivery? {
    change(&status)
    status.revision += 1
    isStatusNew = true
    return deliver()
  }

  /// The query stands as another one does; what that one said before is not said again.
  mutating func follow(_ other: QueryStatus) -> Delivery? {
    guard other.revision != followed else { return nil }
    followed = other.revision
    return change { status in
      let revision = status.revision
      status = other
      status.revision = revision
    }
  }

  /// The window has ended: quiet, unless something came in it.
  mutating func windowEnded() -> Delivery? {
    isWindowOpen = false
    return deliver()
  }

  /// What there is, now.
  mutating func deliver() -> Delivery? {
    guard !changes.isEmpty || isStatusNew else { return nil }
    let opensWindow = !changes.isEmpty && !isWindowOpen && !isImmediate
    isWindowOpen = isWindowOpen || opensWindow
    isStatusNew = false
    defer { changes = ChangeBatch() }
    return Delivery(changes: changes, status: status, opensWindow: opensWindow)
  }
}
