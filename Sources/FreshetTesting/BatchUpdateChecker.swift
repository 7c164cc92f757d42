public import FreshetLists

/// A checker that performs updates as table and collection views document them.
///
/// It reports the errors for which a view would raise an exception.
///
/// The checker holds its own rows, as a view holds its cells. It starts with the list before, and
/// asks the list after only for rows that an update names. A row that the changes forgot therefore
/// stays stale and is found.
///
/// The rules are those of `UITableView.performBatchUpdates` and
/// `UICollectionView.performBatchUpdates`. Deletions and move sources are in coordinates before the
/// batch, insertions and move targets in coordinates after it. Updated rows are reconfigured once
/// the batch is done, and counts must add up. Rows reloaded inside the batch are in coordinates
/// before it: see `violations(performing:reloading:showing:)`.
///
/// ```swift
/// var checker = BatchUpdateChecker(update.before)
/// assert(checker.violations(performing: update).isEmpty)
/// ```
public struct BatchUpdateChecker<Item: ListItem>: Sendable {
  /// The rows that the view shows now.
  public private(set) var shown: ListSnapshot<Item>

  /// Creates a checker whose view shows this list.
  public init(_ shown: ListSnapshot<Item> = ListSnapshot()) { self.shown = shown }

  /// Performs an update and returns every rule it broke, in words; empty for a legal update.
  ///
  /// An illegal batch is not performed: the view then shows the list after, as after a reload.
  public mutating func violations(performing update: ListStep<Item>) -> [String] {
    var found: [String] = []
    if shown != update.before { found.append("the list before is not what the view shows") }
    found += illegalities(of: update.changes, update.before, update.after)
    if found.isEmpty {
      found += perform(update.changes, update.before, update.after)
      found += needlessUpdates(of: update)
    }
    shown = update.after
    return found
  }

  /// Reports rows that are updated although their contents did not change.
  private func needlessUpdates(of update: ListStep<Item>) -> [String] {
    guard !update.changes.updatedRows.isEmpty else { return [] }
    var changes = update.changes
    changes.updatedRows = []
    let stale = update.before.applying(changes, from: update.after)
    return update.changes.updatedRows.filter {
      (try? stale.item(at: $0)) == (try? update.after.item(at: $0))
    }.map { "update: the row at \($0) did not change" }
  }

  /// Performs the calls of a delegate in one batch, and returns every rule that they broke.
  ///
  /// Delegates of `NSFetchedResultsController` make such calls between `beginUpdates()` and
  /// `endUpdates()`.
  ///
  /// Rows of sections that are deleted or inserted may be named in addition, as views allow that. A
  /// row that is deleted or moved may not be reloaded.
  ///
  /// - Parameters:
  ///   - calls: the deletions, insertions and moves, in any order; its `updatedRows` are configured
  ///     again once the batch is done.
  ///   - reloaded: the rows reloaded inside the batch, in coordinates before it.
  ///   - after: the list after the batch.
  public mutating func violations(
    performing calls: ListChanges, reloading reloaded: [RowPath], showing after: ListSnapshot<Item>
  ) -> [String] {
    var changes = calls
    changes.deletedSections.sort()
    changes.insertedSections.sort()
    changes.deletedRows.removeAll { calls.deletedSections.contains($0.section) }
    changes.insertedRows.removeAll { calls.insertedSections.contains($0.section) }
    var found = illegalities(of: changes, shown, after)
    let leaving = Set(changes.deletedRows + changes.movedRows.map(\.from))
    for path in reloaded {
      if (try? shown.item(at: path)) == nil || changes.deletedSections.contains(path.section) {
        found.append("reload: no row at \(path)")
      } else if leaving.contains(path) {
        found.append("reload: the row at \(path) is deleted or moved")
      }
    }
    if found.isEmpty {
      let places = Cell.places(after: changes, from: shown, to: after)
      changes.updatedRows += reloaded.compactMap { places[$0] }
      found += perform(changes, shown, after)
    }
    shown = after
    return found
  }

  private func perform(
    _ changes: ListChanges, _ before: ListSnapshot<Item>, _ after: ListSnapshot<Item>
  ) -> [String] {
    let result = before.applying(changes, from: after)
    return result == after
      ? [] : ["the batch leaves \(result.outline), not \(after.outline)"]
  }

