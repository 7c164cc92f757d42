public import Foundation

/// The rows of a view that stands in for a table or collection view: their cells, heights and
/// selection, and the rules that real views hold their users to.
///
/// What breaks a rule is kept in `violations`, where a real view raises an exception.
@MainActor
public final class StubRows<Cell: AnyObject> {
  /// A row as the view holds it.
  public struct Slot {
    public var cell: Cell?
    public var height: Double
    public var isSelected = false
    /// Where it stood when the data source was told that it is near; nobody was told of one that
    /// was visible.
    var nearAt: IndexPath?
    var wasVisible = false
  }

  /// A view that was reloaded counts its rows when they are asked for, or when it is laid out.
  public internal(set) var sections: [[Slot]] {
    get {
      countIfNeeded()
      return counted
    }
    _modify {
      countIfNeeded()
      yield &counted
    }
  }
  private var counted: [[Slot]] = []
  /// Whether it was reloaded and has not counted its rows since.
  public private(set) var isStale = true
  /// How long the content was when it was last laid out.
  public private(set) var lengthShown = 0.0
  public private(set) var violations: [String] = []

  // What is counted.
  public private(set) var cellsAsked = 0
  public internal(set) var batches = 0
  public private(set) var reloads = 0
  public private(set) var reconfigured = 0

  // What the view asks its data source.
  public var countSections: () -> Int = { 0 }
  public var countRows: (Int) -> Int = { _ in 0 }
  public var makeCell: (IndexPath) -> Cell? = { _ in nil }
  public var prefetch: ([IndexPath]) -> Void = { _ in }
  public var cancelPrefetching: ([IndexPath]) -> Void = { _ in }
  /// Gives a cell back for reuse.
  public var recycle: (Cell) -> Void = { _ in }
  /// How high a row is.
  public var height: (IndexPath) -> Double = { _ in 44 }
  /// How high rows are taken to be until they have a cell, in views whose cells size themselves.
  public var estimate: Double?
  /// How high the header of a section is.
  public var headerHeight: (Int) -> Double = { _ in 0 }
  private(set) var headers: [Double] = []
  /// Scrolls elsewhere before rows are laid out, where the content or the delegate demands it.
  public var willLayOut: (_ isBatch: Bool) -> Void = { _ in }
  /// What is visible; `nil` where the view is in no window.
  public var visible: () -> Range<Double>? = { nil }
  /// The cell that is being configured anew, and its path.
  private var reconfiguring: (cell: Cell, path: IndexPath)?

  private var batch: StubBatch?
  private var depth = 0
  private var isAsking = false
  /// Whether a reader drags a row: the view is left alone until it is dropped.
  public var isReordering = false

  public init() {}

  public func report(_ violation: String) { violations.append(violation) }

  private var counts: [Int] { sections.map(\.count) }
  private var countsOfSource: [Int] { (0..<countSections()).map(countRows) }

  // MARK: - Loading

  public func reload() {
    MainActor.assertIsolated()
    reloads += 1
    if batch != nil || isAsking { report("reloadData while the view is at work") }
    if isReordering { report("reloadData while a row is dragged") }
    for slot in counted.joined() { if let cell = slot.cell { recycle(cell) } }
    counted = []
    isStale = true
    guard visible() != nil else { return }
    lengthShown = length
    willLayOut(false)
    layout()
  }

  private func countIfNeeded() {
    guard isStale else { return }
    isStale = false
    counted = countsOfSource.enumerated().map { section, count in
      (0..<count).map { makeSlot(at: IndexPath(row: $0, section: section)) }
    }
    countHeaders()
  }

  func countHeaders() { headers = counted.indices.map(headerHeight) }

  func makeSlot(at path: IndexPath) -> Slot { Slot(height: estimate ?? height(path)) }

  // MARK: - Batches

  public func begin() {
    MainActor.assertIsolated()
    if isAsking { report("a batch while the view asks for a cell") }
    if isReordering { report("a batch while a row is dragged") }
    depth += 1
    if batch == nil { batch = StubBatch() }
  }

  /// Adds to the batch; outside of one, it is a batch of its own.
  public func change(_ body: (inout StubBatch) -> Void) {
    begin()
    if batch != nil { body(&batch!) }
    end()
  }

  public func end() {
    depth -= 1
    guard depth == 0, let all = batch else { return }
    batch = nil
    batches += 1
    let after = countsOfSource
    let found = all.violations(before: counts, after: after)
    guard found.isEmpty else {
      violations += found
      return reload()
    }
    perform(all)
    if counts != after { report("\(counts) rows are shown, the data source has \(after)") }
    countHeaders()
    lengthShown = length
    willLayOut(true)
    layout()
  }

