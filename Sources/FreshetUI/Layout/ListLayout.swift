public import Freshet
public import FreshetLists

/// What a table or collection view shows of a list: its sections, and rows for the edges that load.
///
/// Rows of edges stand in a section of their own, above or below those of the list; where one is
/// above, the list's sections begin with 1. A value: it is copied in O(1), and a view that holds
/// one shows exactly that, whatever becomes of the list.
public struct ListLayout<Item: ListItem>: Sendable {
  /// The rows of the list.
  public private(set) var list: ListSnapshot<ListRow<Item>>
  /// How the list's edges and gaps stand.
  public let loads: ListState
  /// The rows of edges above the list.
  public let head: [EdgeRow]
  /// The rows of edges below the list.
  public let foot: [EdgeRow]

  /// Lays out the rows of a list, and rows for its edges.
  ///
  /// - Parameters:
  ///   - list: its rows.
  ///   - loads: how its edges and gaps stand.
  ///   - edges: which edges are rows.
  public init(
    _ list: ListSnapshot<ListRow<Item>> = ListSnapshot(), _ loads: ListState = ListState(),
    edges: EdgeRows = .none
  ) {
    self.list = list
    self.loads = loads
    head = edges.head(loads, isEmpty: list.isEmpty)
    foot = edges.foot(loads, isEmpty: list.isEmpty)
  }

  /// Where the list's sections begin.
  var offset: Int { head.isEmpty ? 0 : 1 }

  /// The number of sections, those of edges among them.
  public var numberOfSections: Int { offset + list.sections.count + (foot.isEmpty ? 0 : 1) }

  /// The number of rows in a section; none in one that is not there.
  public func numberOfRows(in section: Int) -> Int {
    switch place(of: section) {
    case .head: head.count
    case .list(let section): list.sections[section].count
    case .foot: foot.count
    case nil: 0
    }
  }

  /// The name of a section of the list; `nil` for one without a name, or of edges.
  public func title(of section: Int) -> String? {
    guard case .list(let section) = place(of: section) else { return nil }
    let name = list.sections[section].name
    return name.isEmpty ? nil : name
  }

  /// The row at a path; `nil` where there is none.
  ///
  /// - Complexity: O(log *n*).
  public func row(at path: RowPath) -> ScreenRow<Item>? {
    guard path.row >= 0, path.row < numberOfRows(in: path.section) else { return nil }
    switch place(of: path.section) {
    case .head: return .edge(head[path.row])
    case .foot: return .edge(foot[path.row])
    case .list(let section):
      switch list.sections[section].rows[path.row] {
      case .item(let item): return .item(item)
      case .gap(let gap): return .gap(gap, loads.gaps[gap.id] ?? .idle)
      }
    case nil: return nil
    }
  }

  /// Where a row of the list is shown.
  public func path(ofListRow path: RowPath) -> RowPath {
    RowPath(section: path.section + offset, row: path.row)
  }

  /// Where the row of an edge is shown; `nil` where it is not.
  func path(of edge: EdgeRow.Edge) -> RowPath? {
    if let row = head.firstIndex(where: { $0.id == edge }) { return RowPath(section: 0, row: row) }
    return foot.firstIndex { $0.id == edge }
      .map { RowPath(section: numberOfSections - 1, row: $0) }
  }

  /// Where a row that is shown stands in the list; `nil` for one of an edge.
  public func listPath(of path: RowPath) -> RowPath? {
    guard case .list(let section) = place(of: path.section) else { return nil }
    return RowPath(section: section, row: path.row)
  }

  /// Rows of the list, and rows of edges.
  func split(_ paths: [RowPath]) -> (ofList: [RowPath], ofEdges: [RowPath]) {
    (paths.filter { listPath(of: $0) != nil }, paths.filter { listPath(of: $0) == nil })
  }

  /// The rows below another one, nearest first: at most so many, and none below no row.
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

  /// What stands for the sections in an index at the side of a view: each title once, with the
  /// first section that it stands for.
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
  /// Where a row comes to stand that is dragged to a place: there, or next to the rows of an edge,
  /// which stay where they are.
  ///
  /// - Parameters:
  ///   - from: where the row stands.
  ///   - target: where it is dragged to, once it is taken out.
  /// - Returns: a place among the rows of the list; `from` where that is no row of the list.
  public func target(of from: RowPath, to target: RowPath) -> RowPath {
    guard let source = listPath(of: from), listPath(of: target) == nil else {
      return listPath(of: from) == nil ? from : target
    }
    if target.section < offset { return path(ofListRow: RowPath(section: 0, row: 0)) }
    let last = list.sections.count - 1
    let count = list.sections[last].count - (source.section == last ? 1 : 0)
    return path(ofListRow: RowPath(section: last, row: count))
  }

  /// Moves a row by hand, as a reader drags it: the list will say the same in a moment.
  ///
  /// - Returns: from where to where the row went in the list, and the item that stands above it
  ///   now: `nil` at the head.
  /// - Complexity: O(log *n* + sections), and O(rows above) where those are gaps.
  mutating func move(
    _ from: RowPath, to target: RowPath
  ) -> (move: ListChanges.Move, above: Item?)? {
    guard let source = listPath(of: from),
      let place = listPath(of: self.target(of: from, to: target))
    else { return nil }
    list = list.moving(source, to: place)
    return (ListChanges.Move(from: source, to: place), item(above: place))
  }

  /// The item of the nearest row above a place in the list that shows one.
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
