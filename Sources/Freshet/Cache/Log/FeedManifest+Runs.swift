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
    var mark = PageMark()
  }

  /// A row as it is stored, and what is known of the page that began or ended with it.
  typealias Row<Content> = (content: Content, mark: PageMark?)

  /// How many rows a run may hold.
  private static var longRun: Int { 100 }
  /// A shorter run goes on where a page ended, and takes its new neighbours in: many small steps do not
  /// leave as many small runs.
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
    var deleted = deleted[...]
    var inserted = inserted[...]
    var updated = updated[...]
    var rewrites: [Rewrite] = []
    var before = 0
    var after = 0

    func touch(_ entries: Range<Int>, _ rows: Range<Int>) {
      if let last = rewrites.last, last.entries.upperBound == entries.lowerBound,
        last.rows.upperBound == rows.lowerBound
      {
        rewrites[rewrites.count - 1] = Rewrite(
          entries: last.entries.lowerBound..<entries.upperBound,
          rows: last.rows.lowerBound..<rows.upperBound)
      } else {
        rewrites.append(Rewrite(entries: entries, rows: rows))
      }
    }
    func takeInsertedHere() -> Bool {
      let start = after
      while inserted.first == after {
        inserted.removeFirst()
        after += 1
      }
      return after > start
    }

    for (index, entry) in entries.enumerated() {
      let boundary = after
      if takeInsertedHere() { touch(index..<index, boundary..<after) }
      let start = after
      before += entry.count
      var kept = entry.count
      while let next = deleted.first, next < before {
        deleted.removeFirst()
        kept -= 1
      }
      var isTouched = kept < entry.count
      while kept > 0 {
        let step = min(kept, (inserted.first ?? .max) - after)
        after += step
        kept -= step
        if kept > 0 { isTouched = takeInsertedHere() || isTouched }
      }
      while let next = updated.first, next < after {
        updated.removeFirst()
        isTouched = isTouched || next >= start
      }
      let joinsRewrite =
        entry != .gap && entry.count < Self.shortRun && rewrites.last?.rows.upperBound == start
        && rewrites.last?.entries.upperBound == index
      if isTouched || joinsRewrite { touch(index..<(index + 1), start..<after) }
    }
    let end = after
    if takeInsertedHere() {
      // What is appended joins a short last run.
      if case .run(_, let rows, _)? = entries.last, rows < Self.shortRun,
        rewrites.last?.rows.upperBound != end
      {
        touch((entries.count - 1)..<entries.count, (end - rows)..<end)
      }
      touch(entries.count..<entries.count, end..<after)
    }
    return rewrites
  }
}
