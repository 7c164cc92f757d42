public import FreshetLists

// The feeds of families, which show mutations whenever they are created.
extension Outbox {
  /// Shows the mutations in all feeds of a family, those that exist and those that are created
  /// later.
  ///
  /// A `QueryFeed` attaches its family, as each of its queries is a feed of it. An insertion that
  /// was performed for a `QueryFeed` under a name is shown in the feed of the query that was on
  /// display, and in no other one.
  ///
  /// - Parameters:
  ///   - family: the family.
  ///   - name: a name of the family that stays the same; see `attach(_:as:)` for lists.
  public func attach<Query, Item: ListItem>(
    _ family: FeedFamily<Query, Item>, as name: String? = nil
  ) {
    family.observeFeeds(for: ObjectIdentifier(self)) { [weak self] query, feed in
      let query = FamilyCache<Item>.name(of: query) ?? ""
      self?.attach(feed, as: name.map { "\($0) \(query)" })
    }
  }

  /// Returns the name under which an insertion for a list is stored.
  ///
  /// - Parameter name: the name under which the list was attached.
  func insertionName(for list: any EditableList, named name: String?) -> String? {
    guard let feed = (list as? any FamilyList)?.displayedFeed else { return name }
    return state.withLock { state in state.lists.first { $0.list === feed }?.name }
  }
}

/// A list that displays the feeds of a family, one at a time.
protocol FamilyList: FeedList {
  var displayedFeed: AnyObject { get }
  /// Shows the mutations of an outbox in all feeds of the family.
  func attachFamily(to outbox: Outbox, as name: String?)
}

extension QueryFeed: FamilyList {
  var displayedFeed: AnyObject { feed }

  func attachFamily(to outbox: Outbox, as name: String?) { outbox.attach(family, as: name) }
}
