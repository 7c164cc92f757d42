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
    // A load whose edge closed makes way for the answers behind it.
    return change.edit.isEmpty ? [] : publish(change) + save(change) + trim() + takeAnswers()
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
  mutating func take(
    _ token: Int, as item: Item? = nil, after request: Int? = nil
  ) -> [Effect] {
    guard let (id, edit) = overlay.edit(token) else { return [] }
    var horizon: Date?
    if case .delete = edit.change {
      beyond[id] = nil
      horizon = now.addingTimeInterval(configuration.deletionHorizon.seconds)
    }
    overlay.take(token, after: request ?? lastRequest, until: horizon)
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
    let asking = loads.lazy.filter { (!$0.isPausing || $0.run != nil) && $0.disk == nil }
    // What is on disk does not know of an edit either.
    overlay.settle(
      oldest: asking.map(\.oldestRequest).min(), at: now,
      unless: timeline.mayBeStored)
    timeline.held = overlay.held
  }

  // MARK: - News

  /// The source says by itself what changed.
  ///
  /// Answers that were asked for before do not undo it (rule R2).
  ///
  /// - Parameter request: the last request made before; `nil` for the newest.
  mutating func receive(
    _ event: FeedEvent<Item>, token: Int, after request: Int? = nil
  ) -> [Effect] {
    guard !isRestoring else {
      news.append((event, token))
      return []
    }
    var effects: [Effect] = []
    switch event {
    case .invalidate: return load(.head)
    case .insert(let item), .upsert(let item):
      overlay.revive(item.id)
      effects = take(item, token: token, after: request ?? lastRequest)
    case .delete(let id):
      beyond[id] = nil
      overlay.begin(
        .init(token: token, change: .delete), of: id, appearing: timeline.item(id))
      overlay.forgetBase(of: id)
      timeline.held.remove(id)
      effects = edit(because: .event) { $0.remove(id) }
    }
    return effects + take(token, after: request)
  }

  /// The source says what an item is: it is shown where it belongs, if that is loaded.
  private mutating func take(_ item: Item, token: Int, after request: Int) -> [Effect] {
    let isShown = timeline.index(of: item.id) != nil
    if !isShown, timeline.mayBeStored(item.id), overlay.edits[item.id] == nil, order == nil {
      // Its older version on disk is read with this one over it.
      _ = overlay.begin(news: item, token: token)
      return []
    }
    let place = place(for: item)
    beyond[item.id] = place == nil ? (item, token, request) : nil
    if !isShown {
      guard place != nil, let seen = overlay.begin(news: item, token: token, holds: true) else {
        return []
      }
      timeline.held = overlay.held
      return edit(because: .event) { [order] in $0.place(seen, by: order) }
    }
    let moves = order != nil && place != timeline.index(of: item.id)
    guard let seen = overlay.begin(news: item, token: token, holds: moves && place != nil) else {
      return []
    }
    timeline.held = overlay.held
    return edit(because: .event) { [order] in $0.update(seen, by: order) }
  }

  /// Where an item belongs, as far as that is loaded: at the head where no order is known.
  private func place(for item: Item) -> Int? {
    if let order { return timeline.index(for: item, by: order) }
    let mayBeMiddle = timeline.head == .open || timeline.head == .unknown && start != nil
    return timeline.index(of: item.id) ?? (mayBeMiddle ? nil : 0)
  }

  /// Shows the items that belong where rows are loaded by now.
  ///
  /// - Parameter request: the oldest request behind the rows that came: one that was made after the
  ///   news knows better whether the item is there and what it is.
  mutating func passFrontier(_ request: Int) -> [Effect] {
    var effects: [Effect] = []
    for (id, news) in beyond.sorted(by: { $0.value.token < $1.value.token })
    where timeline.index(of: id) != nil || place(for: news.item) != nil {
      beyond[id] = nil
      if request <= news.request {
        effects += receive(.upsert(news.item), token: news.token, after: news.request)
      }
    }
    return effects
  }
}
