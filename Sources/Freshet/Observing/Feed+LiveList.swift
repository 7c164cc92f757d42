public import FreshetLists

extension Feed: LiveList {
  /// Where an item is shown.
  ///
  /// It waits for nothing: where the feed is at work, the rows that are shown are looked through.
  ///
  /// - Complexity: O(log *n*) while the feed is at rest, else O(*n*).
  public func path(of id: Item.ID) -> RowPath? { path(of: id, in: value) }

  /// The item with an id, where it is shown.
  ///
  /// It waits for nothing, as `path(of:)`.
  ///
  /// - Complexity: that of `path(of:)`.
  public func item(withID id: Item.ID) async -> Item? {
    let value = value
    return path(of: id, in: value).flatMap { value.list[$0].item }
  }

  /// Where an item stands in what was shown at a moment.
  func path(of id: Item.ID, in value: FeedValue<Item>) -> RowPath? {
    let known = mailbox.look { engine in
      (
        step: engine.machine.value.step,
        path: engine.machine.stages.path(of: id, in: engine.machine.timeline)
      )
    }
    return known?.step == value.step ? known?.path : value.list.path(of: .item(id))
  }
}

extension FeedValue: LiveValue {
  /// How the edges of the feed stand.
  public var loads: FeedState { state }

  /// The row itself.
  public static func row(_ row: FeedRow<Item>) -> FeedRow<Item> { row }
}

extension FeedUpdate {
  /// Creates the step of an observer that starts empty.
  public init(beginningWith value: FeedValue<Item>) {
    self.init(
      list: ListUpdate(showing: value.list, origin: value.origin), value: value,
      duplicatesDropped: 0)
  }
}
