internal import FreshetLists

// The rows of a step in memory, and the disk indices of the others.
extension FeedCommit {
  /// Adjacent rows, in memory or on disk.
  ///
  /// The indices are those in memory, or those on disk after the step.
  enum Part: Equatable {
    case memory(Range<Int>)
    case disk(Range<Int>)
  }

  /// Returns the parts that the rows at these disk indices are in, after the step.
  func parts(of range: Range<Int>) -> [Part] {
    var parts: [Part] = []
    // The indices, in memory and on disk, of the next row to examine.
    var (row, index) = (0, 0)
    func add(memory count: Int) {
      let part = range.clamped(to: index..<(index + count))
      if !part.isEmpty {
        parts.append(.memory((part.lowerBound - index + row)..<(part.upperBound - index + row)))
      }
      row += count
      index += count
    }
    for gap in unloaded {
      add(memory: gap.row - row)
      let part = range.clamped(to: index..<(index + gap.count))
      if !part.isEmpty { parts.append(.disk(part)) }
      row += 1
      index += gap.count
    }
    add(memory: rows.count - row)
    return parts
  }

  /// Returns all rows after the step, for a cache that keeps them in one piece.
  ///
  /// ```swift
  /// stored = CachedRows(rows: commit.rows(after: stored.rows), state: commit.state)
  /// ```
  ///
  /// - Parameter rows: all rows that were stored before it.
  /// - Complexity: O(rows).
  public func rows(after rows: [CachedRows<Item>.Row]) -> [CachedRows<Item>.Row] {
    let isPart = !isWhole && rows.count - deleted.count + inserted.count == count
    let parts = isPart ? parts(of: 0..<count) : [.memory(0..<self.rows.count)]
    return parts.flatMap { part -> [CachedRows<Item>.Row] in
      switch part {
      case .disk(let range):
        let start = indexBefore(range.lowerBound)
        return Array(rows[start..<(start + range.count)])
      case .memory(let range):
        return self.rows.slice(range).map { row in
          row.item.map { .item($0, mark(of: $0.id)) } ?? .gap
        }
      }
    }
  }

  /// Returns the disk index before the step of a row that the step did not change.
  func indexBefore(_ index: Int) -> Int {
    var before = index - inserted.count { $0 < index }
    for deleted in deleted {
      if deleted > before { break }
      before += 1
    }
    return before
  }

  /// The state to store if only the rows in memory are stored, so each gap is one row.
  var stateInMemory: CachedState {
    let gaps = unloaded
    func place(_ index: Int) -> Int {
      var surplus = 0
      for gap in gaps {
        let start = gap.row + surplus
        if index <= start { break }
        if index < start + gap.count { return gap.row + 1 }
        surplus += gap.count - 1
      }
      return index - surplus
    }
    var state = state
    state.anchor = state.anchor.map(place)
    state.unproven = state.unproven.map { place($0.lowerBound)..<place($0.upperBound) }
      .filter { !$0.isEmpty }
    return state
  }
}
