public import FreshetLists

extension Feed: LiveList {
  /// Where an item is shown.
  ///
  /// It waits for nothing: where the feed is at work, the rows that are shown are looked through.
  ///
  /// - Complexity: O(log *n* + sections) while the feed is at rest, else O(*n*).
  public func path(of id: Item.ID) -> RowPath? { place(of: id)?.path }

  /// The item with an id, where it is shown.
  ///
  /// It waits for nothing, as `path(of:)`.
  ///
  /// - Complexity: that of `path(of:)`.
  public func item(withID id: Item.ID) async -> Item? {
    place(of: id).flatMap { $0.list[$0.path].item }
  }

  /// Where an item is shown, and the list in which it is.
  private func place(of id: Item.ID) -> (list: ListSnapshot<FeedRow<Item>>, path: RowPath)? {
    let shown = value
    let known = mailbox.look { engine in
      (
        step: engine.machine.value.step,
        path: engine.machine.stages.path(of: id, in: engine.machine.timeline)
      )
    }
    let path = known?.step == shown.step ? known?.path : shown.list.path(of: .item(id))
    return path.map { (shown.list, $0) }
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
