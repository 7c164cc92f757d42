internal import FreshetLists
internal import struct Foundation.Date

/// A window of the source, and its rows in the timeline.
struct LoadedWindow {
  let window: PageWindow<PageKey>
  let rows: Range<Int>
}

// The parts of the timeline between page keys, for sources that read them again.
extension Timeline {
  /// Returns the loaded windows in their order, and the rows that belong to none.
  ///
  /// Rows belong to no window if no key names the position above or below them.
  ///
  /// - Parameter start: the key of the page that the feed began with, in the middle of the list.
  /// - Complexity: O(*p* log *n*) for *p* pages.
  func windows(
    startingAt start: PageKey?
  ) -> (windows: [LoadedWindow], loose: [Range<Int>]) {
    // Without rows, only a list that is known from its head has a window.
    if tail == .unknown || count == 0 && head != .end { return ([], []) }
    var (ends, starts) = ([(row: Int, key: PageKey)](), [Int: PageKey]())
    for (id, mark) in marks {
      guard let row = index(of: id) else { continue }
      if let next = mark.next { ends.append((row, next)) }
      starts[row] = mark.previous
    }
    ends.sort { $0.row < $1.row }
    var (windows, loose) = ([LoadedWindow](), [Range<Int>]())
    var (first, next) = (0, ends[...])
    for gap in gaps(in: 0..<count).map(\.index) + [count] {
      defer { first = gap + 1 }
      if first == gap, count > 0 { continue }
      let isHead = first == 0 && head == .end
      var key = isHead ? nil : starts[first] ?? (first == 0 ? start : nil)
      var (row, isBounded) = (first, isHead || key != nil)
      func add(_ end: PageKey?, _ rows: Range<Int>) {
        if isBounded {
          windows.append(LoadedWindow(window: PageWindow(start: key, end: end), rows: rows))
        } else if !rows.isEmpty {
          loose.append(rows)
        }
      }
      while let end = next.first, end.row < gap {
        add(end.key, row..<(end.row + 1))
        (key, row, isBounded) = (end.key, end.row + 1, true)
        next.removeFirst()
      }
      if gap == count, tail == .end {
        add(nil, row..<gap)
      } else if row < gap {
        loose.append(row..<gap)
      }
    }
    return (windows, loose)
  }

  /// Returns the largest part of some rows that begins and ends where windows do.
  ///
  /// If those rows are evicted, the positions of all others are still known.
  func wholeWindows(in rows: Range<Int>, startingAt start: PageKey?) -> Range<Int>? {
    let whole = windows(startingAt: start).windows.map(\.rows).filter {
      !$0.isEmpty && rows.lowerBound <= $0.lowerBound && $0.upperBound <= rows.upperBound
    }
    guard let first = whole.first?.lowerBound,
      let end = whole.last(where: { isStart($0.upperBound) })?.upperBound, first < end
    else { return nil }
    return first..<end
  }

  /// Whether a row begins a page whose key above is known, if it is an item.
  private func isStart(_ row: Int) -> Bool {
    guard let id = itemID(at: row) else { return true }
    return marks[id]?.previous != nil
  }

  // MARK: - Merging

  /// Returns the rows of consecutive windows, as the source has them, and their place.
  ///
  /// - Parameters:
  ///   - windows: the windows.
  ///   - answers: the answers, from which those that are used are removed. A window without an
  ///     answer keeps its rows. After an answer without all rows of its window, the next windows
  ///     are left out.
  ///   - request: the request that was answered.
  func run(
    of windows: ArraySlice<LoadedWindow>,
    _ answers: inout [PageWindow<PageKey>: [Page<AnyItem, PageKey>]],
    _ request: Int, at date: Date?
  ) -> (run: Run, plan: MergePlan) {
    let start = windows.first?.rows.lowerBound ?? 0
    var run = Run(items: [], fetchedAt: date, after: itemID(at: start - 1))
    var plan = MergePlan(start: start)
    (plan.isExact, plan.meetsKnown) = (true, true)
    var answered: Set<RowID> = []
    for window in windows {
      for page in answers[window.window] ?? [] {
        for item in page.items { answered.insert(item.id) }
      }
    }
    var used: Set<RowID> = []
    for window in windows {
      plan.end = window.rows.upperBound
      if let pages = answers.removeValue(forKey: window.window) {
        for page in pages {
          let items = page.items.filter { used.insert($0.id).inserted }
          run.append(items, previous: page.previous, next: page.next)
        }
      } else {
        let items = rows.slice(window.rows).compactMap(\.item).filter {
          !answered.contains($0.id)
        }
        run.append(
          items, previous: items.first.flatMap { marks[$0.id]?.previous }, next: window.window.end)
      }
      if run.next != window.window.end {
        plan.meetsKnown = false
        break
      }
    }
    run.requests = Array(repeating: request, count: run.items.count)
    run.last = run.items.last
    let indices = run.items.map { item in
      index(of: item.id).flatMap { (plan.start..<plan.end).contains($0) ? $0 : nil }
    }
    plan.keeps = anchors(among: indices, from: plan.start, isEnd: true)
    return (run, plan)
  }

  /// The page boundaries of the items that a run takes from elsewhere, and their new holders.
  ///
  /// The rows around such an item get its keys. If one of them is in the run's place, that is the
  /// first or the last item of the run.
  func boundariesOfMovedItems(
    _ run: Run, _ plan: MergePlan
  ) -> [(item: RowID, change: @Sendable (inout PageBoundary) -> Void)] {
    let range = plan.start..<plan.end
    let moved = run.items.compactMap { item -> (row: Int, mark: PageBoundary)? in
      guard let mark = marks[item.id], let row = index(of: item.id), !range.contains(row) else {
        return nil
      }
      return (row, mark)
    }
    if moved.isEmpty { return [] }
    let ids = Set(run.items.map(\.id))
    func holder(from row: Int, by step: Int, _ inRange: RowID?) -> RowID? {
      var row = row + step
      while let id = itemID(at: row) {
        if range.contains(row) { return inRange }
        if !ids.contains(id) { return id }
        row += step
      }
      return nil
    }
    var changes: [(item: RowID, change: @Sendable (inout PageBoundary) -> Void)] = []
    let sorted = moved.sorted { $0.row < $1.row }
    for (row, mark) in sorted {
      guard let next = mark.next, let id = holder(from: row, by: -1, run.items.last?.id) else {
        continue
      }
      changes.append((id, { $0.next = next }))
    }
    for (row, mark) in sorted.reversed() {
      guard let previous = mark.previous, let id = holder(from: row, by: 1, run.items.first?.id)
      else { continue }
      changes.append((id, { $0.previous = previous }))
    }
    return changes
  }
}

extension Run {
  /// Appends the rows of a window, and the keys of the pages around it.
  fileprivate mutating func append(_ items: [AnyItem], previous: PageKey?, next: PageKey?) {
    if let first = items.first { starts.append((first.id, previous)) }
    self.items += items
    self.next = next
    if let last = self.items.last, let next { ends.append((last.id, next)) }
    isEnd = next == nil
  }
}
