public import FreshetLists

/// Who is told of each step of a list on the main actor, right when the list shows it.
///
/// What is told and what the list shows are never apart: between two turns of the main actor, all
/// who follow have heard of all that is on display. A step comes in its order; what a follower does
/// that leads to another step is told once all have heard of this one.
@MainActor
public final class ObserverRegistry<Item: ListItem> {
  private struct Follower {
    weak var owner: AnyObject?
    /// How many steps there were before: what it saw when it began.
    let first: Int
    let tell: (ListValue<Item>, ListUpdate<Item>?) -> Void
  }

  private var followers: [Follower] = []
  private var untold: [(number: Int, value: ListValue<Item>, update: ListUpdate<Item>?)] = []
  private var steps = 0
  private var isTelling = false

  /// Nobody follows yet.
  init() {}

  /// Tells somebody of each step from now on, as long as they are there.
  ///
  /// - Parameters:
  ///   - owner: who follows; not kept alive.
  ///   - body: is told the owner, all that the list shows, and the update that led to it: `nil`
  ///     where nothing but load states changed.
  public func add<Owner: AnyObject>(
    _ owner: Owner, _ body: @escaping (Owner, ListValue<Item>, ListUpdate<Item>?) -> Void
  ) {
    followers.removeAll { $0.owner == nil }
    followers.append(
      Follower(owner: owner, first: steps) { [weak owner] value, update in
        if let owner { body(owner, value, update) }
      })
  }

  /// Tells of a step.
  func tell(_ value: ListValue<Item>, _ update: ListUpdate<Item>?) {
    untold.append((steps, value, update))
    steps += 1
    guard !isTelling else { return }
    isTelling = true
    defer { isTelling = false }
    while !untold.isEmpty {
      let step = untold.removeFirst()
      for follower in followers where follower.first <= step.number {
        follower.tell(step.value, step.update)
      }
    }
  }
}
