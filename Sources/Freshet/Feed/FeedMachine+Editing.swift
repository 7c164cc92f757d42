internal import FreshetLists
internal import struct Foundation.Date

// What the user edits.
extension FeedMachine {
  /// Puts an item behind another, or at the head; one with its id moves there.
  mutating func insert(_ item: Item, after other: Item.ID?) -> [Effect] {
    edit { $0.put(item, after: other) }
  }

  /// Takes an item out.
  mutating func remove(_ id: Item.ID) -> [Effect] { edit { $0.remove(id) } }

  /// Moves an item behind another, or to the head.
  mutating func move(_ id: Item.ID, after other: Item.ID?) -> [Effect] {
    guard let index = timeline.index(of: id), let item = timeline.rows[index].item else {
      return []
    }
    return insert(item, after: other)
  }

  mutating func edit(
    because cause: RowTrace.Cause = .edit,
    _ edit: (inout Timeline<Item>) -> TimelineEdit<Item>
  ) -> [Effect] {
    let change = change(cause, by: edit)
    return change.edit.isEmpty ? [] : publish(change) + save(change)
  }

  // MARK: - Edits that the source is told of

  /// Shows an item changed while the source is told.
  mutating func update(
    _ id: Item.ID, token: Int, by change: @escaping @Sendable (inout Item) -> Void
  ) -> [Effect] {
    let item = timeline.item(id)
    overlay.begin(.init(token: token, change: .update(change)), of: id, appearing: item)
    guard var item else { return [] }
    change(&item)
    return edit { $0.update(item) }
  }

  /// Shows a new item while the source is told.
  mutating func insert(_ item: Item, after other: Item.ID?, token: Int) -> [Effect] {
    overlay.revive(item.id)
    overlay.begin(.init(token: token, change: .insert), of: item.id, appearing: item)
    timeline.held.insert(item.id)
    return insert(item, after: other)
  }

  /// Takes an item out while the source is told.
  mutating func delete(_ id: Item.ID, token: Int) -> [Effect] {
    // A row that is gone already was deleted twice.
    let place = timeline.place(of: id) ?? overlay.place(of: id)
    overlay.begin(
      .init(token: token, change: .delete, place: place), of: id, appearing: timeline.item(id))
    timeline.held.remove(id)
    return remove(id)
  }

  /// The source took an edit; an inserted item may be another one now.
  mutating func take(_ token: Int, as item: Item? = nil) -> [Effect] {
    guard let (id, edit) = overlay.edit(token) else { return [] }
    var horizon: Date?
    if case .delete = edit.change {
      horizon = now.addingTimeInterval(configuration.deletionHorizon.seconds)
    }
    overlay.take(token, after: lastRequest, until: horizon)
    var effects: [Effect] = []
    if let item {
      let isKnown = item.id != id && timeline.index(of: item.id) != nil
      let seen = overlay.adopt(item, insteadOf: id, saidIn: lastRequest)
      timeline.held = overlay.held
      if isKnown { effects += remove(id) }
      if let seen {
        effects += self.edit {
          isKnown || item.id == id ? $0.update(seen) : $0.rename(id, to: seen)
        }
      } else {
        effects += remove(isKnown ? item.id : id)
      }
    }
    settle(at: now)
    return effects
  }

  /// The source did not take an edit: it is undone, and it alone.
  mutating func undo(_ token: Int) -> [Effect] {
    guard let (id, edit) = overlay.edit(token) else { return [] }
    let item = overlay.undo(token)
    timeline.held = overlay.held
    switch edit.change {
    case .insert: return remove(id)
    case .update: return item.map { item in self.edit { $0.update(item) } } ?? []
    case .delete:
      guard let item, let place = edit.place else { return [] }
      return self.edit { $0.restore(item, at: place) }
    }
  }

  // MARK: - Rows that wait

  /// From now on rows that come at the head wait.
  mutating func holdNew() -> [Effect] {
    if timeline.fold == nil { timeline.fold = timeline.content.orders.first }
    return []
  }

  /// Shows the rows that waited.
  mutating func showNew() -> [Effect] {
    guard let fold = timeline.fold else { return [] }
    let change = change(.event) { timeline in
      var edit = TimelineEdit<Item>()
      edit.inserted = timeline.rows(above: fold)
      timeline.fold = nil
      return edit
    }
    return publish(change)
  }

  /// Forgets the edits that no answer can contradict any more.
  mutating func settle(at now: Date?) {
    let asking = loads.lazy.filter { !$0.isPausing && $0.stored == nil }
    // What is on disk does not know of an edit either.
    let isOnDisk: (Item.ID) -> Bool = { [timeline] id in
      !timeline.unloaded.isEmpty && timeline.index(of: id) == nil
    }
    overlay.settle(
      oldest: asking.map { $0.run == nil ? $0.request : $0.since ?? $0.request }.min(), at: now,
      unless: isOnDisk)
    timeline.held = overlay.held
  }

  // MARK: - News

  /// The source says by itself what changed.
  ///
  /// Answers that were asked for before do not undo it (rule R2).
  mutating func receive(_ event: FeedEvent<Item>, token: Int) -> [Effect] {
    guard !isRestoring else {
      news.append((event, token))
      return []
    }
    var effects: [Effect] = []
    switch event {
    case .insert(let item), .upsert(let item): overlay.revive(item.id)
    case .delete, .invalidate: break
    }
    switch event {
    case .invalidate: return load(.head)
    case .insert(let item) where isNew(item.id) && !isReached(item),
      .upsert(let item) where isNew(item.id) && !isReached(item):
      beyond[item.id] = (item, token, lastRequest)
    case .insert(let item) where isNew(item.id), .upsert(let item) where isNew(item.id):
      overlay.begin(.init(token: token, change: .insert), of: item.id, appearing: item)
      timeline.held.insert(item.id)
      effects = edit(because: .event) { [order] in $0.place(item, by: order) }
    case .insert(let item), .upsert(let item):
      if let item = overlay.begin(news: item, token: token) {
        if !isReached(item) { beyond[item.id] = (item, token, lastRequest) }
        effects = edit(because: .event) { [order] in $0.update(item, by: order) }
      }
    case .delete(let id):
      beyond[id] = nil
      overlay.begin(
        .init(token: token, change: .delete), of: id, appearing: timeline.item(id))
      timeline.held.remove(id)
      effects = edit(because: .event) { $0.remove(id) }
    }
    return effects + take(token)
  }

  /// Whether an item belongs where rows are loaded, as far as that is known.
  private func isReached(_ item: Item) -> Bool {
    order.map { timeline.index(for: item, by: $0) != nil } ?? true
  }

  /// Shows the items that belong where rows are loaded by now.
  ///
  /// - Parameter request: the oldest request behind the rows that came: one that was made after the
  ///   news knows better whether the item is there and what it is.
  mutating func passFrontier(_ request: Int) -> [Effect] {
    var effects: [Effect] = []
    for (id, news) in beyond.sorted(by: { $0.value.token < $1.value.token })
    where timeline.index(of: id) != nil || isReached(news.item) {
      beyond[id] = nil
      if request <= news.request {
        effects += receive(.upsert(news.item), token: news.token)
      }
    }
    return effects
  }

  /// Whether an item is neither shown nor being deleted.
  private func isNew(_ id: Item.ID) -> Bool {
    timeline.index(of: id) == nil && overlay.edits[id] == nil
  }
}
