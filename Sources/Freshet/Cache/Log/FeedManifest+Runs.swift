internal import FreshetLists

extension FeedManifest {
  /// Rows that must be written anew: those in `rows` after a step, in place of `entries` before it.
  struct Rewrite: Equatable {
    var entries: Range<Int>
    var rows: Range<Int>
  }

  /// Rows that are stored together, and what is known of the pages around them.
  struct Run<Content> {
    var contents: [Content] = []
    var mark = PageBoundary()
  }

  /// A row as it is stored, and what is known of the page that began or ended with it.
  typealias Row<Content> = (content: Content, mark: PageBoundary?)

  /// How many rows a run may hold.
  private static var longRun: Int { 100 }
  /// A shorter run goes on where a page ended, and takes its new neighbours in: many small steps do
  /// not leave as many small runs.
  private static var shortRun: Int { 25 }

  /// Rows as runs that end at gaps, and where a page ended if they are long enough.
  ///
  /// - Parameter rows: the rows; `nil` is a gap, in the answer too.
  static func runs<Content>(
    of rows: [Row<Content>?]
  ) -> [Run<Content>?] {
    var runs: [Run<Content>?] = []
    var run = Run<Content>()
    func endRun() {
      if !run.contents.isEmpty { runs.append(run) }
      run = Run()
    }
    for row in rows {
      guard let (content, known) = row else {
        endRun()
        runs.append(nil)
        continue
      }
      if run.contents.isEmpty { run.mark.previous = known?.previous }
      (run.mark.next, run.mark.fetchedAt) = (known?.next, known?.fetchedAt)
      run.contents.append(content)
      let isPage = run.contents.count >= shortRun && run.mark.fetchedAt != nil
      if isPage || run.contents.count >= longRun { endRun() }
    }
    endRun()
    return runs
  }

  /// Which entries a step touches.
  ///
  /// - Parameters:
  ///   - deleted: rows that went, as indices before the step, ascending.
  ///   - inserted: rows that came, as indices after it, ascending.
  ///   - updated: rows to be written anew, as indices after it, ascending.
  /// - Complexity: O(entries + changes): it looks at no row.
  func rewrites(deleted: [Int], inserted: [Int], updated: [Int]) -> [Rewrite] {
    var walk = RewriteWalk(deleted: deleted[...], inserted: inserted[...], updated: updated[...])
    for (index, entry) in entries.enumerated() {
      walk.passInserted(before: index)
      let start = walk.after
      let isTouched = walk.pass(entry.count)
      let joinsRewrite =
        entry != .gap && entry.count < Self.shortRun
        && walk.rewrites.last?.rows.upperBound == start
        && walk.rewrites.last?.entries.upperBound == index
      if isTouched || joinsRewrite { walk.touch(index..<(index + 1), start..<walk.after) }
    }
    let end = walk.after
    guard walk.passInsertedHere() else { return walk.rewrites }
    // What is appended joins a short last run.
    if case .run(_, let rows, _)? = entries.last, rows < Self.shortRun,
      walk.rewrites.last?.rows.upperBound != end
    {
      walk.touch((entries.count - 1)..<entries.count, (end - rows)..<end)
    }
    walk.touch(entries.count..<entries.count, end..<walk.after)
    return walk.rewrites
  }

  /// A walk down the entries, beside the rows that changed.
  private struct RewriteWalk {
    var deleted: ArraySlice<Int>
    var inserted: ArraySlice<Int>
    var updated: ArraySlice<Int>
    /// The index of the row at hand, before the step and after it.
    var before = 0
    var after = 0
    var rewrites: [Rewrite] = []

    /// Puts rows in the place of entries; side by side, it is one rewrite.
    mutating func touch(_ entries: Range<Int>, _ rows: Range<Int>) {
      guard let last = rewrites.last, last.entries.upperBound == entries.lowerBound,
        last.rows.upperBound == rows.lowerBound
      else { return rewrites.append(Rewrite(entries: entries, rows: rows)) }
      rewrites[rewrites.count - 1] = Rewrite(
        entries: last.entries.lowerBound..<entries.upperBound,
        rows: last.rows.lowerBound..<rows.upperBound)
    }

    /// Passes the rows that came here; whether there are any.
    mutating func passInsertedHere() -> Bool {
      let start = after
      while inserted.first == after {
        inserted.removeFirst()
        after += 1
      }
      return after > start
    }

    /// Passes the rows that came before an entry.
    mutating func passInserted(before entry: Int) {
      let start = after
      if passInsertedHere() { touch(entry..<entry, start..<after) }
    }

    /// Passes the rows of an entry, and those that came among them; whether any changed.
    mutating func pass(_ count: Int) -> Bool {
      let start = after
      before += count
      var kept = count
      while let next = deleted.first, next < before {
        deleted.removeFirst()
        kept -= 1
      }
      var isTouched = kept < count
      while kept > 0 {
        let step = min(kept, (inserted.first ?? .max) - after)
        after += step
        kept -= step
        if kept > 0 { isTouched = passInsertedHere() || isTouched }
      }
      while let next = updated.first, next < after {
        updated.removeFirst()
        isTouched = isTouched || next >= start
      }
      return isTouched
    }
  }
}
