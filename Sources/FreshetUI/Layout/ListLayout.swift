public import Freshet
public import FreshetLists

/// The sections and rows of a list on a table or collection view, with rows for active edges.
///
/// Rows of edges are in a section of their own, above or below the sections of the list. If there
/// is one above, the list's sections begin at 1. The layout is a value and is copied in O(1). A
/// view that holds one shows exactly that, whatever happens to the list.
public struct ListLayout<Item: ListItem>: Sendable {
  /// The rows of the list.
  public private(set) var list: ListSnapshot<ListRow<Item>>
  /// The load states of the list's edges and gaps.
  public let loads: ListState
  /// The rows of edges above the list.
  public let head: [EdgeRow]
  /// The rows of edges below the list.
  public let foot: [EdgeRow]
  /// The placeholders among the rows of the list.
  private(set) var placeholders = Placeholders()

  /// Lays out the rows of a list, and rows for its edges.
  ///
  /// - Parameters:
  ///   - list: its rows.
  ///   - loads: the load states of its edges and gaps.
  ///   - edges: the edges that are rows.
  public init(
    _ list: ListSnapshot<ListRow<Item>> = ListSnapshot(), _ loads: ListState = ListState(),
    edges: EdgeRows = .none
  ) {
    self.list = list
    self.loads = loads
    head = edges.head(loads, isEmpty: list.isEmpty)
    foot = edges.foot(loads, isEmpty: list.isEmpty)
  }

  /// Lays out the rows of a list, as options say.
  init(_ value: ListValue<Item>, _ options: ScreenOptions, showsPlaceholders: Bool) {
    self.init(
      value.list, value.state, edges: options.edges(ofListWithRows: !value.list.isEmpty),
      placeholders: showsPlaceholders ? Placeholders(value) : Placeholders())
  }

  /// Lays out the rows of a list, and rows for its edges, among placeholders.
  init(
    _ list: ListSnapshot<ListRow<Item>>, _ loads: ListState, edges: EdgeRows,
    placeholders: Placeholders
  ) {
    self.init(list, loads, edges: edges)
    self.placeholders = placeholders
  }

  /// The index of the list's first section.
  var offset: Int { head.isEmpty ? 0 : 1 }

  /// The number of sections, including those of edges.
  public var numberOfSections: Int { offset + list.sections.count + (foot.isEmpty ? 0 : 1) }

  /// Returns the number of rows in a section, or 0 if there is no such section.
  public func numberOfRows(in section: Int) -> Int {
    switch place(of: section) {
    case .head: head.count
    case .list(let section): list.sections[section].count + placeholders.count(in: section)
    case .foot: foot.count
    case nil: 0
    }
  }

  /// Returns the name of a section of the list.
  ///
  /// It is `nil` for a section without a name, or for a section of edges.
  public func title(of section: Int) -> String? {
    guard case .list(let section) = place(of: section) else { return nil }
    let name = list.sections[section].name
    return name.isEmpty ? nil : name
  }

