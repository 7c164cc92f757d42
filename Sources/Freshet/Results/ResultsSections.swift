public import FreshetLists

/// The sections of live results, top to bottom.
///
/// A view on the results: made and copied in O(1), however many sections there are.
///
/// - Complexity: O(1) to reach a section.
public struct ResultsSections<Item: ListItem>: RandomAccessCollection, Sendable {
  private let value: ResultsValue<Item>

  init(_ value: ResultsValue<Item>) { self.value = value }

  /// The index of the first section: zero.
  public var startIndex: Int { 0 }
  /// The index behind the last section: the number of sections.
  public var endIndex: Int { value.list.sections.count }

  /// The section at an index.
  public subscript(index: Int) -> ResultsSection<Item> {
    ResultsSection(value.list.sections[index], isComplete: value.isComplete(index))
  }
}

/// A section of live results, with the names that users of `NSFetchedResultsController` know.
public struct ResultsSection<Item: ListItem>: Identifiable, Equatable, Sendable {
  private let section: ListSection<Item>
  /// Whether it holds all items it should: the results are there, and no limit cuts it.
  public let isComplete: Bool

  init(_ section: ListSection<Item>, isComplete: Bool) {
    self.section = section
    self.isComplete = isComplete
  }

  /// What the section is called, and what identifies it.
  public var name: String { section.name }
  /// The name of the section, which is unique in the results.
  public var id: String { section.name }
  /// How many items it has.
  public var count: Int { section.count }
  /// The items, top to bottom.
  public var objects: RowTree<Item> { section.rows }
  /// What stands for the section in an index at the side of a list: its first letter.
  public var indexTitle: String { section.name.prefix(1).uppercased() }
}