  private func illegalities(
    of changes: ListChanges, _ before: ListSnapshot<Item>, _ after: ListSnapshot<Item>
  ) -> [String] {
    var found: [String] = []
    func check(_ legal: Bool, _ violation: @autoclosure () -> String) {
      if !legal { found.append(violation()) }
    }

    let sources = changes.movedRows.map(\.from)
    let targets = changes.movedRows.map(\.to)
    for (name, sections, list) in [
      ("delete", changes.deletedSections, before), ("insert", changes.insertedSections, after),
    ] {
      check(sections == Set(sections).sorted(), "\(name): sections out of order or twice")
      for section in sections {
        check(list.sections.indices.contains(section), "\(name): no section \(section)")
      }
    }
    for (name, paths, list, gone) in [
      ("delete", changes.deletedRows, before, changes.deletedSections),
      ("move from", sources, before, changes.deletedSections),
      ("insert", changes.insertedRows, after, changes.insertedSections),
      ("move to", targets, after, changes.insertedSections),
      ("update", changes.updatedRows, after, changes.insertedSections),
    ] {
      for path in paths {
        check((try? list.item(at: path)) != nil, "\(name): no row at \(path)")
        check(!gone.contains(path.section), "\(name): \(path) is in a section deleted or inserted")
      }
    }
    check(
      Set(changes.deletedRows + sources).count == changes.deletedRows.count + sources.count,
      "a row is deleted or moved twice")
    check(
      Set(changes.insertedRows + targets).count == changes.insertedRows.count + targets.count,
      "a place is filled twice")
    check(Set(changes.updatedRows).count == changes.updatedRows.count, "a row is updated twice")
    guard found.isEmpty else { return found }
    return countMismatches(before, after, changes)
  }

  /// Reports sections whose rows before, plus and minus the changes, are not the rows after.
  private func countMismatches(
    _ before: ListSnapshot<Item>, _ after: ListSnapshot<Item>, _ changes: ListChanges
  ) -> [String] {
    let kept = before.sections.indices.filter { !changes.deletedSections.contains($0) }
    let stay = after.sections.indices.filter { !changes.insertedSections.contains($0) }
    guard kept.count == stay.count else {
      return ["\(kept.count) sections stay, but \(stay.count) stand in the list after"]
    }
    var rows: [Int: Int] = [:]
    for (old, new) in zip(kept, stay) { rows[new] = before.sections[old].count }
    let places = Dictionary(uniqueKeysWithValues: zip(kept, stay))
    for path in changes.deletedRows + changes.movedRows.map(\.from) {
      rows[places[path.section]!]! -= 1
    }
    for path in changes.insertedRows + changes.movedRows.map(\.to) { rows[path.section]! += 1 }
    return stay.compactMap {
      rows[$0] == after.sections[$0].count
        ? nil : "section \($0) should hold \(rows[$0]!) rows, but holds \(after.sections[$0].count)"
    }
  }
}

/// A row of a view, identified by its path before a batch.
private struct Cell: ListItem {
  let id: RowPath

  /// Returns the path after a batch for each row that stays.
  static func places<Item>(
    after changes: ListChanges, from before: ListSnapshot<Item>, to after: ListSnapshot<Item>
  ) -> [RowPath: RowPath] {
    func cells(_ list: ListSnapshot<Item>, isNew: Bool) -> ListSnapshot<Cell> {
      ListSnapshot(
        sections: list.sections.enumerated().map { section, rows in
          // Inserted rows get ids that are no paths before the batch.
          let cells = rows.rows.indices.map {
            Cell(id: RowPath(section: isNew ? -1 - section : section, row: $0))
          }
          return ListSection(name: rows.name, rows: RowTree(cells))
        })
    }
    var changes = changes
    changes.updatedRows = []
    let result = cells(before, isNew: false).applying(changes, from: cells(after, isNew: true))
    var places: [RowPath: RowPath] = [:]
    for (section, rows) in result.sections.enumerated() {
      for (row, cell) in rows.rows.enumerated() {
        places[cell.id] = RowPath(section: section, row: row)
      }
    }
    return places
  }
}

extension ListSnapshot {
  /// Section names and ids on one line, for messages.
  fileprivate var outline: String {
    sections.map { "\($0.name)[\($0.rows.map { "\($0.id)" }.joined(separator: " "))]" }
      .joined(separator: " ")
  }
}
