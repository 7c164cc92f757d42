public import FreshetLists

/// The items that several lists share, so that one item has one value in all of them.
///
/// Lists that are created with the same map show the newest version of each item, whichever list
/// learned it: from a page, an event, or the answer to an edit. An edit that is being sent is shown
/// in all of them, too.
///
/// ```swift
/// let posts = IdentityMap<Post>()
/// let home = FeedController(homeSource, identity: posts)
/// let liked = FeedController(likedSource, identity: posts)
/// ```
///
/// The newest version is the one that was *asked for* last, in whatever order answers arrive: an
/// older page of another list never overwrites it (rule I1). If items have a version of their own,
/// such as the time of the last change, that decides.
///
/// A list that does not have the item takes no notice of a change, and does not get the item. An
/// item that leaves one list stays in the others. It leaves all of them if the source reports that
/// it was deleted, in an event or as the answer to an edit (rule I3).
///
/// The map holds an item for as long as one of its lists does, and the lists only weakly (rule I4).
/// Every method may be called from any thread.
public final class IdentityMap<Item: ListItem>: Sendable {
  let hub: SharedItemsHub

  /// Creates a map in which a newer version of an item replaces the older one.
  public convenience init() { self.init(isNewer: nil, merge: nil) }

  /// Creates a map in which the items themselves know which version is newer.
  ///
  /// ```swift
  /// let versions = IdentityMap<Post> { $0.updatedAt }
  /// ```
  ///
  /// If two versions are equal, the one that was asked for last is the newer one.
  ///
  /// - Parameter version: returns the version of an item, which grows with every change. It must
  ///   not use the map.
  public convenience init<Version: Comparable & SendableMetatype>(
    version: @escaping @Sendable (Item) -> Version
  ) {
    self.init(
      isNewer: { new, old in
        let (new, old) = (version(Item._item(of: new.row)), version(Item._item(of: old.row)))
        return new == old ? nil : new > old
      }, merge: nil)
  }

  /// Creates a map that combines two versions of an item.
  ///
  /// It is for endpoints that return different fields of an item.
  ///
  /// ```swift
  /// let details = IdentityMap<Post> { old, new in
  ///   var post = new
  ///   post.body = new.body ?? old.body
  ///   return post
  /// }
  /// ```
  ///
  /// - Parameter merge: returns the newer version, with what only the older one has. Both have the
  ///   same id, and the result keeps it. It must not use the map.
  public convenience init(
    merge: @escaping @Sendable (_ old: Item, _ new: Item) -> Item
  ) {
    self.init(isNewer: nil) { old, new in
      AnyItem(merge(Item._item(of: old.row), Item._item(of: new.row)))
    }
  }

  private init(
    isNewer: (@Sendable (AnyItem, AnyItem) -> Bool?)?,
    merge: (@Sendable (AnyItem, AnyItem) -> AnyItem)?
  ) {
    hub = SharedItemsHub(SharedItems(isNewer: isNewer, merge: merge))
  }

  /// Returns the newest version of an item, as its source reports it.
  ///
  /// It is `nil` if no list of the map holds the item.
  ///
  /// - Complexity: O(1).
  public func item(_ id: Item.ID) -> Item? {
    hub.item(RowID(id, of: Item.self)).map { Item._item(of: $0.row) }
  }

  /// Shows a version of an item that was just received, in all lists that hold the item.
  ///
  /// Use it for answers that belong to no list, such as that of a detail screen or a push
  /// notification.
  public func update(_ item: Item) { hub.report(AnyItem(item)) }

  /// Removes from all lists an item that the source has deleted.
  public func remove(_ id: Item.ID) { hub.delete(RowID(id, of: Item.self)) }
}
