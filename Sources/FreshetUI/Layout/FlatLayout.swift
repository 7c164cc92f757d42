public import FreshetLists

/// A screen as one run of rows, as `NSTableView` shows it: a section's title is a row above those
/// of the section.
///
/// A section without a name has none.
public struct FlatLayout<Item: ListItem>: Sendable {
  /// What a row can show: the title of a section, or a row of the screen.
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
  /// The section of the list that has no name: there is one at most, as names are unique.
  private let untitled: Int?

  /// Lays a screen out as one run of rows.
  ///
  /// - Complexity: O(sections) where they have titles.
  public init(_ screen: ListLayout<Item>, showsTitles: Bool) {
    self.screen = screen
    self.showsTitles = showsTitles
    untitled = showsTitles ? screen.list.sections.firstIndex(where: \.name.isEmpty) : nil
  }

  /// The number of rows, titles of sections among them.
  public var count: Int { start(ofListSection: screen.list.sections.count) + screen.foot.count }

  /// What the row at an index shows.
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

  /// Where a row of the screen stands.
  ///
  /// - Complexity: O(1).
  public func index(of path: RowPath) -> Int { rows(in: path.section).lowerBound + path.row }

  /// Where the rows of a section of the screen stand, without its title.
  func rows(in section: Int) -> Range<Int> {
    let all = range(of: section)
    let place = screen.listPath(of: RowPath(section: section, row: 0))
    return place.map { hasTitle($0.section) } ?? false
      ? (all.lowerBound + 1)..<all.upperBound : all
  }

  /// Where a section of the screen stands, with its title.
  func range(of section: Int) -> Range<Int> {
    if section < screen.offset { return 0..<screen.head.count }
    let section = section - screen.offset
    let end =
      section < screen.list.sections.count ? start(ofListSection: section + 1) : count
    return start(ofListSection: section)..<end
  }

  /// Where a section of the list begins, or what follows the last one.
  private func start(ofListSection section: Int) -> Int {
    var titles = showsTitles ? section : 0
    if let untitled, untitled < section { titles -= 1 }
    return screen.head.count + screen.list.rowsAbove(section) + titles
  }

  private func hasTitle(_ section: Int) -> Bool { showsTitles && section != untitled }
}
