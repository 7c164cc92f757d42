/// The rows of a sorted list, whatever its items are.
@usableFromInline
struct SortedRows: Sendable {
  struct Section: Sendable {
    let name: String
    /// Some row of the section, by which it is compared with others.
    let sample: RowRef
  }

  @usableFromInline private(set) var layout: RowArrangement
  /// The list as it is shown.
  @usableFromInline var shown = SnapshotRefs()
  /// All rows that the arrangement includes, in its sections.
  var index = RowIndex()
  /// What is known of each section of the index.
  var sections: [Section] = []
  /// Where the section with a name is.
  var places: [String: Int] = [:]
  /// The rows that the arrangement does not include.
  var hidden: [RowID: RowRef] = [:]
  var arrivals: Arrivals

  @usableFromInline
  init(_ rows: [RowRef], _ layout: RowArrangement) {
    self.layout = layout
    arrivals = Arrivals(isNeeded: layout.ids == nil)
    load(rows)
  }

  // MARK: - Looking

  /// How many rows there are, shown or not.
  @usableFromInline var count: Int { index.count + hidden.count }

  /// Whether the limit leaves rows out.
  @usableFromInline var isCut: Bool { shown.count < index.count }

  /// All rows, shown or not.
  @usableFromInline var all: [RowRef] {
    index.sections.flatMap { Array($0.rows.rows) } + Array(hidden.values)
  }

  /// The row with the id of another row, or of a key.
  @usableFromInline
  func row(like row: RowRef) -> RowRef? {
    index.path(of: row).map { index[$0] } ?? (hidden.isEmpty ? nil : hidden[RowID(row)])
  }

  /// Where the row is shown that has the id of another row, or of a key.
  @usableFromInline
  func path(of row: RowRef) -> RowPath? { index.path(of: row, in: shown) }

  // MARK: - Laying out

  /// Lays out the first rows there are; of those with the same id, the last one counts.
  mutating func load(_ rows: [RowRef]) {
    let rows = Self.unique(rows)
    arrivals.note(rows)
    layOut(rows)
    show()
  }

  /// Lays the rows out in another way, and returns what that does to the screen.
  @usableFromInline
  mutating func arrange(_ layout: RowArrangement) -> ListChanges {
    self.layout = layout
    let before = shown
    // Where each row stood is known, so that no difference of the lists is looked for.
    let rows = all
    let order = layOut(rows)
    show()
    return ListChanges(
      from: before, to: shown,
      sources: order.prefix(shown.count).map { RowSource(Int($0), in: before) })
  }
}
