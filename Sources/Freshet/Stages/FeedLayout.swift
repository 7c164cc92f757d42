internal import FreshetLists

/// How the rows of a timeline are shown: as one list, or in sections by a key.
///
/// Sections stand in the order of their first rows, and rows in a section in server order. A key
/// that comes again further down does not make a second section: its rows join the first
/// (rule A1). A gap belongs to the section of the row above it. The key of an item is asked for
/// when it comes or changes: until then it stays in its section, whatever its key would be now.
struct FeedLayout<Item: ListItem>: Sendable {
  private struct Section: Sendable {
    let name: String
    var content = OrderedRows<FeedRow<Item>>()
    var first: RowOrder { content.orders.first ?? 0 }
  }

  private struct SectionChange {
    var removed: [RowOrder] = []
    var inserted: [(order: RowOrder, row: FeedRow<Item>)] = []
    var updated: [(order: RowOrder, row: FeedRow<Item>)] = []
  }

  private let key: (@Sendable (Item) -> String)?
  private var sections: [Section] = []
  /// The index of each section.
  private var places: [String: Int] = [:]
  private var gaps: [Gap: (order: RowOrder, section: String)] = [:]
  private(set) var snapshot = ListSnapshot<FeedRow<Item>>()

  init(key: (@Sendable (Item) -> String)?) { self.key = key }

  /// Shows what a step changed.
  ///
  /// - Complexity: O(*k* log *n* + sections + gaps) for *k* rows changed (rule C4).
  mutating func show(
    _ edit: TimelineEdit<Item>, _ step: FeedStep, in shown: ShownRows<Item>
  ) -> ListChanges {
    if let renumbered = edit.renumbered { renumber(renumbered.orders) }
    let before = snapshot
    guard let key else {
      snapshot = ListSnapshot(shown.content.rows)
      let stays = before.count > 0 && snapshot.count > 0
      return ListChanges(
        from: before, to: snapshot,
        edits: stays ? [SectionEdits(before: 0, after: 0, rows: step.edits)] : [])
    }
    let old = sections
    let changes = changes(edit, in: shown, key)
    perform(changes)
    let edits = ListChanges.sectionsThatStay(from: before, to: snapshot).map { stay in
      var stay = stay
      let change = changes[old[stay.before].name] ?? SectionChange()
      let new = sections[stay.after].content
      stay.rows.deleted = change.removed.map(old[stay.before].content.index(of:))
      stay.rows.inserted = change.inserted.map { new.index(of: $0.order) }
      stay.rows.updated = change.updated.map { new.index(of: $0.order) }
      return stay
    }
    return ListChanges(from: before, to: snapshot, edits: edits)
  }

  private mutating func renumber(_ orders: Renumbering) {
    for index in sections.indices { sections[index].content.renumber(orders) }
    gaps = gaps.mapValues { (orders.order($0.order), $0.section) }
  }

  /// Shows these rows, whatever was shown before.
  ///
  /// - Complexity: O(*n*).
  mutating func showAll(_ shown: ShownRows<Item>) -> ListChanges {
    let before = snapshot
    guard let key else {
      snapshot = ListSnapshot(shown.content.rows)
      return snapshot.changes(from: before)
    }
    sections = []
    places = [:]
    gaps = [:]
    var everything = TimelineEdit<Item>()
    everything.inserted = zip(shown.content.orders, shown.content.rows).map { ($0, $1) }
    perform(changes(everything, in: shown, key))
    return snapshot.changes(from: before)
  }

  /// Sorts a step's rows into sections.
  private mutating func changes(
    _ edit: TimelineEdit<Item>, in shown: ShownRows<Item>, _ key: (Item) -> String
  ) -> [String: SectionChange] {
    var changes: [String: SectionChange] = [:]
    for (order, row) in edit.removed {
      if let item = row.item, let name = section(of: order, guess: key(item)) {
        changes[name, default: SectionChange()].removed.append(order)
      }
    }
    for (order, row) in edit.inserted {
      if let item = row.item {
        changes[key(item), default: SectionChange()].inserted.append((order, row))
      }
    }
    for (order, before, after) in edit.updated {
      guard let new = after.item.map(key),
        let old = section(of: order, guess: before.item.map(key) ?? new)
      else { continue }
      if old == new {
        changes[new, default: SectionChange()].updated.append((order, after))
      } else {
        changes[old, default: SectionChange()].removed.append(order)
        changes[new, default: SectionChange()].inserted.append((order, after))
      }
    }
    moveGaps(in: shown, key, &changes)
    for name in changes.keys {
      changes[name]?.removed.sort()
      changes[name]?.inserted.sort { $0.order < $1.order }
    }
    return changes
  }

  /// The section in which a row stands: the one that its key names, unless that changed meanwhile.
  private func section(of order: RowOrder, guess: String) -> String? {
    func holds(_ section: Section) -> Bool {
      let index = section.content.index(of: order)
      return index < section.content.count && section.content.orders[index] == order
    }
    if let guessed = places[guess], holds(sections[guessed]) { return guess }
    return sections.first(where: holds)?.name
  }

  /// A gap's section can change without the gap: there are few, so each is looked at.
  private mutating func moveGaps(
    in shown: ShownRows<Item>, _ key: (Item) -> String, _ changes: inout [String: SectionChange]
  ) {
    var current: [Gap: (order: RowOrder, section: String)] = [:]
    for order in shown.gaps.values {
      let index = shown.content.index(of: order)
      guard let gap = shown.content.rows[index].gap else { continue }
      let neighbour = shown.content.rows[index > 0 ? index - 1 : index + 1]
      current[gap] = (order, neighbour.item.map(key) ?? "")
    }
    for (gap, old) in gaps where current[gap] == nil || current[gap]! != old {
      changes[old.section, default: SectionChange()].removed.append(old.order)
    }
    for (gap, new) in current where gaps[gap] == nil || gaps[gap]! != new {
      changes[new.section, default: SectionChange()].inserted.append((new.order, .gap(gap)))
    }
    gaps = current
  }

  private mutating func perform(_ changes: [String: SectionChange]) {
    for (name, change) in changes {
      let index = places[name] ?? sections.count
      if index == sections.count { sections.append(Section(name: name)) }
      sections[index].content.remove(change.removed)
      sections[index].content.insert(change.inserted)
      for (order, row) in change.updated { sections[index].content.update(row, at: order) }
    }
    sections.removeAll { $0.content.count == 0 }
    sections.sort { $0.first < $1.first }
    places = Dictionary(uniqueKeysWithValues: zip(sections.map(\.name), sections.indices))
    snapshot = ListSnapshot(
      sections: sections.map { ListSection(name: $0.name, rows: $0.content.rows) })
  }
}
