/// A named range of rows in a snapshot.
///
/// The name identifies the section: no two sections of a snapshot share one. A list without
/// sections is one section with an empty name.
public struct ListSection<Item: ListItem>: Identifiable, Equatable, Sendable {
  /// The name of the section, which identifies it.
  public let name: String
  /// The rows of the section, top to bottom.
  public let rows: RowTree<Item>

  /// Creates a section from a name and its rows.
  @inlinable
  public init(name: String, rows: RowTree<Item>) {
    self.name = name
    self.rows = rows
  }

  /// The name of the section, which is unique in a list.
  @inlinable public var id: String { name }

  /// The title of the section in an index at the side of a list: its first letter.
  public var indexTitle: String { name.prefix(1).uppercased() }

  /// The number of rows in the section.
  @inlinable public var count: Int { rows.count }
}
