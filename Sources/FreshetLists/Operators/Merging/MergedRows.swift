/// Several lists merged into one, in the order of a key.
///
/// **No row is shown if another one may still be loaded above it** (rule X5). Every part must be
/// known to hold no other row above it. So rows are held back after the end of a part that may
/// have more, and above a part that may begin in the middle. Rows that belong in a gap of another
/// part are held back too: the gap represents them all.
///
/// Rows with equal keys are ordered by their parts, and rows of one part keep the part's order. If
/// parts share an id, the first part's row is used. Each part is expected to be in the order of
/// the key. If it is not, its rows are ordered by their keys.
@usableFromInline
package struct MergedRows<Row: ListItem, Key: Comparable & Sendable>: Sendable {
  /// The rows that are shown.
  @inlinable package var rows: RowTree<Row> { shownRows }
  @usableFromInline var shownRows = RowTree<Row>()
  @usableFromInline var parts: [MergedPart<Row, Key>]
  /// The rows of all parts, in order, including the rows that are held back.
  @usableFromInline var entries = CountedTree<Entry>()
  @usableFromInline var hidden = HiddenRanges()
  @usableFromInline let order: MergeOrder<Row, Key>

  @usableFromInline typealias Entry = MergedPart<Row, Key>.Entry

  /// Creates a merge of empty parts, each of which may have more rows.
  ///
  /// - Parameters:
  ///   - parts: the number of lists.
  ///   - direction: whether keys ascend or descend.
  ///   - key: returns the key that orders a row. It is called once when the row is inserted or
  ///     changes. It returns `nil` for a gap, after which its part may hold unseen rows.
  @inlinable
  package init(
    parts: Int, _ direction: ListDirection = .forward, by key: @escaping @Sendable (Row) -> Key?
  ) {
    order = MergeOrder(direction: direction)
    self.parts = (0..<parts).map { MergedPart(number: $0, key: key) }
  }

  /// Creates a merge of empty parts that follow one another, such as drafts above a feed.
  ///
  /// The rows of a part are held back until the part above it has no more to show.
  ///
  /// - Parameters:
  ///   - parts: the number of lists.
  ///   - isGap: whether a row is a gap, after which its part may hold unseen rows.
  @inlinable
  package init(following parts: Int, isGap: @escaping @Sendable (Row) -> Bool = { _ in false })
  where Key == Int {
    order = MergeOrder(direction: .forward)
    self.parts = (0..<parts).map { part in
      MergedPart(number: part, topKey: part) { isGap($0) ? nil : part }
    }
  }

  /// Applies the edits of one part, and returns the resulting edits of the shown rows.
  ///
  /// - Parameters:
  ///   - edits: the edits of the part's rows.
  ///   - input: the part's rows after the edits.
  ///   - part: the index of the part.
  ///   - isComplete: whether the part has no more rows after its last one.
  ///   - isHeadKnown: whether the part has no more rows above its first one. If parts follow one
  ///     another, each begins at the end of the one above.
  /// - Complexity: O((*k* + gaps + parts) · log *n*) for *k* edits and rows that become hidden or
  ///   shown.
  @inlinable
  package mutating func apply(
    _ edits: RowEdits, to input: RowTree<Row>, part: Int, isComplete: Bool,
    isHeadKnown: Bool = true
  ) -> RowEdits {
    var step = MergeStep<Row, Key>()
    let renumbered = parts[part].apply(edits, to: input, &step)
    parts[part].isComplete = isComplete
    parts[part].isHeadKnown = isHeadKnown
    share(part, &step)
    let edits = perform(step, renumbered)
    let before = hidden
    hidden = HiddenRanges(parts.flatMap { unknown(in: $0) })
    let (shown, indices) = before.edits(edits, hiding: hidden)
    shownRows.perform(shown) { entries[indices[$0] ?? $0].row }
    return shown
  }

  /// Leaves each id to the first part that holds it.
  @inlinable
  func share(_ part: Int, _ step: inout MergeStep<Row, Key>) {
    func isHeld(_ id: Row.ID) -> Bool { parts[..<part].contains { $0.holds(id) } }
    func others(_ id: Row.ID) -> Entry? {
      parts[(part + 1)...].lazy.compactMap { $0.entry(of: id) }.first
    }
    if part > 0 {
      step.removed.removeAll { isHeld($0.row.id) }
      step.added.removeAll { isHeld($0.row.id) }
      step.updated.removeAll { isHeld($0.row.id) }
    }
    if step.removed.isEmpty && step.added.isEmpty { return }
    let gone = Set(step.removed.map { $0.row.id })
    let came = Set(step.added.map { $0.row.id })
    step.added += gone.subtracting(came).compactMap(others)
    step.removed += came.subtracting(gone).compactMap(others)
  }

  /// Performs a step on the rows of all parts, and returns its edits.
  @inlinable
  mutating func perform(
    _ step: MergeStep<Row, Key>, _ renumbered: [(old: Entry, new: Entry)]
  ) -> RowEdits {
    var edits = RowEdits()
    edits.deleted = step.removed.compactMap { place(of: $0) }.sorted()
    for run in edits.deleted.runs.reversed() { entries.removeSubrange(run) }
    // Renumbering changes no order: all places are found before an entry is replaced.
    let places = renumbered.map { place(of: $0.old) }
    for (place, entry) in zip(places, renumbered) {
      if let place { entries.update(entry.new, at: place) }
    }
    for entry in step.added.sorted(by: order.precedes) {
      let place = position(of: entry)
      entries.insert(entry, at: place)
      edits.inserted.append(place)
    }
    for entry in step.updated {
      guard let place = place(of: entry) else { continue }
      entries.update(entry, at: place)
      edits.updated.append(place)
    }
    edits.updated.sort()
    return edits
  }

  /// Returns the ranges of rows that are hidden because a part may hold unseen rows there.
  @inlinable
  func unknown(in part: MergedPart<Row, Key>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    if !part.isComplete { ranges.append(end(of: part)..<entries.count) }
    // If parts follow one another, none has rows among those of another: gaps and heads hide no
    // rows.
    guard part.topKey == nil else { return ranges }
    if !part.isHeadKnown { ranges.append(0..<start(of: part)) }
    return ranges
      + part.gaps.map { gap in
        let start = position(of: gap.entry) + 1
        let end = gap.below.map { position(of: $0) } ?? entries.count
        return start..<max(start, end)
      }
  }

  /// Returns the index of the first part that holds a row with an id.
  ///
  /// - Complexity: O(parts).
  @inlinable
  package func part(of id: Row.ID) -> Int? { parts.firstIndex { $0.holds(id) } }

  /// The parts whose ends hold back the most rows.
  ///
  /// More rows are shown once these parts load more.
  @inlinable
  package var openTails: [Int] {
    let open = parts.indices.filter { !parts[$0].isComplete }
    // Of parts that follow one another, the first open one decides.
    guard let part = open.first, parts[part].topKey == nil else { return Array(open.prefix(1)) }
    let first = open.map { end(of: parts[$0]) }.min()
    return open.filter { end(of: parts[$0]) == first }
  }

  /// The parts whose heads hold back the most rows.
  @inlinable
  package var openHeads: [Int] {
    let open = parts.indices.filter { !parts[$0].isHeadKnown }
    guard parts.first?.topKey == nil else { return open.first == 0 ? [0] : [] }
    let last = open.map { start(of: parts[$0]) }.max()
    return open.filter { start(of: parts[$0]) == last }
  }

  /// Returns the start of the rows that are ordered after all rows of a part.
  @inlinable
  func end(of part: MergedPart<Row, Key>) -> Int {
    if let last = part.last { return entries.partitioningIndex { order.precedes(last, $0) } }
    guard let top = part.topKey else { return 0 }
    return entries.partitioningIndex { $0.key.map { order.direction.order(top, $0) <= 0 } ?? false }
  }

  /// Returns the end of the rows that are ordered above all rows of a part.
  @inlinable
  func start(of part: MergedPart<Row, Key>) -> Int {
    part.first.map { position(of: $0) } ?? entries.count
  }

  @inlinable
  func position(of entry: Entry) -> Int {
    entries.partitioningIndex { !order.precedes($0, entry) }
  }

  @inlinable
  func place(of entry: Entry) -> Int? {
    let index = position(of: entry)
    guard index < entries.count, entries[index].part == entry.part,
      entries[index].row.id == entry.row.id
    else { return nil }
    return index
  }
}