  private func perform(_ batch: StubBatch) {
    for path in batch.reloadedRows { take(&sections[path.section][path.row]) }
    let moved = batch.moves.map { (slot: sections[$0.from.section][$0.from.row], to: $0.to) }
    for path in batch.deletedRows { take(&sections[path.section][path.row]) }
    for path in (batch.deletedRows + batch.moves.map(\.from)).sorted().reversed() {
      sections[path.section].remove(at: path.row)
    }
    for section in batch.deletedSections.sorted().reversed() {
      for row in counted[section].indices { take(&counted[section][row]) }
      sections.remove(at: section)
    }
    for section in batch.insertedSections.sorted() {
      sections.insert(
        (0..<countRows(section)).map { makeSlot(at: IndexPath(row: $0, section: section)) },
        at: section)
    }
    let inserted = batch.insertedRows.map { (slot: makeSlot(at: $0), to: $0) }
    for row in (inserted + moved).sorted(by: { $0.to < $1.to }) {
      sections[row.to.section].insert(row.slot, at: row.to.row)
    }
  }

  func take(_ slot: inout Slot) {
    if let cell = slot.cell { recycle(cell) }
    slot.cell = nil
  }

  // MARK: - Cells

  public func slot(_ path: IndexPath) -> Slot? {
    guard sections.indices.contains(path.section), path.row >= 0,
      path.row < sections[path.section].count
    else { return nil }
    return sections[path.section][path.row]
  }

  /// Asks for the cells of these rows anew, of those that have one.
  ///
  /// - Parameter keepsCell: whether the data source has to answer with the cell that is there.
  public func reconfigure(_ paths: [IndexPath], keepsCell: Bool = true) {
    MainActor.assertIsolated()
    if batch != nil || isAsking { report("cells are configured anew while the view is at work") }
    if isReordering { report("cells are configured anew while a row is dragged") }
    for path in paths {
      guard let slot = slot(path) else {
        report("no row to configure anew at \(path)")
        continue
      }
      guard let old = slot.cell else { continue }
      reconfigured += 1
      if keepsCell { reconfiguring = (old, path) }
      let new = ask(path)
      reconfiguring = nil
      // The old one was in use until now, so another one was dequeued.
      if !keepsCell { recycle(old) }
      if keepsCell, new !== old { report("another cell was dequeued to configure \(path) anew") }
      sections[path.section][path.row].cell = new
    }
  }

  /// The cell at this path, if it is the one that is being configured anew.
  public func reconfiguring(at path: IndexPath) -> Cell? {
    reconfiguring.flatMap { $0.path == path ? $0.cell : nil }
  }

  /// Asks how high these rows are.
  public func measure(_ paths: [IndexPath]) {
    for path in paths where slot(path) != nil {
      sections[path.section][path.row].height = height(path)
    }
    layout()
  }

  private func ask(_ path: IndexPath) -> Cell? {
    cellsAsked += 1
    isAsking = true
    defer { isAsking = false }
    return makeCell(path)
  }

  /// Measures a row that comes on screen, if its height was an estimate until now.
  private func measureIfVisible(
    _ row: Int, _ section: Int, from top: Double, _ visible: Range<Double>
  ) {
    let slot = counted[section][row]
    guard estimate != nil, slot.cell == nil, (top..<(top + slot.height)).overlaps(visible) else {
      return
    }
    counted[section][row].height = height(IndexPath(row: row, section: section))
  }

  /// Gives rows that are visible a cell, and takes that of others.
  public func layout() {
    guard let visible = visible() else { return }
    countIfNeeded()
    defer { lengthShown = self.length }
    let length = visible.upperBound - visible.lowerBound
    let near = (visible.lowerBound - length)..<(visible.upperBound + length)
    var (asked, cancelled): ([IndexPath], [IndexPath]) = ([], [])
    var top = 0.0
    for section in sections.indices {
      top += headers[section]
      for row in counted[section].indices {
        measureIfVisible(row, section, from: top, visible)
        let slot = counted[section][row]
        let place = top..<(top + slot.height)
        let path = IndexPath(row: row, section: section)
        top = place.upperBound
        if place.overlaps(visible) {
          counted[section][row].wasVisible = true
          counted[section][row].nearAt = nil
          if slot.cell == nil { counted[section][row].cell = ask(path) }
        } else {
          if slot.cell != nil { take(&counted[section][row]) }
          let isNear = place.overlaps(near)
          if isNear, !slot.wasVisible, slot.nearAt == nil {
            asked.append(path)
            counted[section][row].nearAt = path
          } else if !isNear {
            if let near = slot.nearAt { cancelled.append(near) }
            counted[section][row].nearAt = nil
            counted[section][row].wasVisible = false
          }
        }
      }
    }
    if !asked.isEmpty { prefetch(asked) }
    if !cancelled.isEmpty { cancelPrefetching(cancelled) }
  }
}
