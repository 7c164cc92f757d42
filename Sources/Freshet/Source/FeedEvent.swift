public import FreshetLists

/// News of a list that its source sends by itself.
@nonexhaustive
public enum FeedEvent<Item: ListItem>: Equatable, Sendable {
  /// An item came: where the feed's order puts it, or at the head of the list.
  case insert(Item)
  /// An item changed, or came where the feed does not know it.
  case upsert(Item)
  /// An item went.
  case delete(Item.ID)
  /// Something changed: the feed refreshes.
  case invalidate
}