/// The edits of a part, as rows of the merged list.
@usableFromInline
struct MergeStep<Row: ListItem, Key: Comparable & Sendable> {
  @usableFromInline var removed: [MergedPart<Row, Key>.Entry] = []
  @usableFromInline var added: [MergedPart<Row, Key>.Entry] = []
  @usableFromInline var updated: [MergedPart<Row, Key>.Entry] = []

  @inlinable init() {}
}

/// The order of the rows of a merged list.
@usableFromInline
struct MergeOrder<Row: ListItem, Key: Comparable & Sendable>: Sendable {
  @usableFromInline let direction: ListDirection

  @inlinable
  init(direction: ListDirection) { self.direction = direction }

  @inlinable
  func precedes(
    _ first: MergedPart<Row, Key>.Entry, _ second: MergedPart<Row, Key>.Entry
  ) -> Bool {
    switch (first.key, second.key) {
    case (nil, .some): return true
    case (.some, nil): return false
    case (let key?, let other?):
      let difference = direction.order(key, other)
      if difference != 0 { return difference < 0 }
      // A key that is unequal to itself, such as NaN, ties with all others, and is ordered after
      // them.
      let (isOrdered, isOtherOrdered) = (key == key, other == other)
      if isOrdered != isOtherOrdered { return isOrdered }
    case (nil, nil): break
    }
    return (first.part, first.order) < (second.part, second.order)
  }
}
