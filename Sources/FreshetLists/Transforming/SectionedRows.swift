/// The rows of one list in sections.
///
/// Sections stand in the order of their first rows, and the rows of a section in the order of the
/// list. A name that comes again further down makes no second section: its rows join the first
/// (rule A1). The name of a row is asked for when it comes or changes, and no section is empty.
public struct SectionedRows<Row: ListItem>: Sendable {
  /// The rows in their sections.
  @inlinable public var snapshot: ListSnapshot<Row> { shown }
  @usableFromInline var shown = ListSnapshot<Row>()
  /// The section of each row, in the order of the list.
  @usableFromInline var names = OrderedTree<String>()
  @usableFromInline var sections: [String: OrderedRows<Row>] = [:]
  /// The first row of each section of the snapshot, by its name.
  @usableFromInline var starts: [String: RowOrder] = [:]
  /// The first row of each section of the snapshot, ascending.
  @usableFromInline var firsts: [RowOrder] = []
  /// The rows that belong to the one above them, in order.
  @usableFromInline var followers: [RowOrder] = []
  @usableFromInline let name: @Sendable (Row) -> String?

  /// Creates a transform that puts rows into sections by their names.
  ///
  /// - Parameter name: the section of a row; `nil` for a row that belongs to the one above it, or
  ///   at the top to the one below, as a gap does.
  @inlinable
  public init(by name: @escaping @Sendable (Row) -> String?) { self.name = name }

  /// What becomes of a section.
  @usableFromInline
  struct Change {
    /// As indices before.
    @usableFromInline var deleted: [Int] = []
    @usableFromInline var inserted: [RowOrder] = []
    @usableFromInline var updated: [RowOrder] = []

    @inlinable init() {}
  }

  /// Where a row stood.
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

