/// One of the lists that make up a merged list.
@usableFromInline
struct MergedPart<Row: ListItem, Key: Comparable & Sendable>: Sendable {
  /// A row, and the values that decide its place.
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline let row: Row
    /// The key of the row; for a gap, the key of the row above it.
    ///
    /// A gap above all rows of its part has the key of the part's top. That is `nil` if the gap
    /// may be above the rows of all parts.
    @usableFromInline let key: Key?
    @usableFromInline let part: Int
    /// The order of the row in its part.
    @usableFromInline let order: RowOrder

    @inlinable
    init(row: Row, key: Key?, part: Int, order: RowOrder) {
      self.row = row
      self.key = key
      self.part = part
      self.order = order
    }
  }

  /// A gap, and the row below it.
  @usableFromInline
  struct OpenGap: Sendable {
    @usableFromInline let entry: Entry
    @usableFromInline let below: Entry?
  }

  /// Whether there are no rows after the last one.
  @usableFromInline var isComplete = false
  /// Whether there are no rows above the first one.
  @usableFromInline var isHeadKnown = true
  /// The gaps, top to bottom.
  @usableFromInline var gaps: [OpenGap] = []

  @usableFromInline let number: Int
  @usableFromInline let key: @Sendable (Row) -> Key?
  /// The key at which the part begins, if that does not depend on its rows.
  @usableFromInline let topKey: Key?
  @usableFromInline var content = OrderedTree<Keyed>()
  @usableFromInline var orders: [Row.ID: RowOrder] = [:]
  @usableFromInline var gapOrders: [RowOrder] = []

  @usableFromInline
  struct Keyed: Sendable {
    @usableFromInline let row: Row
    @usableFromInline let key: Key?

    @inlinable
    init(row: Row, key: Key?) {
      self.row = row
      self.key = key
    }
  }

  @inlinable
  init(number: Int, topKey: Key? = nil, key: @escaping @Sendable (Row) -> Key?) {
    self.number = number
    self.topKey = topKey
    self.key = key
  }

  @inlinable
  func holds(_ id: Row.ID) -> Bool { orders[id] != nil }

  @inlinable
  func entry(of id: Row.ID) -> Entry? { orders[id].map(entry(at:)) }

  /// The first row or gap.
  @inlinable
  var first: Entry? { end(at: 0, gaps.first) }

  /// The last row or gap.
  @inlinable
  var last: Entry? { end(at: content.count - 1, gaps.last) }

  @inlinable
  func end(at index: Int, _ gap: OpenGap?) -> Entry? {
    guard content.rows.indices.contains(index) else { return nil }
    let keyed = content.rows[index]
    return keyed.key == nil ? gap?.entry : entry(keyed, content.orders[index])
  }

  /// Applies edits, and adds their effect on the merged list to `step`.
  ///
  /// - Returns: the renumbered rows, without those that were inserted or replaced.
  @inlinable
  mutating func apply(
    _ edits: RowEdits, to input: RowTree<Row>, _ step: inout MergeStep<Row, Key>
  ) -> [(old: Entry, new: Entry)] {
    for index in edits.deleted { forget(content.rows[index], content.orders[index], &step) }
    content.removeRows(edits.deleted)
    var renumbered: [RowOrder: Entry] = [:]
    for run in edits.inserted.runs { insert(run, of: input, &renumbered) }
    for index in edits.inserted {
      note(at: index, &step)
      renumbered[content.orders[index]] = nil
    }
    update(edits.updated, of: input, &renumbered, &step)
    let renumberedGaps =
      gaps.isEmpty && gapOrders.isEmpty ? [] : findGaps(renumbered, &step)
    return renumberedGaps
      + renumbered.compactMap { order, old in
        old.key.map { _ in (old, Entry(row: old.row, key: old.key, part: number, order: order)) }
      }
  }

  /// Removes a row that was deleted, or replaced by another row.
  ///
  /// - Parameter old: the row's entry in the merged list, if the row was renumbered.
  @inlinable
  mutating func forget(
    _ keyed: Keyed, _ order: RowOrder, as old: Entry? = nil, _ step: inout MergeStep<Row, Key>
  ) {
    if keyed.key == nil {
      gapOrders.removeAll { $0 == order }
    } else {
      // Another row may have taken its id.
      if orders[keyed.row.id] == order { orders[keyed.row.id] = nil }
      step.removed.append(old ?? entry(keyed, order))
    }
  }

  @inlinable
  mutating func insert(
    _ run: Range<Int>, of input: RowTree<Row>, _ renumbered: inout [RowOrder: Entry]
  ) {
    let keyed = run.map { Keyed(row: input[$0], key: key(input[$0])) }
    guard let renumbering = content.insert(keyed, at: run.lowerBound) else { return }
    // A row may be renumbered several times in one update: its first entry is the one to keep.
    var now: [RowOrder: Entry] = [:]
    for (order, entry) in renumbered { now[renumbering.order(order)] = entry }
    for (old, new) in renumbering.pairs {
      let keyed = content.rows[content.index(of: new)]
      if keyed.key != nil { orders[keyed.row.id] = new }
      if now[new] == nil { now[new] = entry(keyed, old) }
    }
    renumbered = now
    gapOrders = gapOrders.map(renumbering.order(_:))
  }

  /// Registers the inserted row or gap at an index, so that it can be found.
  @inlinable
  mutating func note(at index: Int, _ step: inout MergeStep<Row, Key>) {
    let (keyed, order) = (content.rows[index], content.orders[index])
    if keyed.key == nil {
      gapOrders.insert(order, at: gapOrders.partition { $0 >= order })
    } else {
      orders[keyed.row.id] = order
      step.added.append(entry(keyed, order))
    }
  }

  @inlinable
  mutating func update(
    _ indices: [Int], of input: RowTree<Row>, _ renumbered: inout [RowOrder: Entry],
    _ step: inout MergeStep<Row, Key>
  ) {
    var others: [Int] = []
    for index in indices {
      let (old, order) = (content.rows[index], content.orders[index])
      let new = Keyed(row: input[index], key: key(input[index]))
      content.update(new, at: order)
      if old.row.id == new.row.id, old.key == new.key {
        if new.key != nil { step.updated.append(entry(new, order)) }
      } else {
        // The merged list knows the row by the order that it had before the update.
        forget(old, order, as: renumbered.removeValue(forKey: order), &step)
        others.append(index)
      }
    }
    // A row with another id is another row. Its id may have been that of a row just removed.
    for index in others { note(at: index, &step) }
  }

  // MARK: - Gaps

  /// Finds the gaps, and adds those that were inserted, removed or changed to `step`.
  ///
  /// - Returns: the gaps that were renumbered and keep their place.
  @usableFromInline
  mutating func findGaps(
    _ renumbered: [RowOrder: Entry], _ step: inout MergeStep<Row, Key>
  ) -> [(old: Entry, new: Entry)] {
    var before = Dictionary(uniqueKeysWithValues: gaps.map { ($0.entry.order, $0.entry) })
    locateGaps()
    var moved: [(old: Entry, new: Entry)] = []
    for gap in gaps {
      let new = gap.entry
      let known = renumbered[new.order]?.order ?? new.order
      guard let old = before[known], old.row.id == new.row.id, old.key == new.key else {
        step.added.append(new)
        continue
      }
      before[known] = nil
      if old.order != new.order { moved.append((old, new)) }
      if old.row != new.row { step.updated.append(new) }
    }
    step.removed += before.values
    return moved
  }

  private mutating func locateGaps() {
    gaps = gapOrders.map { order in
      let index = content.index(of: order)
      let above = item(from: index - 1, by: -1)?.key ?? topKey
      return OpenGap(
        entry: Entry(row: content.rows[index].row, key: above, part: number, order: order),
        below: item(from: index + 1, by: 1))
    }
  }

  /// Returns the first row from an index on that is not a gap.
  @inlinable
  func item(from start: Int, by step: Int) -> Entry? {
    var index = start
    while content.rows.indices.contains(index) {
      let keyed = content.rows[index]
      if keyed.key != nil { return entry(keyed, content.orders[index]) }
      index += step
    }
    return nil
  }

  @inlinable
  func entry(at order: RowOrder) -> Entry {
    entry(content.rows[content.index(of: order)], order)
  }

  @inlinable
  func entry(_ keyed: Keyed, _ order: RowOrder) -> Entry {
    Entry(row: keyed.row, key: keyed.key, part: number, order: order)
  }
}
