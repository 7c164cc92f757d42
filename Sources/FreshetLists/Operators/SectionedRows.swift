/// The rows of one list in sections.
///
/// Sections are in the order of their first rows, and the rows of a section are in the order of
/// the list. A name that repeats further down makes no second section: its rows join the first
/// (rule A1). The name of a row is requested when the row is inserted or changes. No section is
/// empty.
@usableFromInline
package struct SectionedRows<Row: ListItem>: Sendable {
  /// The rows in their sections.
  @inlinable package var snapshot: ListSnapshot<Row> { shown }
  @usableFromInline var shown = ListSnapshot<Row>()
  /// The section of each row, in the order of the list.
  @usableFromInline var names = OrderedTree<String>()
  @usableFromInline var sections: [String: OrderedRows<Row>] = [:]
  /// The first row of each section of the snapshot, by its name.
  @usableFromInline var starts: [String: RowOrder] = [:]
  /// The first row of each section of the snapshot, ascending.
  @usableFromInline var firsts: [RowOrder] = []
  /// The orders of rows without a section of their own, ascending.
  @usableFromInline var followers: [RowOrder] = []
  @usableFromInline let name: @Sendable (Row) -> String?

  /// Creates a transform that groups rows into sections by their names.
  ///
  /// - Parameter name: returns the section of a row, or `nil` for a row without one, such as a
  ///   gap. Such a row belongs to the section of the row above it, or at the top of the row below
  ///   it.
  @inlinable
  package init(by name: @escaping @Sendable (Row) -> String?) { self.name = name }

  /// The changes of one section.
  @usableFromInline
  struct Change {
    /// As indices before the changes.
    @usableFromInline var deleted: [Int] = []
    @usableFromInline var inserted: [RowOrder] = []
    @usableFromInline var updated: [RowOrder] = []

    @inlinable init() {}
  }

  /// The place of a row before the changes.
  @usableFromInline
  struct Place {
    @usableFromInline let section: String
    @usableFromInline let row: Int

    @inlinable
    init(section: String, row: Int) {
      self.section = section
      self.row = row
    }
  }

  /// Applies the edits of the list.
  ///
  /// - Returns: the batch that leads from the previous snapshot to the new one.
  /// - Complexity: O(*k* log *n* + sections + gaps) for *k* edits. O(sections log sections) if
  ///   several sections move past others, or if one passes fewer rows than it has.
  @inlinable
  package mutating func apply(_ edits: RowEdits, to input: RowTree<Row>) -> ListChanges {
    var changes: [String: Change] = [:]
    // The places before the edits are looked up before anything moves.
    let updatedBefore = edits.updated.map { place(at: names.orders[edits.placeBefore($0)]) }
    let places = Dictionary(uniqueKeysWithValues: followers.map { ($0, place(at: $0)) })
    remove(edits.deleted, &changes)
    // The order of a deleted row may be reused for another row.
    var followersBefore: [RowOrder: Place] = [:]
    for order in followers { followersBefore[order] = places[order] }
    for run in edits.inserted.runs {
      insert(run, of: input, &changes) { renumbering in
        var renumbered: [RowOrder: Place] = [:]
        for (order, place) in followersBefore { renumbered[renumbering.order(order)] = place }
        followersBefore = renumbered
      }
    }
    for (index, before) in zip(edits.updated, updatedBefore) {
      let (row, order) = (input[index], names.orders[index])
      followers.removeAll { $0 == order }
      if let name = name(row) {
        move(row, order, from: before, to: name, isChanged: true, &changes)
      } else {
        note(follower: order)
        followersBefore[order] = before
        sections[before.section]?.update(row, at: order)
        changes[before.section, default: Change()].updated.append(order)
      }
    }
    for order in followers {
      follow(order, in: input, before: followersBefore[order], &changes)
    }
    return show(changes)
  }

  // MARK: - Rows

  @inlinable
  func place(at order: RowOrder) -> Place {
    let section = names.rows[names.index(of: order)]
    return Place(section: section, row: sections[section]?.index(of: order) ?? 0)
  }

  @inlinable
  mutating func remove(_ deleted: [Int], _ changes: inout [String: Change]) {
    var orders: [String: [RowOrder]] = [:]
    for index in deleted {
      let order = names.orders[index]
      let place = place(at: order)
      changes[place.section, default: Change()].deleted.append(place.row)
      orders[place.section, default: []].append(order)
    }
    for (section, orders) in orders { sections[section]?.remove(orders) }
    let gone = Set(orders.values.joined())
    if !gone.isEmpty { followers.removeAll(where: gone.contains) }
    names.removeRows(deleted)
  }

  @inlinable
  mutating func insert(
    _ run: Range<Int>, of input: RowTree<Row>, _ changes: inout [String: Change],
    renumbered: (Renumbering) -> Void
  ) {
    let rows = run.map { input[$0] }
    let new = rows.map(name)
    if let renumbering = names.insert(new.map { $0 ?? "" }, at: run.lowerBound) {
      let start = names.index(of: renumbering.order(renumbering.range.lowerBound))
      let end = names.index(of: renumbering.order(renumbering.range.upperBound)) + 1
      for section in Set(names.rows.slice(start..<end)) { sections[section]?.renumber(renumbering) }
      for section in changes.keys {
        let inserted = changes[section]?.inserted ?? []
        changes[section]?.inserted = inserted.map(renumbering.order(_:))
      }
      followers = followers.map(renumbering.order(_:))
      firsts = firsts.map(renumbering.order(_:))
      starts = starts.mapValues(renumbering.order(_:))
      renumbered(renumbering)
    }
    var content: [String: [(order: RowOrder, row: Row)]] = [:]
    // Indices instead of a zipped sequence: in generic code, each of its steps costs more than its
    // work.
    let orders = ContiguousArray(names.orders.slice(run))
    for place in rows.indices {
      if let name = new[place] {
        content[name, default: []].append((orders[place], rows[place]))
      } else {
        note(follower: orders[place])
      }
    }
    for (section, rows) in content {
      sections[section, default: OrderedRows()].insert(rows)
      changes[section, default: Change()].inserted += rows.map { $0.order }
    }
  }

  @inlinable
  mutating func note(follower order: RowOrder) {
    followers.insert(order, at: followers.partition { $0 >= order })
  }

  /// Moves a row without a section of its own into the section of the row above it.
  ///
  /// At the top of the list, it joins the section of the row below it.
  @usableFromInline
  mutating func follow(
    _ order: RowOrder, in input: RowTree<Row>, before: Place?, _ changes: inout [String: Change]
  ) {
    let index = names.index(of: order)
    let neighbour =
      (0..<index).last { !isFollower($0) }
      ?? ((index + 1)..<input.count).first { !isFollower($0) }
    let section = neighbour.map { names.rows[$0] } ?? ""
    move(input[index], order, from: before, to: section, isChanged: false, &changes)
  }

  @inlinable
  func isFollower(_ index: Int) -> Bool {
    let order = names.orders[index]
    let place = followers.partition { $0 >= order }
    return place < followers.count && followers[place] == order
  }

  @inlinable
  mutating func move(
    _ row: Row, _ order: RowOrder, from before: Place?, to section: String, isChanged: Bool,
    _ changes: inout [String: Change]
  ) {
    if let before, before.section == section {
      guard isChanged else { return }
      sections[section]?.update(row, at: order)
      changes[section, default: Change()].updated.append(order)
      return
    }
    if let before {
      sections[before.section]?.remove([order])
      changes[before.section, default: Change()].deleted.append(before.row)
      changes[before.section]?.updated.removeAll { $0 == order }
    }
    names.update(section, at: order)
    sections[section, default: OrderedRows()].insert([(order: order, row: row)])
    changes[section, default: Change()].inserted.append(order)
  }
}
