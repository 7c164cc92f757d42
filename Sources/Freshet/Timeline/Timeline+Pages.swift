internal import FreshetLists
internal import struct Foundation.Date

// The known pages, by the rows that they began and ended with.
extension Timeline {
  /// Returns the key of a page that continues a row above an index, and that row.
  ///
  /// It is the nearest row with a key. The result is `nil` if the only place left to start from is
  /// the head of the list.
  ///
  /// - Complexity: O(log *n*) for each row passed over: at most the rows of a page.
  func key(above index: Int) -> (key: PageKey, item: RowID)? {
    for row in stride(from: index - 1, through: 0, by: -1) {
      if let item = rows[row].item, let key = marks[item.id]?.next { return (key, item.id) }
    }
    return nil
  }

  /// Returns the key of the page that leads up to the first item from an index on, and that item.
  func key(below index: Int) -> (key: PageKey, item: RowID)? {
    guard let id = rows.slice(index..<count).lazy.compactMap(\.item).first?.id,
      let key = marks[id]?.previous
    else { return nil }
    return (key, id)
  }

  /// Returns the gap whose rows on disk include the row that `key(above:)` looks for.
  func storedGap(above index: Int) -> Gap.ID? {
    for row in stride(from: index - 1, through: 0, by: -1) {
      switch rows[row] {
      case .item(let item) where marks[item.id]?.next != nil: return nil
      case .gap(let gap) where gap.isStored: return gap.id
      default: continue
      }
    }
    return nil
  }

  /// Returns the part of some rows from the first one on that begins a page.
  func wholePages(in rows: Range<Int>) -> Range<Int>? {
    rows.first { row in
      row == 0 || itemID(at: row - 1).map { marks[$0]?.next != nil } ?? true
    }.map { $0..<rows.upperBound }
  }

  /// Returns the time of the last answer with the page that a row belongs to, if it is known.
  ///
  /// - Complexity: O(*m* log *n*) for a page of *m* rows.
  func fetchedAt(_ index: Int) -> Date? {
    for row in index..<count {
      guard let id = rows[row].item?.id else { return nil }
      if let date = marks[id]?.fetchedAt { return date }
    }
    return nil
  }

  /// Returns the key of the page that a row belongs to, and the index of the page's first row.
  ///
  /// The key is `nil` if the page is at the head or below a gap.
  ///
  /// - Complexity: O(*m* log *n*) for a page of *m* rows.
  func startOfPage(around index: Int) -> (key: PageKey?, first: Int) {
    var first = index
    while first > 0, let id = rows[first - 1].item?.id {
      if let key = marks[id]?.next { return (key, first) }
      first -= 1
    }
    return (nil, first)
  }

  /// Records the pages around a run, and when they were fetched.
  ///
  /// For the pages within the run, only the run itself is evidence. A key that a row had before
  /// may lead elsewhere, because the row moved or others moved past it. The key that the run was
  /// requested with still leads to it.
  ///
  /// - Parameters:
  ///   - isNew: whether none of its items was known before, so that no pages of them are known
  ///     either.
  ///   - isExact: whether the positions in the source's answers are certain. A key that the last
  ///     item of the run brought along from elsewhere leads elsewhere then.
  mutating func mark(
    _ run: Run, isNew: Bool = false, isExact: Bool = false, _ edit: inout TimelineEdit
  ) {
    if !isNew { forgetPages(within: run, &edit) }
    if isExact, run.isEnd, let last = run.items.last?.id, marks[last]?.next != nil {
      mark(last, &edit) { $0.next = nil }
    }
    for (item, previous) in run.starts { mark(item, &edit) { $0.previous = previous } }
    for (item, next) in run.ends {
      mark(item, &edit) { ($0.next, $0.fetchedAt) = (next, run.fetchedAt) }
    }
    if let last = run.items.last?.id ?? run.after {
      mark(last, &edit) { mark in
        if run.next != nil || run.unread != nil { mark.next = run.next }
        if !run.items.isEmpty { mark.fetchedAt = run.fetchedAt }
      }
      if run.next != nil, run.last?.id == last, run.last == item(last) {
        noteAnswered(last, \.isNextExact)
      }
    }
    if let first = run.items.first, let previous = run.previous {
      mark(first.id, &edit) { $0.previous = previous }
      if first == item(first.id) { noteAnswered(first.id, \.isPreviousExact) }
    }
  }

  private mutating func forgetPages(within run: Run, _ edit: inout TimelineEdit) {
    for item in run.items.dropFirst() where marks[item.id] != nil {
      mark(item.id, &edit) { ($0.previous, $0.fetchedAt) = (nil, nil) }
    }
    for item in run.items.dropLast() {
      guard let next = marks[item.id]?.next, next != run.key else { continue }
      mark(item.id, &edit) { $0.next = nil }
    }
  }
}
