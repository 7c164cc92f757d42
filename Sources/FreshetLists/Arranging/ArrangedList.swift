/// A list that stays filtered, sorted and sectioned while its items change.
///
/// Work follows the change, not the list (rule C4): a batch of *k* known changes costs O(*k* log *n*),
/// gives the exact batch for the screen, and a snapshot that shares its rows with the last one.
///
/// ```swift
/// var list = ArrangedList(quakes, arrangement: .sorted(by: \.time, .reverse))
/// let update = list.change(upserting: [revised], removing: [withdrawn.id])
/// ```
public struct ArrangedList<Item: ListItem>: Sendable {
  /// Where an item is.
  private struct Place: Sendable {
    var section: Int
    var order: RowOrder
  }

  private struct Section: Sendable {
    let name: String
    /// What tells it from others that have or had its name.
    let id: Int
    /// Some item of the section, by which it is compared with others.
    let sample: Item
    var content = OrderedRows<Item>()
  }

  /// What a batch did to a section's rows: what left names its order before, the others their ids.
  private struct Edits {
    var deleted: [RowOrder] = []
    var inserted: [Item.ID] = []
    var updated: [Item.ID] = []
  }

  /// How the items are laid out.
  public private(set) var arrangement: Arrangement<Item>
  /// What is shown.
  public private(set) var snapshot = ListSnapshot<Item>()
  private var sections: [Section] = []
  /// The index of each section, by its id, and its id, by its name.
  private var indices: [Int: Int] = [:]
  private var sectionIDs: [String: Int] = [:]
  private var places: [Item.ID: Place] = [:]
  /// The items that the arrangement does not include.
  private var hidden: [Item.ID: Item] = [:]
  private var arrivals = Arrivals<Item>()
  private var lastSection = 0

  /// Creates a list; of items with the same id, the last one counts.
  ///
  /// - Complexity: O(*n* log *n*).
  public init(_ items: some Sequence<Item>, arrangement: Arrangement<Item> = .all) {
    self.arrangement = arrangement
    let items = Self.unique(items)
    arrivals.note(items)
    rebuild(items)
  }

  /// Creates a list without items.
  public init(arrangement: Arrangement<Item> = .all) { self.init([], arrangement: arrangement) }

  // MARK: - Looking

  /// How many items there are, shown or not.
  public var count: Int { places.count + hidden.count }

  /// Whether the limit leaves items out.
  public var isCut: Bool { snapshot.count < places.count }

  /// The ids of all items, shown or not.
  public var ids: [Item.ID] { Array(places.keys) + hidden.keys }

  /// The item with an id, shown or not.
  ///
  /// - Complexity: O(log *n*).
  public subscript(id: Item.ID) -> Item? {
    guard let place = places[id], let index = indices[place.section] else { return hidden[id] }
    let content = sections[index].content
    return content.rows[content.index(of: place.order)]
  }

  /// Where an item is shown.
  ///
  /// - Complexity: O(log *n*), and O(sections) where there is a limit or sections are empty.
  public func path(of id: Item.ID) -> RowPath? {
    guard let place = places[id], let index = indices[place.section] else { return nil }
    let row = sections[index].content.index(of: place.order)
    guard snapshot.sections.indices.contains(index), row < snapshot.sections[index].count else {
      return nil
    }
    return RowPath(section: index, row: row)
  }

  // MARK: - Changing

  /// Puts items in, or in the place of those with their ids, and takes others out.
  ///
  /// - Returns: what that does to the screen; `nil` where nothing changes there (rule L3).
  /// - Complexity: O(*k* log *n* + sections) for *k* changes; a batch that is large beside the list
  ///   costs as much as sorting anew.
  @discardableResult
  public mutating func change(
    upserting upserted: [Item], removing removed: [Item.ID] = [],
    origin: ListUpdate<Item>.Origin = .network
  ) -> ListUpdate<Item>? {
    let items = Self.unique(upserted)
    if items.count + removed.count > 32 + count / 10 {
      return rearrange(upserting: items, removing: removed, origin)
    }
    let before = snapshot
    let shownBefore = sections
    var edits: [Int: Edits] = [:]
    let kept = Set(items.lazy.map(\.id))
    for id in removed where !kept.contains(id) {
      arrivals.forget(id)
      takeOut(id, &edits)
    }
    arrivals.note(items)
    var moving: [Item] = []
    for item in items where !changeInPlace(item, &edits) {
      takeOut(item.id, &edits)
      moving.append(item)
    }
    let order = TotalOrder(arrangement)
    for item in moving { putIn(item, order, &edits) }
    if arrangement.sections?.keepsEmpty != true { dropEmptySections() }
    show()
    let changes = changes(edits, since: shownBefore, before)
    return changes.isEmpty
      ? nil : ListUpdate(before: before, after: snapshot, changes: changes, origin: origin)
  }