  /// Takes in what became of the list.
  ///
  /// - Returns: the batch that leads from the snapshot before to the one after.
  /// - Complexity: O(*k* log *n* + sections + gaps) for *k* edits, and O(sections log sections) if
  ///   several sections pass others, or one passes fewer rows than it has.
  @inlinable
  public mutating func apply(_ edits: RowEdits, to input: RowTree<Row>) -> ListChanges {
    var changes: [String: Change] = [:]
    // Where rows stood is looked up before anything moves.
    let updatedBefore = edits.updated.map { place(at: names.orders[edits.placeBefore($0)]) }
    let places = Dictionary(uniqueKeysWithValues: followers.map { ($0, place(at: $0)) })
    remove(edits.deleted, &changes)
    // The number of a row that went may be given to another one.
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
    // Counted: in code for any row, each row of a zipped sequence costs more than its work.
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

  /// Puts a row that has no section of its own where the row above it is.
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

  // MARK: - Showing

  @inlinable
  mutating func show(_ changes: [String: Change]) -> ListChanges {
    let before = shown
    guard !changes.isEmpty else { return ListChanges() }
    let changed = Array(changes.keys)
    let moved = refill(changed) ?? rearrange(changed)
    let edits = moved.stay.map { stay in
      let name = before.sections[stay.before].name
      guard let change = changes[name], let content = sections[name] else { return stay }
      var stay = stay
      stay.rows.deleted = change.deleted.sorted()
      stay.rows.inserted = change.inserted.map(content.index(of:)).sorted()
      stay.rows.updated = change.updated.map(content.index(of:)).sorted()
      return stay
    }
    return ListChanges(
      from: before, to: shown, edits: edits, deleted: moved.deleted, inserted: moved.inserted)
  }

  /// What becomes of sections: those that changed and stay, and those that come, go or pass
  /// others.
  @usableFromInline
  struct Arrangement {
    @usableFromInline var stay: [SectionEdits] = []
    /// As indices before.
    @usableFromInline var deleted: [Int] = []
    /// As indices after.
    @usableFromInline var inserted: [Int] = []

    @inlinable init() {}
  }

  /// Shows sections that changed where they are.
  ///
  /// - Returns: `nil`, and nothing is done, if one comes, goes or passes another one.
  /// - Complexity: O(*k* log sections + sections) for *k* sections that changed.
  @inlinable
  mutating func refill(_ changed: [String]) -> Arrangement? {
    var firsts = firsts
    var filled: [(section: Int, rows: RowTree<Row>)] = []
    filled.reserveCapacity(changed.count)
    for name in changed {
      guard let start = starts[name], let rows = sections[name], let first = rows.orders.first
      else { return nil }
      let index = self.firsts.partition { $0 >= start }
      firsts[index] = first
      filled.append((index, rows.rows))
    }
    let places = filled.map { $0.section }.sorted()
    for index in places {
      if index > 0, firsts[index - 1] >= firsts[index] { return nil }
      if index + 1 < firsts.count, firsts[index] >= firsts[index + 1] { return nil }
    }
    for (name, fill) in zip(changed, filled) where firsts[fill.section] != self.firsts[fill.section]
    {
      starts[name] = firsts[fill.section]
    }
    (self.firsts, shown) = (firsts, shown.replacing(filled))
    var result = Arrangement()
    result.stay = places.map { SectionEdits(before: $0, after: $0) }
    return result
  }

  /// Shows sections that changed where they belong now.
  ///
  /// - Complexity: O(*k* log *k* + sections) for *k* sections that changed, and that of
  ///   `arrangeAll()` if several pass others, or a heavy one does.
  @usableFromInline
  mutating func rearrange(_ changed: [String]) -> Arrangement {
    for name in changed where sections[name]?.count == 0 { sections[name] = nil }
    // Those that stay in the list, as they stood, and where they are among all others.
    var places: [(name: String, before: Int, first: RowOrder)] = []
    var (gone, came): ([Int], [(name: String, first: RowOrder)]) = ([], [])
    for name in changed {
      let before = starts[name].map { start in firsts.partition { $0 >= start } }
      let first = sections[name]?.orders.first
      if let before, let first {
        places.append((name, before, first))
      } else if let before {
        gone.append(before)
      } else if let first {
        came.append((name, first))
      }
    }
    places.sort { $0.before < $1.before }
    guard let passing = passing(places, gone) else { return arrangeAll() }
    var result = Arrangement()
    result.deleted = (gone + [passing?.before].compactMap(\.self)).sorted()
    let staying = places.filter { $0.before != passing?.before }
    for place in staying {
      firsts[place.before] = place.first
      starts[place.name] = place.first
    }
    var list = shown.refs.sections
    for place in staying { list[place.before] = refs(place.name) }
    for index in result.deleted.reversed() {
      starts[list[index].name] = nil
      firsts.remove(at: index)
      list.remove(at: index)
    }
    if let passing { came.append((passing.name, passing.first)) }
    for section in came.sorted(by: { $0.first < $1.first }) {
      let index = firsts.partition { $0 >= section.first }
      firsts.insert(section.first, at: index)
      starts[section.name] = section.first
      list.insert(refs(section.name), at: index)
      result.inserted.append(index)
    }
    result.stay = staying.map { place in
      SectionEdits(before: place.before, after: firsts.partition { $0 >= place.first })
    }
    shown = ListSnapshot(refs: SnapshotRefs(list))
    return result
  }

  @usableFromInline
  func refs(_ name: String) -> SectionRefs {
    SectionRefs(name: name, rows: sections[name]?.rows.refs ?? [])
  }

  /// The one section that passes others, if one does; `nil` if several do, or if it has more rows
  /// than those that it passes.
  ///
  /// - Parameters:
  ///   - places: the sections that changed and stay in the list, in the order in which they stood.
  ///   - gone: those that go.
  @usableFromInline
  func passing(
    _ places: [(name: String, before: Int, first: RowOrder)], _ gone: [Int]
  ) -> (name: String, before: Int, first: RowOrder)?? {
    let changed = (places.map(\.before) + gone).sorted()
    // How many sections that did not change stand above one now.
    let above = places.map { place in
      let end = firsts.partition { $0 >= place.first }
      return end - changed.partition { $0 >= end }
    }
    var passing: Int?
    for (index, place) in places.enumerated()
    where above[index] != place.before - changed.partition(where: { $0 >= place.before }) {
      if passing != nil { return nil }
      passing = index
    }
    // Those that pass no other stay in their order.
    var last = RowOrder.min
    for (index, place) in places.enumerated() where index != passing {
      if place.first < last { return nil }
      last = place.first
    }
    guard let passing else { return .some(nil) }
    let place = places[passing]
    let end = firsts.partition { $0 >= place.first }
    let passed = end > place.before ? (place.before + 1)..<end : end..<place.before
    // It passes those that did not change on its way, and of the others those that were on its
    // other side.
    let indices =
      passed.filter { !changed.contains($0) }
      + places.lazy.filter { ($0.before < place.before) != ($0.first < place.first) }.map(\.before)
    let weight = indices.reduce(0) { $0 + shown.refs.sections[$1].rows.count + 1 }
    return weight < shown.refs.sections[place.before].rows.count + 1 ? nil : .some(place)
  }

  /// Shows all sections in the order of their first rows.
  ///
  /// - Complexity: O(sections log sections).
  @usableFromInline
  mutating func arrangeAll() -> Arrangement {
    // Names are sorted, without the rows: code for any row moves those at a cost.
    var order: [(first: RowOrder, name: String)] = []
    for (name, content) in sections { order.append((content.orders.first ?? 0, name)) }
    order.sort { $0.first < $1.first }
    let before = shown
    shown = ListSnapshot(refs: SnapshotRefs(order.map { refs($0.name) }))
    firsts = order.map { $0.first }
    starts = [:]
    for section in order { starts[section.name] = section.first }
    var result = Arrangement()
    result.stay = ListChanges.sectionsThatStay(from: before, to: shown)
    result.deleted = ListChanges.missing(from: result.stay.map(\.before), of: before.sections.count)
    result.inserted = ListChanges.missing(from: result.stay.map(\.after), of: order.count)
    return result
  }
}
