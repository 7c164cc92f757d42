public import FreshetLists

/// An id of another item in a mutation, such as that of the post of a comment.
///
/// ```swift
/// struct AddComment: Mutation {
///   var target: Comment.ID
///   var post: Post.ID
///   var text: String
///   static var references: [ItemReference<Self>] { [ItemReference(\.post, to: Post.self)] }
///   func edit() -> ItemEdit<Comment> { .insert(Comment(id: target, text: text)) }
/// }
/// ```
///
/// If the item is created by an earlier mutation, this one is sent after it, in whatever lane, and
/// with the id that the source gave the item.
public struct ItemReference<Owner: Mutation>: Sendable {
  let itemName: String
  /// Returns the ids as they are stored.
  let ids: @Sendable (Owner) throws -> [String]
  let replace: @Sendable (inout Owner, _ old: String, _ new: String) throws -> Void

  /// Creates a reference to the item whose id is in a property.
  public init<Item: ListItem>(
    _ path: any WritableKeyPath<Owner, Item.ID> & Sendable, to type: Item.Type
  ) where Item.ID: Codable {
    self.init(to: type) {
      [$0[keyPath: path]]
    } set: {
      $0[keyPath: path] = $1[0]
    }
  }

  /// Creates a reference to the item whose id may be in a property.
  public init<Item: ListItem>(
    _ path: any WritableKeyPath<Owner, Item.ID?> & Sendable, to type: Item.Type
  ) where Item.ID: Codable {
    self.init(to: type) {
      [$0[keyPath: path]].compactMap(\.self)
    } set: { owner, ids in
      owner[keyPath: path] = ids.first
    }
  }

  /// Creates a reference to the items whose ids are in a property.
  public init<Item: ListItem>(
    _ path: any WritableKeyPath<Owner, [Item.ID]> & Sendable, to type: Item.Type
  ) where Item.ID: Codable {
    self.init(to: type) {
      $0[keyPath: path]
    } set: {
      $0[keyPath: path] = $1
    }
  }

  private init<Item: ListItem>(
    to type: Item.Type, get: @escaping @Sendable (Owner) -> [Item.ID],
    set: @escaping @Sendable (inout Owner, [Item.ID]) -> Void
  ) where Item.ID: Codable {
    itemName = "\(type)"
    ids = { owner in try get(owner).map { try OutboxMutation.encode($0) } }
    replace = { owner, old, new in
      let ids = get(owner)
      let id = try OutboxMutation.decode(Item.ID.self, from: new)
      let replaced = try ids.map { try OutboxMutation.encode($0) == old ? id : $0 }
      if replaced != ids { set(&owner, replaced) }
    }
  }
}