  /// Lays the items out in another way.
  ///
  /// Of empty sections those stay that belong to the new arrangement too, and are to.
  ///
  /// - Returns: what that does to the screen, in one batch with the fewest moves.
  /// - Complexity: O(*n* log *n*).
  @discardableResult
  public mutating func arrange(_ arrangement: Arrangement<Item>) -> ListUpdate<Item>? {
    self.arrangement = arrangement
    return rearrange(upserting: [], removing: [], .edit)
  }

  /// Lays everything out anew.
  private mutating func rearrange(
    upserting items: [Item], removing removed: [Item.ID], _ origin: ListUpdate<Item>.Origin
  ) -> ListUpdate<Item>? {
    let before = snapshot
    let changed = Set(items.lazy.map(\.id))
    for id in removed where !changed.contains(id) { arrivals.forget(id) }
    arrivals.note(items)
    let gone = changed.union(removed)
    let staying = sections.lazy.flatMap(\.content.rows).filter { !gone.contains($0.id) }
    rebuild(
      arrivals.sorted(Array(staying) + hidden.values.filter { !gone.contains($0.id) } + items))
    let update = ListUpdate(from: before, to: snapshot, origin: origin)
    return update.changes.isEmpty ? nil : update
  }

  private mutating func rebuild(_ items: [Item]) {
    hidden = [:]
    places = [:]
    places.reserveCapacity(items.count)
    // A section of an earlier arrangement is none of this one, whose sections have other names.
    let empty =
      arrangement.sections?.keepsEmpty == true
      ? sections.filter { sectionName($0.sample) == $0.name } : []
    sections = []
    indices = [:]
    sectionIDs = [:]
    var included = items
    if let isIncluded = arrangement.isIncluded {
      included = items.filter(isIncluded)
      for item in items where !isIncluded(item) { hidden[item.id] = item }
    }
    let groups =
      arrangement.sections.map { Dictionary(grouping: included, by: $0.name) }
      ?? (included.isEmpty ? [:] : ["": included])
    for section in empty where groups[section.name] == nil {
      addSection(section.name, section.sample)
    }
    let order = TotalOrder(arrangement)
    for (name, items) in groups {
      let sorted = order.sorted(items)
      let index = addSection(name, sorted[0])
      let id = sections[index].id
      let content = OrderedRows(sorted)
      for (item, order) in zip(sorted, content.orders) {
        places[item.id] = Place(section: id, order: order)
      }
      sections[index].content = content
    }
    show()
  }

  /// Whether a changed item stays where it is.
  private mutating func changeInPlace(_ item: Item, _ edits: inout [Int: Edits]) -> Bool {
    guard let place = places[item.id], let index = indices[place.section] else {
      guard hidden[item.id] != nil, !(arrangement.isIncluded?(item) ?? true) else { return false }
      hidden[item.id] = item
      return true
    }
    let row = sections[index].content.index(of: place.order)
    let old = sections[index].content.rows[row]
    guard arrangement.isIncluded?(item) ?? true, sectionName(item) == sections[index].name,
      arrangement.orders.allSatisfy({ $0.compare(old, item) == 0 })
    else { return false }
    if old != item {
      sections[index].content.update(item, at: place.order)
      edits[place.section, default: Edits()].updated.append(item.id)
    }
    return true
  }

  private mutating func takeOut(_ id: Item.ID, _ edits: inout [Int: Edits]) {
    hidden[id] = nil
    guard let place = places.removeValue(forKey: id), let index = indices[place.section] else {
      return
    }
    edits[place.section, default: Edits()].deleted.append(place.order)
    sections[index].content.remove([place.order])
  }

