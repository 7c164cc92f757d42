/// What a list shows at one moment: an immutable value of sections and rows.
///
/// A snapshot costs O(1) to copy and to hand to another thread: it shares its rows with the list
/// that made it and with the snapshots before and after.
///
/// ```swift
/// let snapshot = ListSnapshot(posts)
/// print(snapshot.sections[0].count)
/// print(try snapshot.item(at: RowPath(section: 0, row: 3)))
/// ```
public struct ListSnapshot<Item: ListItem>: Equatable, Sendable {
  /// The sections, top to bottom.
  public let sections: [ListSection<Item>]
  /// The number of rows in all sections.
  public let count: Int
  /// How many rows stand in the sections up to each one but the last, where it takes a search to
  /// find a section.
  @usableFromInline let ends: [Int]

  /// Creates a snapshot of these sections.
  ///
  /// Section names and the ids of the rows must be unique (rule L1);
  /// `RowTree.init(uniquing:)` makes rows from data that may repeat ids.
  ///
  /// - Complexity: O(sections).
  @inlinable
  public init(sections: [ListSection<Item>] = []) {
    self.sections = sections
    var (count, ends) = (0, [Int]())
    if sections.count > 1 { ends.reserveCapacity(sections.count - 1) }
    for section in sections.dropLast() {
      count += section.count
      ends.append(count)
    }
    self.count = count + (sections.last?.count ?? 0)
    self.ends = ends
  }

  /// Creates a snapshot of one unnamed section, or of no section if there are no rows.
  ///
  /// - Complexity: O(1) for a `RowTree`, else O(*n*).
  @inlinable
  public init(_ rows: some Sequence<Item>) { self.init(RowTree(rows)) }

  /// Creates a snapshot of one unnamed section, or of no section if there are no rows.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init(_ rows: RowTree<Item>) {
    self.init(sections: rows.count == 0 ? [] : [ListSection(name: "", rows: rows)])
  }

  /// Whether there is no row.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// How many rows stand in the sections above one, or in all where it is the one behind the last.
  ///
  /// - Complexity: O(1).
  package func rowsAbove(_ section: Int) -> Int {
    if section == 0 { return 0 }
    return section == sections.count ? count : ends[section - 1]
  }

  /// This list with other rows in some of its sections.
  ///
  /// - Complexity: O(sections).
  @inlinable
  package func replacing(_ replaced: [(section: Int, rows: RowTree<Item>)]) -> ListSnapshot {
    var (sections, count, ends) = (sections, count, ends)
    // The first section behind which rows stand elsewhere now.
    var first = ends.count
    for (index, rows) in replaced {
      let growth = rows.count - sections[index].count
      sections[index] = ListSection(name: sections[index].name, rows: rows)
      count += growth
      if growth != 0 { first = Swift.min(first, index) }
    }
    var end = first > 0 ? ends[first - 1] : 0
    for index in first..<ends.count {
      end += sections[index].count
      ends[index] = end
    }
    return ListSnapshot(sections: sections, count: count, ends: ends)
  }

  /// This list with a row elsewhere.
  ///
  /// - Parameters:
  ///   - from: where the row stands.
  ///   - target: where it comes to stand once it is taken out.
  /// - Complexity: O(log *n* + sections).
  package func moving(_ from: RowPath, to target: RowPath) -> ListSnapshot {
    var rows = sections[from.section].rows
    let row = rows.remove(at: from.row)
    let list = replacing([(from.section, rows)])
    rows = list.sections[target.section].rows
    rows.insert(row, at: target.row)
    return list.replacing([(target.section, rows)])
  }

  @inlinable
  init(sections: [ListSection<Item>], count: Int, ends: [Int]) {
    self.sections = sections
    self.count = count
    self.ends = ends
  }

  /// The item at a path.
  ///
  /// - Precondition: the path names a row; `item(at:)` throws instead.
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(path: RowPath) -> Item { sections[path.section].rows[path.row] }

  /// The item at a path.
  ///
  /// - Throws: `ListError.invalidIndexPath` where no row stands there.
  /// - Complexity: O(log *n*).
  @inlinable
  public func item(at path: RowPath) throws(ListError) -> Item {
    guard sections.indices.contains(path.section),
      sections[path.section].rows.indices.contains(path.row)
    else { throw .invalidIndexPath(path) }
    return self[path]
  }
}

extension ListSnapshot: CustomStringConvertible {
  /// The rows of each section: `Monday: [a, b]`, or `[a, b]` where there is one section without a
  /// name.
  public var description: String {
    sections.map { $0.name.isEmpty ? "\($0.rows)" : "\($0.name): \($0.rows)" }.joined(
      separator: ", ")
  }
}

extension RowTree where Row: ListItem {
  /// Creates a tree of these rows, each id at its first place only.
  ///
  /// - Complexity: O(*n*).
  public init(uniquing rows: some Sequence<Row>) {
    var seen: Set<Row.ID> = []
    self.init(rows.filter { seen.insert($0.id).inserted })
  }
}
