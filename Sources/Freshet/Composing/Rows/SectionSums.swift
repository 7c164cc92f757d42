internal import FreshetLists

/// A value for each section of a list.
struct SectionSums<Item: ListItem, Value: Sendable>: Sendable {
  typealias Row = ListRow<Item>

  private var sums: [String: ReducedRows<Row, Value>] = [:]
  /// The section of each row, to find those at gaps and open ends without a search of all rows.
  private var places: [Row.ID: String] = [:]
  private let empty: @Sendable () -> ReducedRows<Row, Value>

  init(_ empty: @escaping @Sendable () -> ReducedRows<Row, Value>) { self.empty = empty }

  /// Returns the value of each section, by name.
  ///
  /// - Complexity: O(sections + gaps · log *n*).
  func reductions(of list: ListValue<Item>) -> [String: Reduction<Value>] {
    let sections = list.list.sections
    let open = openSections(of: list)
    let all = sections.enumerated().map { index, section in
      let isCut = list.isCut && index == sections.count - 1
      return (
        section.name,
        Reduction(
          value: (sums[section.name] ?? empty()).value,
          isComplete: !list.isPartial && !isCut && !open.contains(section.name))
      )
    }
    return Dictionary(uniqueKeysWithValues: all)
  }

  /// Returns the sections next to a gap, or to an end with possibly more rows (rule A4).
  private func openSections(of list: ListValue<Item>) -> Set<String> {
    Set(list.openRows.compactMap { places[$0] })
  }

  /// Applies a step.
  ///
  /// - Complexity: O(sections + *k* log *n*) for *k* rows that the step names.
  mutating func apply(_ update: ListStep<Row>) {
    leave(update)
    for edit in update.sectionEdits where !edit.rows.isEmpty {
      let section = update.after.sections[edit.after]
      sums[section.name]?.apply(edit.rows, to: section.rows)
      for row in edit.rows.inserted + edit.rows.updated {
        places[section.rows[row].id] = section.name
      }
    }
    for section in update.changes.insertedSections.map({ update.after.sections[$0] }) {
      var sum = empty()
      sum.apply(RowEdits(inserted: Array(section.rows.indices)), to: section.rows)
      sums[section.name] = sum
      for row in section.rows { places[row.id] = section.name }
    }
  }

  /// Removes the rows and sections that leave their places, before others are inserted.
  private mutating func leave(_ update: ListStep<Row>) {
    for section in update.changes.deletedSections.map({ update.before.sections[$0] }) {
      sums[section.name] = nil
      for row in section.rows { places[row.id] = nil }
    }
    for edit in update.sectionEdits {
      let rows = update.before.sections[edit.before].rows
      for row in edit.rows.deleted + edit.rows.updated.map(edit.rows.placeBefore) {
        places[rows[row].id] = nil
      }
    }
  }
}
