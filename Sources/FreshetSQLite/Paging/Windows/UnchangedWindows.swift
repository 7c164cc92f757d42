#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// A search for the windows that no change concerns.
  struct UnchangedWindows<Item: ListItem & FetchableRecord & TableRecord> {
    private let rows: RowLookup<Item>
    private let keyset: KeysetReader<Item>
    private let db: Database

    init(_ rows: RowLookup<Item>, _ keyset: KeysetReader<Item>, _ db: Database) {
      (self.rows, self.keyset, self.db) = (rows, keyset, db)
    }

    /// Returns the indices of the windows that have the same rows as when they were answered.
    ///
    /// - Complexity: a few comparisons for each changed row and window. If a collation decides
    ///   where a row is: one search for all adjacent windows that no change concerns, and one for
    ///   each other window.
    func indices(
      of windows: [PageWindow<KeysetKey>], _ answers: WindowAnswers, _ log: ChangeLog,
      _ cache: inout WindowCache<WindowBounds>
    ) throws -> Set<Int> {
      var unchanged: Set<Int> = []
      var adjacent: [Int] = []
      var changes: ChangeLog.Changes?
      // Most windows were answered by the same read.
      var merged: [Int: ChangeLog.Changes] = [:]
      for (index, window) in windows.enumerated() {
        guard let answer = answers[window],
          let since = merged[answer.number] ?? log.changes(since: answer.number)
        else { continue }
        merged[answer.number] = since
        if since.mayHaveDisplaced,
          try rows.count(of: answer.rowIDs, db) != answer.rowIDs.count
        {
          continue
        }
        switch try isUnchanged(answer, since, &cache) {
        case false?: continue
        case true?:
          unchanged.insert(index)
          continue
        case nil: break
        }
        if let last = adjacent.last,
          windows[last].end != window.start || windows[last].end == nil
            || changes?.rowIDs != since.rowIDs
        {
          try add(adjacent, of: windows, changes, to: &unchanged)
          adjacent = []
        }
        adjacent.append(index)
        changes = since
      }
      try add(adjacent, of: windows, changes, to: &unchanged)
      return unchanged
    }

    /// Returns whether a window has none of the changed rows, now and when it was answered.
    ///
    /// - Returns: `nil` if a query is needed.
    func isUnchanged(
      _ answer: WindowAnswers.Answer, _ changes: ChangeLog.Changes,
      _ cache: inout WindowCache<WindowBounds>
    ) throws -> Bool? {
      guard answer.rowIDs.isDisjoint(with: changes.rowIDs) else { return false }
      guard let positions = changes.positions else { return nil }
      let bounds = try cache.value(answer.window) { try keyset.bounds(of: answer.window) }
      var isCertain = true
      for values in positions.values {
        switch bounds.contains(values) {
        case true?: return false
        case false?: continue
        case nil: isCertain = false
        }
      }
      return isCertain ? true : nil
    }

    /// Adds those of the adjacent windows that have none of the changed rows now.
    private func add(
      _ adjacent: [Int], of windows: [PageWindow<KeysetKey>], _ changes: ChangeLog.Changes?,
      to unchanged: inout Set<Int>
    ) throws {
      guard let first = adjacent.first, let last = adjacent.last, let rowIDs = changes?.rowIDs
      else {
        return
      }
      func isFree(_ first: Int, _ last: Int) throws -> Bool {
        let window = PageWindow(start: windows[first].start, end: windows[last].end)
        return try rowIDs.isEmpty || !keyset.hasRows(where: rows.condition(for: rowIDs), in: window)
      }
      if try isFree(first, last) { return unchanged.formUnion(adjacent) }
      if first == last { return }
      for index in adjacent where try isFree(index, index) { unchanged.insert(index) }
    }
  }
#endif
