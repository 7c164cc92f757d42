public import FreshetLists

/// A change that the source of a list reports by itself, such as through a web socket.
///
/// ```swift
/// feed.receive(.upsert(post))  // from a push notification, for example
/// ```
@nonexhaustive
public enum FeedEvent<Item: ListItem>: Equatable, Sendable {
  /// An item was inserted: at its place in the feed's order, or at the head of the list.
  case insert(Item)
  /// An item changed, or was inserted if the feed does not know it.
  case upsert(Item)
  /// An item changed; a feed that does not have it takes no notice.
  case update(Item)
  /// The item with this id was deleted.
  case delete(Item.ID)
  /// Something changed: the feed refreshes.
  ///
  /// A refresh that is already running may not include the change, so one more follows it, however
  /// many of these events arrive meanwhile. A feed that started in the middle then has its head,
  /// too, and a gap below it, unless its source is a ``WindowedFeedSource`` and it has no cache.
  case invalidate
  /// Something changed, except the windows with some validators (see ``WindowedFeedSource``).
  ///
  /// A feed that shows only those, as the source answered for them, reads nothing. Any other feed
  /// refreshes. A source with many feeds thereby decides for all of them which ones a change
  /// concerns. If the number of all rows changed, it leaves out the first window of the list.
  /// Validators must be unique across windows and sources.
  case invalidateWindows(except: Set<String>)
}

extension FeedEvent {
  /// The same event, with type-erased items.
  var erased: FeedEvent<AnyItem> {
    switch self {
    case .insert(let item): .insert(AnyItem(item))
    case .upsert(let item): .upsert(AnyItem(item))
    case .update(let item): .update(AnyItem(item))
    case .delete(let id): .delete(RowID(id, of: Item.self))
    case .invalidate: .invalidate
    case .invalidateWindows(let validators): .invalidateWindows(except: validators)
    }
  }
}
