internal import FreshetLists
internal import struct Foundation.Date

// News, edits and what follows from them.
extension FeedMachine {
  /// The source says by itself what changed.
  ///
  /// Answers that were asked for before do not undo it (rule R2).
  ///
  /// - Parameter request: the last request made before; `nil` for the newest.
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
    // Most events have neither: their effects are copied once.
    if keys.isEmpty, rows.presentation.overlay.edits.isEmpty { return effects }
    return keys + effects + settle(at: now)
  }

  /// Forgets the keys that may lead past an item.
  private mutating func forgetKeys(around item: AnyItem, at now: Date) -> [Effect] {
    guard let change = rows.forgetKeys(around: item, at: now) else { return [] }
    let step = absorb(change)
    return publish(step) + save(step)
  }

  /// Shows the items that belong where rows are loaded by now.
  ///
  /// - Parameters:
  ///   - request: the oldest request behind the rows that came.
  ///   - run: the rows.
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

  /// Puts the items where they belong that answers showed not to be where edits had put them.
  mutating func placeMisplaced(at now: Date) -> [Effect] {
    var effects: [Effect] = []
    for item in rows.takeMisplaced() where rows.isMissing(item.id) {
      effects += forgetKeys(around: item, at: now)
      effects += edit(rows.place(misplaced: item, planner.requests, at: now), at: now)
    }
    return effects
  }

  /// Ends the edits that no answer can contradict any more: what they say counts as answered.
  mutating func settle(at now: Date) -> [Effect] {
    var (tokens, effects) = (rows.settledEdits(planner.requests, at: now), [Effect]())
    while let change = rows.settle(&tokens, planner.requests, at: now) {
      effects += edit(change, at: now)
    }
    return effects
  }

  // MARK: - What the user edits

  /// Puts an item behind another, or at the head; one with its id moves there.
  mutating func insert(_ item: AnyItem, after other: RowID?, at now: Date) -> [Effect] {
    edit(rows.insert(item, after: other, at: now), at: now)
  }

  /// Takes an item out.
  mutating func remove(_ id: RowID, at now: Date) -> [Effect] {
    edit(rows.remove(id, at: now), at: now)
  }

  /// Moves an item behind another, or to the head.
  mutating func move(_ id: RowID, after other: RowID?, at now: Date) -> [Effect] {
    edit(rows.move(id, after: other, at: now), at: now)
  }

  /// Shows an item changed while the edit is sent.
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

  /// Takes an item out while the edit is sent.
  mutating func delete(_ id: RowID, token: Int, at now: Date) -> [Effect] {
    edit(rows.begin(.delete, token, of: id, planner.requests, at: now), at: now)
  }

  /// The source took an edit, and says what its item is now: one that was made may have another id.
  mutating func confirm(_ token: Int, as item: AnyItem? = nil, at now: Date) -> [Effect] {
    guard let change = rows.confirm(token, as: item, planner.requests, at: now) else { return [] }
    return edit(change, at: now) + settle(at: now)
  }

  /// The source did not take an edit: it is undone, and it alone.
  mutating func undo(_ token: Int, at now: Date) -> [Effect] {
    edit(rows.undo(token, at: now), at: now)
  }

  /// Shows and stores what an edit changed, if anything did.
  mutating func edit(_ change: RowChange?, at now: Date) -> [Effect] {
    guard let change else { return [] }
    let step = absorb(change)
    // Rows that leave memory are a step of their own.
    var effects = publish(step)
    if !step.edit.isEmpty {
      effects += save(step)
      let trimmed = trim(at: now)
      if !trimmed.isEmpty { effects += trimmed }
    }
    // A load whose edge closed makes way for the answers behind it.
    let answers = readAnswers()
    if !answers.isEmpty { effects += answers }
    return effects
  }

  /// Lets pages go that are far from what is on display, once they are stored.
  mutating func trim(at now: Date) -> [Effect] {
    guard let maximum = configuration.maximumRows, rows.timeline.count > maximum, !isRestoring,
      !pending.isWhole
    else { return [] }
    // Keys of pages that are let go will be used again.
    if !isCached { planner.forgetUsedKeys() }
    var effects: [Effect] = []
    for range in rows.farRanges(maximum, page: max(1, configuration.pageSize)).reversed() {
      effects += publish(absorb(rows.evict(range, isStored: isCached, at: now)))
    }
    return effects
  }

  // MARK: - The reader

  /// From now on rows that come at the head wait.
  mutating func holdNew() -> [Effect] {
    rows.holdNew()
    return []
  }

  /// Shows the rows that waited.
  mutating func showNew() -> [Effect] { publish(absorb(rows.showNew())) }

  /// The reader came to an item; stored with the next step.
  mutating func setAnchor(_ id: RowID?) -> [Effect] {
    guard rows.setReader(id) else { return [] }
    contents.anchor = rows.presentation.readerKey
    pending.isPlaceSaved = false
    return []
  }
}
