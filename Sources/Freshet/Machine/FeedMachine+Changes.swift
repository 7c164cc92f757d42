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
  ) -> [Effect] {
    let request = request ?? planner.lastRequest
    guard !isRestoring else {
      restoring?.news.append((event, token, request))
      return []
    }
    switch event {
    case .invalidate:
      planner.markChanged(after: request)
      return load(.refresh)
    case .insert(let item): return follow((item, token, request), isNew: true, at: now)
    case .upsert(let item): return follow((item, token, request), isNew: false, at: now)
    case .delete(let id):
      return edit(rows.delete(id, token: token, planner.requests, at: now), at: now)
        + settle(at: now)
    }
  }

  private mutating func follow(_ news: FeedRows.News, isNew: Bool, at now: Date) -> [Effect] {
    if !isNew, rows.isJustDeleted(news.item.id, at: now) { return [] }
    let keys = forgetKeys(around: news.item, at: now)
    let change = rows.show(news, isNew: isNew, planner.requests, at: now)
    let effects = edit(change, at: now)
    // Most events change no keys and meet no edits: this path copies their effects only once.
    if keys.isEmpty, rows.presentation.overlay.edits.isEmpty { return effects }
    return keys + effects + settle(at: now)
  }

  /// Forgets the keys that may lead past an item.
  private mutating func forgetKeys(around item: AnyItem, at now: Date) -> [Effect] {
    guard let change = rows.forgetKeys(around: item, at: now) else { return [] }
    let step = absorb(change)
    return publish(step) + save(step)
  }

  /// Shows the items of earlier news whose positions are loaded by now.
  ///
  /// - Parameters:
  ///   - request: the oldest request whose answer contained the new rows.
  ///   - run: the new rows.
  mutating func passFrontier(_ request: Int, by run: Run? = nil, at now: Date) -> [Effect] {
    let ids = rows.unplacedItems
    if ids.isEmpty { return [] }
    let own = run.map { Dictionary(zip($0.items.lazy.map(\.id), $0.requests)) { $1 } }
    var effects: [Effect] = []
    for id in ids {
      guard let news = rows.takeNews(of: id, after: request, own?[id], planner.requests) else {
        continue
      }
      effects += follow(.upsert(news.item), token: news.token, after: news.request, at: now)
    }
    rows.dropKnownNews(planner.requests)
    return effects
  }

  /// Inserts items at their proper positions if answers refuted the positions set by edits.
  mutating func placeMisplaced(at now: Date) -> [Effect] {
    var effects: [Effect] = []
    for item in rows.takeMisplaced() where rows.isMissing(item.id) {
      effects += forgetKeys(around: item, at: now)
      effects += edit(rows.place(misplaced: item, planner.requests, at: now), at: now)
    }
    return effects
  }

  /// Ends the edits that no answer can contradict any more: their results count as answered.
  mutating func settle(at now: Date) -> [Effect] {
    var (tokens, effects) = (rows.settledEdits(planner.requests, at: now), [Effect]())
    while let change = rows.settle(&tokens, planner.requests, at: now) {
      effects += edit(change, at: now)
    }
    return effects
  }

  // MARK: - The edits of the user

  /// Inserts an item after another or at the head; an item with the same id is moved there.
  mutating func insert(_ item: AnyItem, after other: RowID?, at now: Date) -> [Effect] {
    edit(rows.insert(item, after: other, at: now), at: now)
  }

  /// Removes an item.
  mutating func remove(_ id: RowID, at now: Date) -> [Effect] {
    edit(rows.remove(id, at: now), at: now)
  }

  /// Moves an item after another, or to the head.
  mutating func move(_ id: RowID, after other: RowID?, at now: Date) -> [Effect] {
    edit(rows.move(id, after: other, at: now), at: now)
  }

  /// Shows the change of an item while the edit is sent.
  mutating func update(
    _ id: RowID, token: Int, at now: Date, by change: @escaping @Sendable (inout AnyItem) -> Void
  ) -> [Effect] {
    edit(rows.begin(.update(change), token, of: id, planner.requests, at: now), at: now)
  }

  /// Shows a new item while the edit is sent.
  mutating func insert(_ item: AnyItem, after other: RowID?, token: Int, at now: Date) -> [Effect] {
    let requests = planner.requests
    return edit(
      rows.begin(inserting: item, after: other, token: token, requests, at: now), at: now)
  }

  /// Hides an item while its deletion is sent.
  mutating func delete(_ id: RowID, token: Int, at now: Date) -> [Effect] {
    edit(rows.begin(.delete, token, of: id, planner.requests, at: now), at: now)
  }

  /// Confirms an edit with the item as the source returned it; a created item may have a new id.
  mutating func confirm(_ token: Int, as item: AnyItem? = nil, at now: Date) -> [Effect] {
    guard let change = rows.confirm(token, as: item, planner.requests, at: now) else { return [] }
    return edit(change, at: now) + settle(at: now)
  }

  /// Undoes one edit that the source rejected, and no other.
  mutating func undo(_ token: Int, at now: Date) -> [Effect] {
    edit(rows.undo(token, at: now), at: now)
  }

  /// Publishes and stores the changes of an edit, if there are any.
  mutating func edit(_ change: RowChange?, at now: Date) -> [Effect] {
    guard let change else { return [] }
    let step = absorb(change)
    // The eviction of rows is a step of its own.
    var effects = publish(step)
    if !step.edit.isEmpty {
      effects += save(step)
      let trimmed = trim(at: now)
      if !trimmed.isEmpty { effects += trimmed }
    }
    // If the change closed the edge of a load and so ended it, later answers can be read.
    let answers = readAnswers()
    if !answers.isEmpty { effects += answers }
    return effects
  }

  /// Evicts pages that are far from the rows on display, once they are stored.
  mutating func trim(at now: Date) -> [Effect] {
    guard let maximum = configuration.maximumRows, rows.timeline.count > maximum, !isRestoring,
      !pending.isWhole
    else { return [] }
    // The keys of evicted pages will be used again.
    if !isCached { planner.forgetUsedKeys() }
    var effects: [Effect] = []
    for range in rows.farRanges(maximum, page: max(1, configuration.pageSize)).reversed() {
      effects += publish(absorb(rows.evict(range, isStored: isCached, at: now)))
    }
    return effects
  }

  // MARK: - The reader

  /// Holds back the rows that are inserted at the head from now on.
  mutating func holdNew() -> [Effect] {
    rows.holdNew()
    return []
  }

  /// Shows the rows that were held back.
  mutating func showNew() -> [Effect] { publish(absorb(rows.showNew())) }

  /// Sets the item at which the reader is; it is stored with the next step.
  mutating func setAnchor(_ id: RowID?) -> [Effect] {
    guard rows.setReader(id) else { return [] }
    contents.anchor = rows.presentation.readerKey
    pending.isPlaceSaved = false
    return []
  }
}
