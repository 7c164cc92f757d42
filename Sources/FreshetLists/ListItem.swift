#if compiler(<6.2.3)
  #error("Freshet needs Swift 6.2.3 or later")
#endif

/// One value of a list.
///
/// `id` says which row a value is; `==` says whether the row changed. Equal items must have equal
/// ids, and an id must never change its hash while the item is in a list: an item whose id is a
/// mutable class instance breaks both promises.
///
/// ```swift
/// struct Post: ListItem, Codable {
///   let id: Int
///   var title: String
/// }
/// ```
public protocol ListItem: Identifiable, Equatable, Sendable where ID: Sendable {}
