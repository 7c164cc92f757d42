public import Foundation

// Edits one after the other, as NSTableView takes them, and as a reader drags rows.
extension StubRows {
  public func remove(_ indexes: IndexSet) {
    for index in indexes.reversed() {
      guard sections[0].indices.contains(index) else {
        report("no row to remove at \(index)")
        continue
      }
      take(&sections[0][index])
      sections[0].remove(at: index)
    }
  }

  public func insert(_ indexes: IndexSet) {
    for index in indexes {
      guard index <= sections[0].count else {
        report("no place to insert at \(index)")
        continue
      }
      sections[0].insert(Slot(height: 0), at: index)
    }
  }

  public func move(_ from: Int, to target: Int) {
    guard sections[0].indices.contains(from), sections[0].indices.contains(target) else {
      return report("no row to move from \(from) to \(target)")
    }
    sections[0].insert(sections[0].remove(at: from), at: target)
  }

  func moveSlot(_ from: IndexPath, to target: IndexPath) {
    let slot = sections[from.section].remove(at: from.row)
    sections[target.section].insert(slot, at: target.row)
  }

  /// Ends such edits.
  public func settle() {
    batches += 1
    let after = countRows(0)
    if sections[0].count != after {
      report("\(sections[0].count) rows are shown, the data source has \(after)")
      return reload()
    }
    for row in sections[0].indices where sections[0][row].height == 0 {
      sections[0][row] = makeSlot(at: IndexPath(row: row, section: 0))
    }
    layout()
  }
}

extension StubRows {
  /// Moves a row as a reader drags it.
  ///
  /// - Parameters:
  ///   - from: where the row stands.
  ///   - target: where it is dropped.
  ///   - tell: tells the data source, where it was dropped elsewhere.
  ///   - events: what happens while it is dragged.
  public func drag(
    _ from: IndexPath, to target: IndexPath, while events: () -> Void, tell: () -> Void
  ) {
    isReordering = true
    events()
    if from != target {
      moveSlot(from, to: target)
      tell()
      layout()
    }
    isReordering = false
    checkCounts()
  }

  /// Holds the data source to what is shown.
  private func checkCounts() {
    let shown = sections.map(\.count)
    let after = (0..<countSections()).map(countRows)
    if shown != after { report("\(shown) rows are shown, the data source has \(after)") }
  }
}
