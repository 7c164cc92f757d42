internal import FreshetLists
internal import struct Foundation.Date

// Events of the source, edits, and their consequences.
extension FeedMachine {
  /// Applies an event of the source.
  ///
  /// The answers to earlier requests do not undo it (rule R2).
  ///
  /// - Parameter request: the last request made before the event; `nil` for the newest.
  mutating func follow(
    _ event: FeedEvent<AnyItem>, token: Int, after request: Int? = nil, at now: Date
  ) {
    let request = request ?? planner.lastRequest
    guard !isRestoring else {
      restoring?.news.append((event, token, request))
      return
    }
    if case .invalidateWindows(let validators) = event,
      noteChangesElsewhere(than: validators, after: request, at: now)
    {
      return
    }
    countRows(of: event, after: request)
    switch event {
    case .invalidate, .invalidateWindows:
      planner.markChanged(after: request)
      load(.refresh)
    case .insert(let item): show((item, token, request), isNew: true, at: now)
    case .upsert(let item): show((item, token, request), isNew: false, at: now)
    case .update(let item):
      guard !rows.shows(item.id) else { return show((item, token, request), isNew: false, at: now) }
      apply(rows.prepare((item, token, request), planner.requests, at: now), at: now)
      settle(at: now)
    case .delete(let id):
      apply(rows.delete(id, token: token, planner.requests, at: now), at: now)
      settle(at: now)
    }
  }

  /// Notes what an event says of the number of rows in the whole list.
  private mutating func countRows(of event: FeedEvent<AnyItem>, after request: Int) {
    switch event {
    case .insert(let item):
      if !rows.knows(item.id) { planner.total.add(1, after: request) }
      // It may be among rows that are not loaded.
      planner.unloaded.doubt(after: request)
    case .delete(let id) where rows.timeline.order(of: id) != nil:
      planner.total.add(-1, after: request)
    case .upsert(let item) where rows.knows(item.id), .update(let item):
      // It may have moved from one gap to another.
      if rows.timeline.order(of: item.id) == nil { planner.unloaded.doubt(after: request) }
    case .delete, .upsert, .invalidate, .invalidateWindows:
      planner.total.doubt(after: request)
      planner.unloaded.doubt(after: request)
    }
  }

  private mutating func show(_ news: FeedRows.News, isNew: Bool, at now: Date) {
    if !isNew, rows.isJustDeleted(news.item.id, at: now) { return }
    forgetKeys(around: news.item, at: now)
    apply(rows.show(news, isNew: isNew, planner.requests, at: now), at: now)
    settle(at: now)
  }

  /// Forgets the keys that may lead past an item.
  private mutating func forgetKeys(around item: AnyItem, at now: Date) {
    guard let change = rows.forgetKeys(around: item, at: now) else { return }
    let step = absorb(change)
    publish(step)
    save(step)
  }

  /// Shows the items of earlier news whose positions are loaded by now.
  ///
  /// - Parameters:
  ///   - request: the oldest request whose answer contained the new rows.
  ///   - run: the new rows.
  mutating func passFrontier(_ request: Int, by run: Run? = nil, at now: Date) {
    let ids = rows.unplacedItems
    if ids.isEmpty { return }
    let own = run.map { Dictionary(zip($0.items.lazy.map(\.id), $0.requests)) { $1 } }
    for id in ids {
      guard let news = rows.takeNews(of: id, after: request, own?[id], planner.requests) else {
        continue
      }
      follow(.upsert(news.item), token: news.token, after: news.request, at: now)
    }
    rows.dropKnownNews(planner.requests)
  }

  /// Inserts items at their proper positions if answers refuted the positions set by edits.
  mutating func placeMisplaced(at now: Date) {
    for item in rows.takeMisplaced() where rows.isMissing(item.id) {
      forgetKeys(around: item, at: now)
      apply(rows.place(misplaced: item, planner.requests, at: now), at: now)
    }
  }

