public import Foundation
public import FreshetLists

/// An edit of one item that is stored until its source has answered.
///
/// A mutation is a value that says which item it changes, and how. An ``Outbox`` stores it, shows
/// it in lists at once, and sends it, also after a relaunch of the app. So the edit has to be
/// described by values, not by closures.
///
/// ```swift
/// struct Like: Mutation {
///   var target: Post.ID
///   func edit() -> ItemEdit<Post> { .update { $0.isLiked = true } }
/// }
/// ```
///
/// The edit is applied again to each newer version of the item: set values instead of counting.
public protocol Mutation<Item>: Codable, Sendable {
  /// The type of the item.
  associatedtype Item: ListItem where Item.ID: Codable

  /// The id of the item.
  ///
  /// For an insertion, it is any id that is not in use. If the source returns the item with another
  /// id, later mutations of this item get that id before they are sent.
  var target: Item.ID { get set }

  /// Returns what the mutation does to the item on screen.
  func edit() -> ItemEdit<Item>

  /// The lane in which the mutation is sent; `nil` for that of the item.
  ///
  /// Mutations of one lane are sent one at a time, in the order in which they were performed. Lanes
  /// are independent of each other. A lane of your own is for mutations of several items that
  /// depend on each other, such as those of one document.
  var lane: String? { get }

  /// Returns what becomes of this mutation and an earlier one of the same item that waits.
  ///
  /// It is called for the last mutation of the lane, if that is of this type and item, certainly
  /// was not sent, and neither of both inserts an item. By default, both are sent.
  ///
  /// ```swift
  /// func merging(_ earlier: SetLiked) -> MutationMerge<SetLiked> {
  ///   earlier.isLiked == isLiked ? .replacement(self) : .cancellation
  /// }
  /// ```
  ///
  /// - Parameter earlier: the mutation that waits.
  func merging(_ earlier: Self) -> MutationMerge<Self>

  /// The ids of other items in the mutation; none by default.
  ///
  /// The mutation is sent after those that create these items, with the ids that the source gave
  /// them.
  static var references: [ItemReference<Self>] { get }

  /// The name under which mutations of this type are stored; the name of the type by default.
  ///
  /// It must not change between versions of an app.
  static var name: String { get }
  /// The version of the stored form; 1 by default.
  static var version: Int { get }

  /// Returns a mutation that was stored by another version of the type.
  ///
  /// By default, it is decoded like one of this version.
  ///
  /// - Parameters:
  ///   - json: the mutation as it was encoded.
  ///   - version: the version that was stored.
  /// - Throws: an error if it cannot be read. The mutation is then kept, listed, and not sent.
  static func migrate(_ json: Data, from version: Int) throws -> Self
}

extension Mutation {
  /// `nil`: the lane of the item.
  public var lane: String? { nil }
  /// Both mutations are sent, one after the other.
  public func merging(_ earlier: Self) -> MutationMerge<Self> { .separate }
  /// None: the mutation names its own item only.
  public static var references: [ItemReference<Self>] { [] }
  /// The name of the type.
  public static var name: String { "\(Self.self)" }
  /// The first version, 1, until the stored form of the type changes.
  public static var version: Int { 1 }

  /// Decodes the mutation as it is.
  ///
  /// - Throws: a `DecodingError`.
  public static func migrate(_ json: Data, from version: Int) throws -> Self {
    try JSONDecoder().decode(Self.self, from: json)
  }
}

/// What a mutation does to its item on screen.
public enum ItemEdit<Item: ListItem>: Sendable {
  /// Changes the item.
  case update(@Sendable (inout Item) -> Void)
  /// Inserts the item, with the mutation's `target` as its id.
  ///
  /// It is placed by the order of the list, if there is one. Otherwise it is after the other item,
  /// or at the head.
  case insert(Item, after: Item.ID? = nil)
  /// Removes the item.
  case delete
  /// Moves the item after the other one, or to the head, such as a row that the user dragged.
  ///
  /// A feed shows it there if the order of its source is unknown, and live results as
  /// `LiveResults.move(_:after:commit:)` does. Lists of your own show it once their source does.
  case move(after: Item.ID?)
}
