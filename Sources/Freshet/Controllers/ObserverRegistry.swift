public import FreshetLists

/// The observers that are notified of each step of a list on the main actor.
///
/// They are notified in the turn in which the list shows the step.
///
/// After a turn of the main actor, every observer has been notified of everything on display.
/// Steps are delivered in order: a step that an observer causes is delivered after all observers
/// were notified of the one before.
@MainActor
public final class ObserverRegistry<Item: ListItem> {
  private struct Observer {
    weak var owner: AnyObject?
    /// The number of the first step that it is notified of.
    let first: Int
    let notify: (ListValue<Item>, ListUpdate<Item>?) -> Void
  }

  private var observers: [Observer] = []
  private var undelivered: [(number: Int, value: ListValue<Item>, update: ListUpdate<Item>?)] = []
  private var steps = 0
  private var isNotifying = false

  /// Creates a registry without an observer.
  init() {}

  /// Notifies an observer of each step from now on, for as long as it exists.
  ///
  /// - Parameters:
  ///   - owner: the observer; not kept alive.
  ///   - body: called with the observer, the value on display, and the update that led to it. The
  ///     update is `nil` if only load states changed.
  public func add<Owner: AnyObject>(
    _ owner: Owner, _ body: @escaping (Owner, ListValue<Item>, ListUpdate<Item>?) -> Void
  ) {
    observers.removeAll { $0.owner == nil }
    observers.append(
      Observer(owner: owner, first: steps) { [weak owner] value, update in
        if let owner { body(owner, value, update) }
      })
  }

  /// Notifies all observers of a step.
  func notify(_ value: ListValue<Item>, _ update: ListUpdate<Item>?) {
    undelivered.append((steps, value, update))
    steps += 1
    guard !isNotifying else { return }
    isNotifying = true
    defer { isNotifying = false }
    while !undelivered.isEmpty {
      let step = undelivered.removeFirst()
      for observer in observers where observer.first <= step.number {
        observer.notify(step.value, step.update)
      }
    }
  }
}