  /// Removes the items of an answer that the source has deleted since.
  mutating func removeDeleted(_ run: Run?, at now: Date) {
    for id in rows.deletedItems(in: run) {
      apply(rows.remove(id, because: .edit, at: now), at: now)
    }
  }

  /// Shows moves whose items are loaded by now, and ends the edits that no answer can contradict.
  ///
  /// The results of those edits count as answered.
  mutating func settle(at now: Date) {
    for (token, move) in rows.takePlaceableMoves() {
      apply(rows.begin(move, token: token, planner.requests, at: now), at: now)
    }
    var tokens = rows.settledEdits(planner.requests, at: now)
    while let change = rows.settle(&tokens, planner.requests, at: now) { apply(change, at: now) }
  }

  // MARK: - The edits of the user

  /// Applies an edit that is not sent to the source.
  mutating func edit(_ edit: LocalEdit, at now: Date) {
    planner.unloaded.noteLocalEdit()
    apply(rows.apply(edit, at: now), at: now)
  }

  /// Shows an edit while it is sent.
  mutating func begin(_ edit: OptimisticEdit, token: Int, at now: Date) {
    apply(rows.begin(edit, token: token, planner.requests, at: now), at: now)
  }

  /// Confirms an edit with the item as the source returned it; a created item may have a new id.
  mutating func confirm(_ token: Int, as item: AnyItem? = nil, at now: Date) {
    guard let change = rows.confirm(token, as: item, planner.requests, at: now) else { return }
    let count = change.edit.inserted.count { $0.row.item != nil }
    let removed = change.edit.removed.count { $0.row.item != nil }
    if count != removed { planner.total.add(count - removed, after: planner.lastRequest) }
    apply(change, at: now)
    settle(at: now)
  }

  /// Undoes one edit that the source rejected, and no other.
  mutating func undo(_ token: Int, at now: Date) { apply(rows.undo(token, at: now), at: now) }

  /// Publishes and stores a change of the rows, if there is one.
  mutating func apply(_ change: RowChange?, at now: Date) {
    guard let change else { return }
    let step = absorb(change)
    // The eviction of rows is a step of its own.
    publish(step)
    if !step.edit.isEmpty {
      save(step)
      trim(at: now)
    }
    // If the change closed the edge of a load and so ended it, later answers can be read.
    readAnswers()
  }

  /// Evicts pages that are far from the rows on display, once they are stored.
  mutating func trim(at now: Date) {
    guard let maximum = configuration.maximumRows, rows.timeline.count > maximum, !isRestoring,
      !pending.isWhole
    else { return }
    // The keys of evicted pages will be used again.
    if !isCached { planner.forgetUsedKeys() }
    for range in rows.farRanges(maximum, page: max(1, configuration.pageSize)).reversed() {
      guard let range = isCached ? range : planner.evictable(range, in: rows.timeline) else {
        continue
      }
      publish(evict(range, isStored: isCached, at: now))
    }
  }

  /// Evicts rows from memory.
  mutating func evict(_ range: Range<Int>, isStored: Bool, at now: Date) -> Step {
    let size = planner.unloaded.size(of: range, in: rows.timeline)
    let above = planner.unloaded.above(in: rows.timeline)
    let step = absorb(rows.evict(range, isStored: isStored, at: now))
    planner.unloaded.noteEvicted(size, at: range.lowerBound, above: above, in: rows.timeline)
    return step
  }

  // MARK: - The reader

  /// Holds back the rows that are inserted at the head from now on.
  mutating func holdNew() { rows.holdNew() }

  /// Shows the rows that were held back.
  mutating func showNew() { publish(absorb(rows.showNew())) }

  /// Sets the item at which the reader is; it is stored with the next step.
  mutating func setAnchor(_ id: RowID?) {
    guard rows.setReader(id) else { return }
    published.noteAnchor(of: rows)
    pending.isPlaceSaved = false
  }

  /// Stores the reader's place and the time of the last refresh, if no step has stored them.
  mutating func savePlace(at now: Date) {
    if !pending.isPlaceSaved { save(absorb(rows.change(.edit, at: now))) }
  }
}
