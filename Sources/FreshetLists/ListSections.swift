/// The sections of a snapshot, top to bottom.
///
/// A view of the snapshot: made and copied in O(1).
public struct ListSections<Item: ListItem>: RandomAccessCollection, Sendable {
  /// The name and the rows of each section.
  @usableFromInline let all: CountedTree<SectionRefs>

  @inlinable
  init(_ all: CountedTree<SectionRefs>) { self.all = all }

  /// The index of the first section: zero.
  @inlinable public var startIndex: Int { 0 }
  /// The index after the last section: the number of sections.
  @inlinable public var endIndex: Int { all.count }

  /// Returns an iterator that passes the sections in O(1) each.
  @inlinable
  public func makeIterator() -> some IteratorProtocol<ListSection<Item>> {
    all.lazy.map { ListSection($0) }.makeIterator()
  }

  /// The section at an index.
  @inlinable
  public subscript(index: Int) -> ListSection<Item> { ListSection(all[index]) }
}

extension ListSections: Equatable {
  /// Returns whether both hold sections with equal names and rows in the same order.
  @inlinable
  public static func == (first: ListSections, second: ListSections) -> Bool {
    first.elementsEqual(second)
  }
}

extension ListSection {
  @inlinable
  init(_ section: SectionRefs) { self.init(name: section.name, rows: RowTree(refs: section.rows)) }

  @inlinable var refs: SectionRefs { SectionRefs(name: name, rows: rows.refs) }
}
