/// The rows of a sorted list, without the item type.
@usableFromInline
struct SortedRows: Sendable {
  struct Section: Sendable {
    let name: String
    /// Any row of the section, which is used to compare the section with others.
    let sample: RowRef
  }

  @usableFromInline private(set) var layout: RowArrangement
  /// The shown list.
  @usableFromInline var shown = SnapshotRefs()
  /// All rows that the arrangement includes, in its sections.
  var index = RowIndex()
  /// The name and a sample row of each section of the index.
  var sections: [Section] = []
  /// The index of each section, by its name.
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

  /// The number of rows, shown or not.
  @usableFromInline var count: Int { index.count + hidden.count }

  /// Whether the limit leaves rows out.
  @usableFromInline var isCut: Bool { shown.count < index.count }

  /// All rows, shown or not.
  @usableFromInline var all: [RowRef] {
    index.sections.flatMap { Array($0.rows.rows) } + Array(hidden.values)
  }

  /// Returns the row with the id of another row, or of a key.
  @usableFromInline
  func row(like row: RowRef) -> RowRef? {
    index.path(of: row).map { index[$0] } ?? (hidden.isEmpty ? nil : hidden[RowID(row)])
  }

  /// Returns the path of the shown row that has the id of another row, or of a key.
  @usableFromInline
  func path(of row: RowRef) -> RowPath? { index.path(of: row, in: shown) }

  // MARK: - Laying out

  /// Lays out the initial rows; if several have the same id, the last one is used.
  mutating func load(_ rows: [RowRef]) {
    let rows = Self.unique(rows)
    arrivals.note(rows)
    layOut(rows)
    show()
  }

  /// Replaces the layout, and returns the changes of the shown list.
  @usableFromInline
  mutating func arrange(_ layout: RowArrangement) -> ListChanges {
    self.layout = layout
    let before = shown
    // The source of each row is known, so no difference of the lists is computed.
    let rows = all
    let order = layOut(rows)
    show()
    return ListChanges(
      from: before, to: shown,
      sources: order.prefix(shown.count).map { RowSource(Int($0), in: before) })
  }
}
