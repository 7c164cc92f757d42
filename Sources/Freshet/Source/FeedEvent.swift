public import FreshetLists

/// News of a list that its source sends by itself.
///
/// ```swift
/// feed.receive(.upsert(post))  // one piece of news, from a push notification, say
/// ```
@nonexhaustive
public enum FeedEvent<Item: ListItem>: Equatable, Sendable {
  /// An item came: where the feed's order puts it, or at the head of the list.
  case insert(Item)
  /// An item changed, or came where the feed does not know it.
  case upsert(Item)
  /// The item with this id went.
  case delete(Item.ID)
  /// Something changed: the feed refreshes.
  ///
  /// Where a refresh was sent before, it may not have what changed: one more follows it, however
  /// many of these come meanwhile. A feed that began in the middle has its head then, too, and a
  /// gap below it.
  case invalidate
}

extension FeedEvent {
  /// The news, of items whatever their type.
  var erased: FeedEvent<AnyItem> {
    switch self {
    case .insert(let item): .insert(AnyItem(item))
    case .upsert(let item): .upsert(AnyItem(item))
    case .delete(let id): .delete(RowID(id, of: Item.self))
    case .invalidate: .invalidate
    }
  }
}