  private mutating func putIn(
    _ item: Item, _ order: TotalOrder<Item>, _ edits: inout [Int: Edits]
  ) {
    guard arrangement.isIncluded?(item) ?? true else {
      hidden[item.id] = item
      return
    }
    let name = sectionName(item)
    let index = sectionIDs[name].flatMap { indices[$0] } ?? addSection(name, item)
    let id = sections[index].id
    let row = sections[index].content.rows.partitioningIndex {
      let difference = order.compare(item, $0)
      return difference < 0 || difference == 0 && arrivals.precedes(item.id, $0.id)
    }
    let place = sections[index].content.insert(item, at: row) { other, order in
      places[other.id]?.order = order
    }
    places[item.id] = Place(section: id, order: place)
    edits[id, default: Edits()].inserted.append(item.id)
  }

  // MARK: - Sections

  private func sectionName(_ item: Item) -> String { arrangement.sections?.name(item) ?? "" }

  /// Adds a section where it belongs, and returns its index.
  @discardableResult
  private mutating func addSection(_ name: String, _ sample: Item) -> Int {
    lastSection += 1
    let index = sections.firstIndex { section in
      let difference = arrangement.sections?.compare(sample, section.sample) ?? 1
      // Sections whose keys tie stand by name, whichever came first (rule A2).
      return difference < 0 || difference == 0 && name < section.name
    }
    let place = index ?? sections.count
    sections.insert(Section(name: name, id: lastSection, sample: sample), at: place)
    sectionIDs[name] = lastSection
    number(from: place)
    return place
  }

  private mutating func dropEmptySections() {
    guard sections.contains(where: { $0.content.count == 0 }) else { return }
    for section in sections where section.content.count == 0 {
      indices[section.id] = nil
      sectionIDs[section.name] = nil
    }
    sections.removeAll { $0.content.count == 0 }
    number(from: 0)
  }

  private mutating func number(from start: Int) {
    for index in start..<sections.count { indices[sections[index].id] = index }
  }

  // MARK: - Showing

  /// Shows the first items, as many as the limit says.
  private mutating func show() {
    var room = arrangement.limit ?? .max
    var shown: [ListSection<Item>] = []
    shown.reserveCapacity(sections.count)
    for section in sections {
      let rows = section.content.rows
      if rows.count <= room {
        shown.append(ListSection(name: section.name, rows: rows))
        room -= rows.count
      } else {
        if room > 0 { shown.append(ListSection(name: section.name, rows: rows.slice(0..<room))) }
        break
      }
    }
    snapshot = ListSnapshot(sections: shown)
  }

  /// What a batch did to the screen.
  private func changes(
    _ edits: [Int: Edits], since old: [Section], _ before: ListSnapshot<Item>
  ) -> ListChanges {
    let stay = ListChanges.sectionsThatStay(from: before, to: snapshot)
    let all = stay.map { stay in
      var stay = stay
      let (old, new) = (old[stay.before], sections[stay.after])
      if let edits = edits[new.id] {
        stay.rows.deleted = edits.deleted.map(old.content.index(of:)).sorted()
        stay.rows.inserted = rows(edits.inserted, in: new)
        stay.rows.updated = rows(edits.updated, in: new)
      }
      stay.rows.limit(
        before: before.sections[stay.before].count, after: snapshot.sections[stay.after].count)
      return stay
    }
    return ListChanges(from: before, to: snapshot, edits: all)
  }

  private func rows(_ ids: [Item.ID], in section: Section) -> [Int] {
    ids.compactMap { places[$0].map { section.content.index(of: $0.order) } }.sorted()
  }

  /// Each id once, as it comes last.
  private static func unique(_ items: some Sequence<Item>) -> [Item] {
    let items = Array(items)
    if Set(items.lazy.map(\.id)).count == items.count { return items }
    var indices: [Item.ID: Int] = [:]
    var unique: [Item] = []
    for item in items {
      if let index = indices[item.id] {
        unique[index] = item
      } else {
        indices[item.id] = unique.count
        unique.append(item)
      }
    }
    return unique
  }
}
