public import FreshetLists

/// The rows of a screen as one flat sequence, as `NSTableView` shows them.
///
/// The title of a section is a row above the rows of the section. A section without a name has no
/// title.
public struct FlatLayout<Item: ListItem>: Sendable {
  /// The content of a row: the title of a section, or a row of the screen.
  public enum Row: Equatable, Sendable {
    /// The title of a section.
    case title(String)
    /// A row of the screen, by its path.
    case row(RowPath)
  }

  /// The sections and rows that are laid out.
  public let screen: ListLayout<Item>
  /// Whether sections have a row for their title.
  public let showsTitles: Bool
  /// The section of the list without a name; there is at most one, as names are unique.
  private let untitled: Int?

  /// Lays a screen out as one flat sequence of rows.
  ///
  /// - Complexity: O(sections) if `showsTitles` is `true`.
  public init(_ screen: ListLayout<Item>, showsTitles: Bool) {
    self.screen = screen
    self.showsTitles = showsTitles
    untitled = showsTitles ? screen.list.sections.firstIndex(where: \.name.isEmpty) : nil
  }

  /// The number of rows, including titles of sections.
  public var count: Int { start(ofListSection: screen.list.sections.count) + screen.foot.count }

  /// The content of the row at an index.
  ///
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log sections).
  public subscript(index: Int) -> Row {
    if index < screen.head.count { return .row(RowPath(section: 0, row: index)) }
    let sections = screen.list.sections.indices
    let section = sections.partition { start(ofListSection: $0 + 1) > index }
    let row = index - start(ofListSection: section)
    let path = RowPath(section: section + screen.offset, row: row)
    guard section < sections.count, hasTitle(section) else { return .row(path) }
    return row == 0
      ? .title(screen.list.sections[section].name)
      : .row(RowPath(section: path.section, row: row - 1))
  }

  /// Returns the index of a row of the screen.
  ///
  /// - Complexity: O(1) without placeholders, else O(log gaps).
  public func index(of path: RowPath) -> Int { rows(in: path.section).lowerBound + path.row }

  /// Returns the indices of the rows in a section of the screen, without its title.
  func rows(in section: Int) -> Range<Int> {
    let all = range(of: section)
    return screen.listSection(of: section).map(hasTitle) ?? false
      ? (all.lowerBound + 1)..<all.upperBound : all
  }

  /// Returns the index of the title above a row, or `nil` if its section has none.
  func title(above path: RowPath) -> Int? {
    let section = range(of: path.section).lowerBound
    return section < rows(in: path.section).lowerBound ? section : nil
  }

  /// Returns the indices of a section of the screen, with its title.
  func range(of section: Int) -> Range<Int> {
    if section < screen.offset { return 0..<screen.head.count }
    let section = section - screen.offset
    let end =
      section < screen.list.sections.count ? start(ofListSection: section + 1) : count
    return start(ofListSection: section)..<end
  }

  /// Returns the index at which a section of the list begins, or the end of the last section.
  private func start(ofListSection section: Int) -> Int {
    var titles = showsTitles ? section : 0
    if let untitled, untitled < section { titles -= 1 }
    return screen.head.count + screen.rowsAbove(listSection: section) + titles
  }

  private func hasTitle(_ section: Int) -> Bool { showsTitles && section != untitled }
}
