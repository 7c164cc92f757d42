#if compiler(<6.2.3)
  #error("Freshet needs Swift 6.2.3 or later")
#endif

/// One value of a list.
///
/// `id` identifies the row of a value; `==` decides whether the row changed. Equal items must have
/// equal ids. An id must never change its hash while the item is in a list. An item whose id is a
/// mutable class instance breaks both requirements.
///
/// ```swift
/// struct Post: ListItem, Codable {
///   let id: Int
///   var title: String
/// }
/// ```
public protocol ListItem: Identifiable, Equatable, Sendable where ID: Sendable {
  // Requirements that the library calls in code that knows the item type. All have defaults.
  @_documentation(visibility: internal)
  static func _row(of item: Self) -> RowRef
  @_documentation(visibility: internal)
  static func _item(of row: RowRef) -> Self
  @_documentation(visibility: internal)
  static func _id(of row: RowRef) -> ID
  @_documentation(visibility: internal)
  static func _key(of id: ID) -> RowRef
  @_documentation(visibility: internal)
  static func _haveOneID(_ first: RowRef, _ second: RowRef) -> Bool
  @_documentation(visibility: internal)
  static func _areEqual(_ first: RowRef, _ second: RowRef) -> Bool
  @_documentation(visibility: internal)
  static var _idOrder: RowComparison? { get }
}
