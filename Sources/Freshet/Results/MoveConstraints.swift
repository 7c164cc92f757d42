internal import FreshetLists

/// The rows of live results that the user moved, each held at the place of its drop.
///
/// A row is held until the results have it at that place themselves. This is a stage between the
/// results and the rows on display: it takes exact steps and returns exact steps. Changes of the
/// other rows are shown meanwhile.
struct MoveConstraints: Sendable {
  private struct Row: Sendable {
    var id: RowID
    let drop: Int
    /// The row above it on display; `nil` at the head.
    var above: RowID?
    /// Whether the store took it, so that only the results have to follow.
    var isWritten = false
  }

  /// Sorted from top to bottom, so that a row is placed after the row it is held below.
  private var rows: [Row] = []
  /// The step from the rows of the results to those on display; `nil` if they are the same.
  private var placement: ListStep<AnyItem>?

  /// Whether a row is still held because of a drop.
  func holds(_ drop: Int) -> Bool { rows.contains { $0.drop == drop } }

  // MARK: - Dropping and letting go

  /// Holds a row below another one from now on, or at the head if `above` is `nil`.
  ///
  /// - Parameters:
  ///   - id: the row; an earlier drop of it no longer counts.
  ///   - above: the row above it.
  ///   - drop: the number of the drop.
  ///   - shown: the contents on display.
  mutating func drop(_ id: RowID, below above: RowID?, as drop: Int, on shown: ListContents) {
    rows.removeAll { $0.id == id }
    rows.append(Row(id: id, drop: drop, above: above))
    var shown = shown
    _ = shown.put(id, below: above)
    // Rows that were dropped earlier are held at their current places, perhaps below this one.
    let places = rows.compactMap { row in shown.path(of: row.id).map { (row, place: $0) } }
    rows = places.sorted { $0.place < $1.place }.map { row, place in
      var row = row
      row.above = shown.snapshot.row(above: place)?.id
      return row
    }
  }

  /// Records that the store took a row, which is held until the results have it there.
  mutating func confirm(_ drop: Int) {
    for index in rows.indices where rows[index].drop == drop { rows[index].isWritten = true }
  }

  /// Releases a row, which is then shown where the results have it.
  mutating func release(_ drop: Int) {
    guard let index = rows.firstIndex(where: { $0.drop == drop }) else { return }
    let gone = rows.remove(at: index)
    for index in rows.indices where rows[index].above == gone.id { rows[index].above = gone.above }
  }

  /// Records the new id of an item.
  mutating func rename(_ id: RowID, to other: RowID) {
    for index in rows.indices {
      if rows[index].id == id { rows[index].id = other }
      if rows[index].above == id { rows[index].above = other }
    }
  }

  /// Releases all rows.
  mutating func releaseAll() { rows = [] }

  // MARK: - Showing

  /// Moves the held rows of the results to their held places.
  ///
  /// - Parameters:
  ///   - value: the contents of the results.
  ///   - step: the step that led to them; `nil` if their rows are the same.
  /// - Returns: the contents on display, and the step to them.
  /// - Complexity: O(1) if no row is held; otherwise that of the step, and O(*d*² log *n*) for *d*
  ///   held rows.
  mutating func show(
    _ value: ListContents, _ step: ListStep<AnyItem>?
  ) -> (value: ListContents, update: ListStep<AnyItem>?) {
    if rows.isEmpty, placement == nil { return (value, step) }
    releaseArrived(in: value)
    let (shown, next) = Self.placing(rows, in: value)
    let steps = [placement?.undone, step, next].compactMap { $0 }
    placement = next
    return (shown, Self.one(of: steps, origin: step?.origin ?? .edit))
  }

  /// Releases rows that are deleted, and rows that the results have in their places by now.
  private mutating func releaseArrived(in value: ListContents) {
    func isThere(_ id: RowID) -> Bool { value.path(of: id) != nil }
    rows.removeAll { !isThere($0.id) || !($0.above.map(isThere) ?? true) }
    for row in rows where row.isWritten {
      let others = rows.filter { $0.drop != row.drop }
      let shown = Self.placing(others, in: value).value
      if shown.place(of: row.id, below: row.above).map({ $0.from == $0.to }) ?? true {
        rows = others
      }
    }
  }

  private static func placing(
    _ rows: [Row], in value: ListContents
  ) -> (value: ListContents, placement: ListStep<AnyItem>?) {
    var shown = value
    let steps = rows.compactMap { shown.put($0.id, below: $0.above) }
    return (shown, one(of: steps, origin: .edit))
  }

  /// Combines consecutive steps into one; returns `nil` if there are none.
  private static func one(
    of steps: [ListStep<AnyItem>], origin: ListOrigin
  ) -> ListStep<AnyItem>? {
    guard let first = steps.first, let last = steps.last else { return nil }
    let all = steps.dropFirst().reduce(first as ListStep<AnyItem>?) { $0?.followed(by: $1) }
    let changes = all?.changes ?? last.after.changes(from: first.before)
    return ListStep(before: first.before, after: last.after, changes: changes, origin: origin)
  }
}

extension ListStep {
  /// The reverse of a step that only moved rows.
  fileprivate var undone: ListStep {
    var back = ListChanges()
    back.movedRows = changes.movedRows.map { ListChanges.Move(from: $0.to, to: $0.from) }
    return ListStep(before: after, after: before, changes: back, origin: .edit)
  }
}

extension ListSnapshot {
  /// Returns the row above a place.
  fileprivate func row(above place: RowPath) -> Item? {
    if place.row > 0 { return sections[place.section].rows[place.row - 1] }
    return sections[..<place.section].last { $0.count > 0 }?.rows.last
  }
}

extension ListContents {
  fileprivate var snapshot: ListSnapshot<AnyItem> { ListSnapshot(refs: list) }

  func path(of id: RowID) -> RowPath? { places.path(of: id, in: snapshot) }

  /// Returns the place of a row, and its place below another row; `nil` if the row is not shown.
  ///
  /// The second place counts as if the row were already taken out. Between two sections, the row
  /// stays in its own section.
  fileprivate func place(
    of id: RowID, below above: RowID?
  ) -> (from: RowPath, to: RowPath)? {
    guard let from = path(of: id) else { return nil }
    if above == id { return (from, from) }
    guard let above, let top = path(of: above) else {
      return (from, RowPath(section: 0, row: 0))
    }
    let isLast = top.row == snapshot.sections[top.section].count - 1
    if isLast, from.section == top.section + 1 {
      return (from, RowPath(section: from.section, row: 0))
    }
    let isTakenAbove = from.section == top.section && from.row < top.row
    return (from, RowPath(section: top.section, row: top.row + (isTakenAbove ? 0 : 1)))
  }

  /// Moves a row below another one.
  ///
  /// - Returns: the step; `nil` if the row is already there, or is not shown.
  fileprivate mutating func put(_ id: RowID, below above: RowID?) -> ListStep<AnyItem>? {
    guard let place = place(of: id, below: above), place.from != place.to else { return nil }
    let before = snapshot
    let after = before.moving(place.from, to: place.to)
    var changes = ListChanges()
    changes.movedRows = [ListChanges.Move(from: place.from, to: place.to)]
    list = after.refs
    places.apply(changes, from: before, to: after)
    return ListStep(before: before, after: after, changes: changes, origin: .edit)
  }
}