  /// Returns the row at a path, or `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  public func row(at path: RowPath) -> ScreenRow<Item>? {
    guard path.row >= 0, path.row < numberOfRows(in: path.section) else { return nil }
    switch place(of: path.section) {
    case .head: return .edge(head[path.row])
    case .foot: return .edge(foot[path.row])
    case .list(let section):
      switch placeholders.row(at: RowPath(section: section, row: path.row)) {
      case .list(let row): return self.row(ofList: row)
      case .placeholder(let block, let index):
        return .placeholder(PlaceholderRow(block.place, index))
      }
    case nil: return nil
    }
  }

  private func row(ofList path: RowPath) -> ScreenRow<Item> {
    switch list.sections[path.section].rows[path.row] {
    case .item(let item): .item(item)
    case .gap(let gap): .gap(gap, loads.gaps[gap.id] ?? .idle, loads.gapSizes[gap.id])
    }
  }

  /// Returns the path at which a row of the list is shown.
  public func path(ofListRow path: RowPath) -> RowPath {
    let path = placeholders.path(ofListRow: path)
    return RowPath(section: path.section + offset, row: path.row)
  }

  /// Returns the path of the row that is at the same place of its section in another layout.
  func sameRow(as path: RowPath, of other: ListLayout) -> RowPath? {
    guard let old = other.listSection(of: path.section) else { return nil }
    let name = other.list.sections[old].name
    guard let place = list.sections.firstIndex(where: { $0.name == name }) else { return nil }
    let section = place + offset
    return path.row < numberOfRows(in: section) ? RowPath(section: section, row: path.row) : nil
  }

  /// Returns the section of the list that is shown as a section; `nil` for one of edges.
  func listSection(of section: Int) -> Int? {
    if case .list(let section) = place(of: section) { section } else { nil }
  }

  /// Returns the number of rows of the list and of placeholders above a section of the list.
  func rowsAbove(listSection section: Int) -> Int {
    list.rowsAbove(section) + placeholders.count(above: section)
  }

  /// Returns the index of a row among all rows of the list, loaded or not.
  ///
  /// It is `nil` for a row of an edge, and while rows are held back or a gap's size is unknown.
  func index(inWholeList path: RowPath) -> Int? {
    guard loads.rowsAbove != nil, loads.newItems == 0, loads.gapSizes.count == loads.gaps.count,
      let section = listSection(of: path.section)
    else { return nil }
    let cut = placeholders.rowsCut(above: RowPath(section: section, row: path.row))
    return rowsAbove(listSection: section) + path.row + cut
  }

  /// Returns the path at which the row of an edge is shown, or `nil` if it is not shown.
  func path(of edge: EdgeRow.Edge) -> RowPath? {
    if let row = head.firstIndex(where: { $0.id == edge }) { return RowPath(section: 0, row: row) }
    return foot.firstIndex { $0.id == edge }
      .map { RowPath(section: numberOfSections - 1, row: $0) }
  }

  /// Returns the path in the list of a row that is shown.
  ///
  /// It is `nil` for a row of an edge and for a placeholder.
  public func listPath(of path: RowPath) -> RowPath? {
    guard let section = listSection(of: path.section),
      case .list(let row) = placeholders.row(at: RowPath(section: section, row: path.row))
    else { return nil }
    return row
  }

  /// Whether a row of the list keeps its distance to those around it.
  ///
  /// A gap with placeholders does not: rows take their places.
  private func isAnchored(_ path: RowPath) -> Bool {
    if listPath(of: path) == nil { return false }
    guard !placeholders.isEmpty, case .gap(let gap, _, _)? = row(at: path) else { return true }
    return !placeholders.contains(.gap(gap.id))
  }

  /// Splits paths into rows of the list, and rows of edges and placeholders.
  func split(_ paths: [RowPath]) -> (ofList: [RowPath], ofEdges: [RowPath]) {
    (paths.filter(isAnchored), paths.filter { !isAnchored($0) })
  }

  /// Returns up to `count` rows below another one, nearest first.
  ///
  /// If `path` is `nil`, there are none.
  func paths(below path: RowPath?, atMost count: Int) -> some Sequence<RowPath> {
    sequence(state: path) { place in
      place = place.flatMap { self.path(below: $0) }
      return place
    }.prefix(count)
  }

  private func path(below path: RowPath) -> RowPath? {
    if path.row + 1 < numberOfRows(in: path.section) {
      return RowPath(section: path.section, row: path.row + 1)
    }
    return (path.section..<max(path.section, numberOfSections)).dropFirst()
      .first { numberOfRows(in: $0) > 0 }.map { RowPath(section: $0, row: 0) }
  }

  /// Returns the entries of a section index at the side of a view.
  ///
  /// Each title occurs once, with the first section that has it.
  ///
  /// - Complexity: O(sections).
  public func index(by title: (String) -> String) -> [(title: String, section: Int)] {
    var seen: Set<String> = []
    return list.sections.indices.compactMap { section in
      let title = title(list.sections[section].name)
      return seen.insert(title).inserted ? (title, section + offset) : nil
    }
  }

  private enum Place {
    case head
    case list(Int)
    case foot
  }

  private func place(of section: Int) -> Place? {
    if section < offset { return section == 0 ? .head : nil }
    if section - offset < list.sections.count { return .list(section - offset) }
    return section < numberOfSections ? .foot : nil
  }
}

extension ListLayout {
  /// Returns the path at which a dragged row ends up.
  ///
  /// That is the target, or a place next to placeholders or the rows of an edge, which do not move.
  ///
  /// - Parameters:
  ///   - from: the path of the row.
  ///   - target: the path that it is dragged to, after it is taken out.
  /// - Returns: a path among the rows of the list; `from` if that is not a row of the list.
  public func target(of from: RowPath, to target: RowPath) -> RowPath {
    guard let drop = drop(of: from, at: target) else { return from }
    let path = drop.placeholders.path(ofListRow: drop.place)
    return RowPath(section: path.section + offset, row: path.row)
  }

  /// Returns where a dragged row is in the list, before and after, and the placeholders afterwards.
  ///
  /// It is `nil` if the row is none of the list.
  private func drop(
    of from: RowPath, at target: RowPath
  ) -> (source: RowPath, place: RowPath, placeholders: Placeholders)? {
    guard let source = listPath(of: from) else { return nil }
    let others = placeholders.removing(source)
    let place: RowPath
    if let section = listSection(of: target.section) {
      switch others.row(at: RowPath(section: section, row: target.row)) {
      case .list(let path): place = path
      case .placeholder(let block, _): place = block.path
      }
    } else if target.section < offset {
      place = RowPath(section: 0, row: 0)
    } else {
      let last = list.sections.count - 1
      let count = list.sections[last].count - (source.section == last ? 1 : 0)
      place = RowPath(section: last, row: count)
    }
    return (source, place, others.inserting(place))
  }

  /// Moves a row by hand, as a user drags it; the list is expected to follow shortly.
  ///
  /// - Returns: the move in the list, and the item above the row now: `nil` at the head.
  /// - Complexity: O(log *n* + sections), and O(rows above) if those are gaps.
  mutating func move(
    _ from: RowPath, to target: RowPath
  ) -> (move: ListChanges.Move, above: Item?)? {
    guard let (source, place, placeholders) = drop(of: from, at: target) else { return nil }
    list = list.moving(source, to: place)
    self.placeholders = placeholders
    return (ListChanges.Move(from: source, to: place), item(above: place))
  }

  /// Returns the item of the nearest row above a place in the list that shows one.
  private func item(above place: RowPath) -> Item? {
    for section in list.sections.indices.prefix(place.section + 1).reversed() {
      let rows = list.sections[section].rows
      for row in (0..<(section == place.section ? place.row : rows.count)).reversed() {
        if let item = rows[row].item { return item }
      }
    }
    return nil
  }
}
