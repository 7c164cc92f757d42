internal import FreshetLists

extension FeedController {
  // MARK: - Editing by hand

  // An index means what is on display; the engine, which may know more already, is told ids. What
  // is edited is on display on return, unless the feed is at work: then it is as soon as that is
  // done.

  /// Puts an item where it stands at `index` of `items` afterwards; one with its id moves there.
  ///
  /// - Precondition: `index` is in `0...items.count`.
  /// - Complexity: O(log *n*) for one that is not there, else O(*n*): `move(_:after:)` looks for
  ///   none.
  public func insert(_ item: Item, at index: Int) {
    let isThere = path(of: item.id) != nil
    let old = isThere ? items.firstIndex { $0.id == item.id } : nil
    let other = self.item(
      above: old == nil ? index : Swift.min(index, items.count - 1), without: old)
    now { $0.insert(item, after: other) }
  }

  /// Takes the item at `index` of `items` out of the list.
  ///
  /// - Precondition: `index` is in `0..<items.count`.
  public func remove(at index: Int) {
    let id = items[index].id
    now { $0.remove(id) }
  }

  /// Moves the item at `index` of `items` so that it stands at index `target` afterwards.
  ///
  /// - Precondition: both are in `0..<items.count`.
  public func move(from index: Int, to target: Int) {
    let id = items[index].id
    let other = item(above: target, without: index)
    now { $0.move(id, after: other) }
  }

  /// Moves an item behind another, or to the head where `other` is `nil` or no longer in the list.
  public func move(_ id: Item.ID, after other: Item.ID?) { now { $0.move(id, after: other) } }

  /// The item that stands above an index once another item is taken out.
  private func item(above index: Int, without other: Int?) -> Item.ID? {
    guard index > 0 else { return nil }
    return items[other.map { $0 < index } == true ? index : index - 1].id
  }

  // MARK: - Edits that the source is told of

  /// Changes an item on screen at once, tells the source, and undoes the change if that fails.
  ///
  /// See `Feed.update(_:optimistically:commit:)`.
  ///
  /// - Throws: what `commit` threw; the change is undone by then.
  @discardableResult
  public func update<Answer: Sendable>(
    _ id: Item.ID, optimistically change: @escaping @Sendable (inout Item) -> Void,
    commit: () async throws -> Answer
  ) async throws -> Answer {
    defer { catchUp() }
    return try await feed.update(id, optimistically: change) {
      catchUp()
      return try await commit()
    }
  }

  /// Shows a new item at once, tells the source, and takes it out again if that fails.
  ///
  /// See `Feed.insert(_:after:commit:)`.
  ///
  /// - Throws: what `commit` threw; the item is gone by then.
  @discardableResult
  public func insert(
    _ item: Item, after other: Item.ID? = nil, commit: () async throws -> Item
  ) async throws -> Item {
    defer { catchUp() }
    return try await feed.insert(item, after: other) {
      catchUp()
      return try await commit()
    }
  }

  /// Takes an item out at once, tells the source, and puts it back if that fails.
  ///
  /// See `Feed.remove(_:commit:)`.
  ///
  /// - Throws: what `commit` threw; the item is back by then.
  public func remove(_ id: Item.ID, commit: () async throws -> Void) async throws {
    defer { catchUp() }
    try await feed.remove(id) {
      catchUp()
      try await commit()
    }
  }

  /// Takes in what the source says by itself, after a refresh, for as long as it says something.
  ///
  /// See `Feed.follow(_:)`.
  ///
  /// - Throws: `FeedError` where the refresh fails, or what `events` threw.
  public func follow<Events: AsyncSequence>(_ events: Events) async throws
  where Events.Element == FeedEvent<Item> {
    try await feed.follow(events)
  }
}
