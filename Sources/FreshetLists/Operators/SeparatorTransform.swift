/// A list with separators between its rows.
///
/// Examples of separators are day dividers, headers, an advertisement and "new since you left". A
/// separator is directly above the row for which it was made. It stays while rows around it are
/// inserted and removed, as long as its id is the same. If an id repeats further down, the
/// repeated separators are numbered.
@usableFromInline
package struct SeparatorTransform<Item: ListItem, Separator: ListItem>: ListTransform {
  /// The rows and the separators between them.
  @inlinable package var rows: RowTree<SeparatedRow<Item, Separator>> { shown }
  @usableFromInline var shown = RowTree<SeparatedRow<Item, Separator>>()
  @usableFromInline var items = OrderedRows<Item>()
  /// The separators, by the order of the row below each.
  @usableFromInline var separators = OrderedRows<Separator>()
  /// The orders of the separators with an id, ascending.
  @usableFromInline var places: [Separator.ID: [RowOrder]] = [:]
  @usableFromInline let isPassedOver: @Sendable (Item) -> Bool
  @usableFromInline let separator: @Sendable (_ above: Item?, _ below: Item) -> Separator?

  /// Creates a transform that inserts the separators that a closure returns.
  ///
  /// `separator` is called for each row that is inserted or changes, and for the row below it. It
  /// receives the row above, or `nil` at the top of the list.
  ///
  /// - Parameters:
  ///   - isPassedOver: whether a row, such as a gap, has no separator and is no neighbour of other
  ///     rows.
  ///   - separator: returns the separator between two rows, or `nil` for none.
  @inlinable
  package init(
    passingOver isPassedOver: @escaping @Sendable (Item) -> Bool = { _ in false },
    _ separator: @escaping @Sendable (_ above: Item?, _ below: Item) -> Separator?
  ) {
    self.isPassedOver = isPassedOver
    self.separator = separator
  }

  /// The change of the separator above a row.
  @usableFromInline
  struct Boundary {
    /// The index of the row after the edits.
    @usableFromInline let index: Int
    /// The separator above the row and its place, both before the edits; an inserted row had none.
    @usableFromInline let old: (separator: Separator, place: Int)?
    @usableFromInline let new: Separator?
    @inlinable var isKept: Bool { old != nil && old?.separator.id == new?.id }

    @inlinable
    init(index: Int, old: (separator: Separator, place: Int)?, new: Separator?) {
      self.index = index
      self.old = old
      self.new = new
    }
  }

  /// Applies edits, and updates the separators above the changed rows and the rows after them.
  ///
  /// - Complexity: O(*k* log *n*) for *k* edits, and more if ids of separators repeat.
  @inlinable
  package mutating func apply(_ edits: RowEdits, to input: RowTree<Item>) -> RowEdits {
    let boundaries = boundaries(of: edits, in: input)
    let gone = edits.deleted.map { items.orders[$0] }
    let dropped = boundaries.filter { $0.old != nil && !$0.isKept }
    let lost = gone.compactMap { order in separator(at: order).map { ($0.id, order) } }
    let repeated = repeatedIDs(
      lost.map { $0.0 } + dropped.compactMap { $0.old?.separator.id },
      boundaries.lazy.filter { !$0.isKept }.compactMap { $0.new?.id })
    // The places before the edits are looked up before anything moves.
    var result = RowEdits()
    result.deleted = gone.map { place(of: $0) } + gone.compactMap { placeOfSeparator($0) }
    result.deleted += dropped.compactMap { $0.old?.place }
    for id in repeated { result.deleted += (places[id] ?? []).compactMap(placeOfSeparator) }

    for (id, order) in lost { remove(id, at: order) }
    for boundary in dropped {
      let order = items.orders[edits.placeBefore(boundary.index)]
      if let old = boundary.old { remove(old.separator.id, at: order) }
    }
    items.removeRows(edits.deleted)
    for run in edits.inserted.runs {
      if let renumbering = items.insert(run.map { input[$0] }, at: run.lowerBound) {
        renumber(renumbering)
      }
    }
    for index in edits.updated { items.update(input[index], at: items.orders[index]) }
    for boundary in boundaries { if let new = boundary.new { put(new, boundary) } }
    show(edits, boundaries, repeated, &result)
    return result
  }

  /// Completes the edits with insertions and updates, and performs them on the shown rows.
  @inlinable
  mutating func show(
    _ edits: RowEdits, _ boundaries: [Boundary], _ repeated: Set<Separator.ID>,
    _ result: inout RowEdits
  ) {
    var named: [Int: SeparatedRow<Item, Separator>] = [:]
    func note(_ list: WritableKeyPath<RowEdits, [Int]>, _ order: RowOrder, separator: Bool) {
      let place = separator ? placeOfSeparator(order) : place(of: order)
      guard let place, named[place] == nil else { return }
      result[keyPath: list].append(place)
      named[place] = separator ? row(ofSeparator: order) : .item(items.rows[items.index(of: order)])
    }
    for id in repeated {
      for order in places[id] ?? [] { note(\.inserted, order, separator: true) }
    }
    for index in edits.inserted { note(\.inserted, items.orders[index], separator: false) }
    for index in edits.updated { note(\.updated, items.orders[index], separator: false) }
    for boundary in boundaries where boundary.new != nil {
      if !boundary.isKept {
        note(\.inserted, items.orders[boundary.index], separator: true)
      } else if boundary.old?.separator != boundary.new {
        note(\.updated, items.orders[boundary.index], separator: true)
      }
    }
    result = RowEdits(
      deleted: Set(result.deleted).sorted(), inserted: result.inserted.sorted(),
      updated: result.updated.sorted())
    let old = shown
    shown.perform(result) { named[$0] ?? old[$0] }
  }

  // MARK: - Boundaries

  /// Returns the separators that edits may change, top to bottom.
  @inlinable
  func boundaries(of edits: RowEdits, in input: RowTree<Item>) -> [Boundary] {
    var indices = Set(edits.inserted + edits.updated)
    for index in edits.inserted + edits.updated {
      indices.insert(neighbour(from: index + 1, in: input))
    }
    for index in edits.deleted {
      indices.insert(neighbour(from: edits.placeAfter(index), in: input))
    }
    let came = Set(edits.inserted)
    return indices.filter { $0 < input.count }.sorted().map { index in
      var old: (separator: Separator, place: Int)?
      if !came.contains(index) {
        let order = items.orders[edits.placeBefore(index)]
        if let separator = separator(at: order), let place = placeOfSeparator(order) {
          old = (separator, place)
        }
      }
      let row = input[index]
      if isPassedOver(row) { return Boundary(index: index, old: old, new: nil) }
      let above = neighbour(from: index - 1, by: -1, in: input)
      return Boundary(
        index: index, old: old, new: separator(above < 0 ? nil : input[above], row))
    }
  }

  /// Returns the index of the first row from `start` on that is not passed over.
  ///
  /// If there is none, it returns the first index outside of the list.
  @inlinable
  func neighbour(from start: Int, by step: Int = 1, in input: RowTree<Item>) -> Int {
    var index = start
    while input.indices.contains(index), isPassedOver(input[index]) { index += step }
    return index
  }

  /// Returns the ids of removed and new separators that occur more than once.
  ///
  /// The count includes the separators before the edits and the new ones.
  @inlinable
  func repeatedIDs(_ gone: [Separator.ID], _ new: [Separator.ID]) -> Set<Separator.ID> {
    if gone.isEmpty && new.isEmpty { return [] }
    var counts: [Separator.ID: Int] = [:]
    for id in gone + new { counts[id] = places[id]?.count ?? 0 }
    for id in new { counts[id]? += 1 }
    return Set(counts.lazy.filter { $0.value > 1 }.map { $0.key })
  }

  @inlinable
  mutating func put(_ new: Separator, _ boundary: Boundary) {
    let order = items.orders[boundary.index]
    if boundary.isKept {
      separators.update(new, at: order)
    } else {
      separators.insert([(order: order, row: new)])
      let at = places[new.id, default: []].partition { $0 >= order }
      places[new.id, default: []].insert(order, at: at)
    }
  }

  @inlinable
  mutating func remove(_ id: Separator.ID, at order: RowOrder) {
    separators.remove([order])
    places[id]?.removeAll { $0 == order }
    if places[id]?.isEmpty == true { places[id] = nil }
  }

  @usableFromInline
  mutating func renumber(_ renumbering: Renumbering) {
    let start = separators.index(of: renumbering.range.lowerBound)
    let end = separators.index(of: renumbering.range.upperBound + 1)
    for id in Set(separators.rows.slice(start..<end).map { $0.id }) {
      places[id] = places[id]?.map(renumbering.order(_:))
    }
    separators.renumber(renumbering)
  }

  // MARK: - Places

  /// Returns the index of an item among all rows, by its order.
  @inlinable
  func place(of order: RowOrder) -> Int {
    items.index(of: order) + separators.index(of: order + 1)
  }

  @inlinable
  func placeOfSeparator(_ order: RowOrder) -> Int? {
    separator(at: order).map { _ in items.index(of: order) + separators.index(of: order) }
  }

  @inlinable
  func separator(at order: RowOrder) -> Separator? {
    let index = separators.index(of: order)
    return index < separators.count && separators.orders[index] == order
      ? separators.rows[index] : nil
  }

  @inlinable
  func row(ofSeparator order: RowOrder) -> SeparatedRow<Item, Separator>? {
    separator(at: order).map {
      .separator($0, occurrence: places[$0.id]?.firstIndex(of: order) ?? 0)
    }
  }
}
