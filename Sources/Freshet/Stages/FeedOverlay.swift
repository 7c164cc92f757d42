internal import FreshetLists
internal import struct Foundation.Date

/// Edits that are shown before the source knows them.
///
/// The answers of the source are seen through it: an item that is being edited appears edited, one
/// that is being deleted does not appear. An edit that the source took goes on for answers that
/// were asked for before; one that failed is undone alone (rule R6).
struct FeedOverlay<Item: ListItem>: Sendable {
  /// What an edit does to its item.
  enum Change: Sendable {
    case update(@Sendable (inout Item) -> Void)
    case delete
    case insert
  }

  struct Edit: Sendable {
    let token: Int
    let change: Change
    /// The last request made before the source took the edit.
    var takenAfter: Int?
    /// Until when the source may still answer as if it had not.
    var takenUntil: Date?
    /// Where a deleted item stood.
    var place: Place?
    /// Whether the item stays where the edit put it, whatever answers say that were asked for before.
    var holds = false
  }

  /// Where an item stood, as its neighbours say.
  struct Place: Sendable {
    var above: Item.ID?
    var below: Item.ID?
  }

  private(set) var edits: [Item.ID: [Edit]] = [:]
  /// What the source says of the items that appear edited, and in answer to which request.
  private var bases: [Item.ID: (item: Item, request: Int)] = [:]
  private var owners: [Int: Item.ID] = [:]

  /// An edit, and the item it is about.
  func edit(_ token: Int) -> (id: Item.ID, edit: Edit)? {
    guard let id = owners[token], let edit = edits[id]?.first(where: { $0.token == token }) else {
      return nil
    }
    return (id, edit)
  }

  /// What was read as it appears.
  ///
  /// - Complexity: O(1) where nothing is being edited.
  mutating func seen(_ run: Run<Item>, at now: Date) -> Run<Item> {
    if edits.isEmpty { return run }
    var seen = run
    seen.items = []
    for (item, request) in zip(run.items, run.requests) {
      if let item = self.seen(item, inAnswerTo: request, at: now) { seen.items.append(item) }
    }
    return seen
  }

  /// An item of an answer as it appears; `nil` where it is being deleted.
  private mutating func seen(_ item: Item, inAnswerTo request: Int, at now: Date) -> Item? {
    guard let edits = edits[item.id] else { return item }
    bases[item.id] = (item, request)
    return edits.filter { edit in
      guard let takenAfter = edit.takenAfter else { return true }
      return request <= takenAfter || edit.takenUntil.map { now < $0 } ?? false
    }.reduce(item) { item, edit in item.flatMap { edit.change.applied(to: $0) } }
  }

  /// The items that stand where an edit put them, although no answer says so.
  var held: Set<Item.ID> {
    Set(edits.lazy.filter { $1.contains { $0.change.isInsertion || $0.holds } }.map(\.key))
  }

  /// Begins an edit.
  ///
  /// - Parameter item: the item as it appears now, if it is loaded.
  mutating func begin(_ edit: Edit, of id: Item.ID, appearing item: Item?) {
    owners[edit.token] = id
    if edits[id] == nil, let item { bases[id] = (item, 0) }
    edits[id, default: []].append(edit)
  }

  /// The source says by itself what an item is: edits that it does not know yet apply to that.
  ///
  /// - Returns: the item as it appears; `nil` where it is being deleted.
  mutating func begin(news item: Item, token: Int, holds: Bool = false) -> Item? {
    owners[token] = item.id
    bases[item.id] = (item, 0)
    // Whatever the source took before is part of what it says now.
    var all = (edits[item.id] ?? []).filter { $0.takenAfter == nil || $0.change.isInsertion }
    let place = all.firstIndex { $0.takenAfter == nil } ?? all.count
    all.insert(Edit(token: token, change: .update { $0 = item }, holds: holds), at: place)
    edits[item.id] = all
    return all.reduce(item) { item, edit in item.flatMap { edit.change.applied(to: $0) } }
  }

  /// The source says that an item is gone: no edit that fails brings it back.
  mutating func forgetBase(of id: Item.ID) { bases[id] = nil }

  /// The source took an edit: it is part of what the source says from here on, but for answers to
  /// requests up to `request`, and for some time for the answers of slow replicas.
  mutating func take(_ token: Int, after request: Int, until horizon: Date?) {
    guard let id = owners[token], let index = edits[id]?.firstIndex(where: { $0.token == token })
    else { return }
    edits[id]?[index].takenAfter = request
    edits[id]?[index].takenUntil = horizon
  }

  /// Undoes an edit.
  ///
  /// - Returns: the item as it appears without it; `nil` where it does not.
  mutating func undo(_ token: Int) -> Item? {
    guard let id = owners.removeValue(forKey: token), var rest = edits[id] else { return nil }
    rest.removeAll { $0.token == token }
    let base = bases[id]
    let item = rest.filter { $0.takenAfter.map { (base?.request ?? 0) <= $0 } ?? true }
      .reduce(base?.item) { item, edit in
        item.flatMap { edit.change.applied(to: $0) }
      }
    edits[id] = rest.isEmpty ? nil : rest
    if rest.isEmpty { bases[id] = nil }
    return item
  }

  /// Forgets the edits that no answer under way can contradict any more.
  ///
  /// - Parameters:
  ///   - oldest: the oldest request that may still be answered; `nil` where there is none.
  ///   - isOnDisk: whether an older version of an item may still be read from disk.
  mutating func settle(oldest: Int?, at now: Date?, unless isOnDisk: (Item.ID) -> Bool) {
    // A deletion may be one of the item that is being made, under an id that nobody knows yet.
    let isCreating = edits.values.contains {
      $0.contains { $0.change.isInsertion && $0.takenAfter == nil }
    }
    for (id, all) in edits where !isOnDisk(id) {
      let open = all.filter { edit in
        guard let takenAfter = edit.takenAfter else { return true }
        let isExpected = oldest.map { $0 <= takenAfter } ?? false
        return isExpected || isCreating && edit.change.isDeletion
          || edit.takenUntil.map { until in now.map { $0 < until } ?? true } ?? false
      }
      guard open.count < all.count else { continue }
      for edit in all where !open.contains(where: { $0.token == edit.token }) {
        owners[edit.token] = nil
        // What the source said since then has the edit in it.
        if let base = bases[id], base.request <= edit.takenAfter ?? 0 {
          bases[id] = edit.change.applied(to: base.item).map { ($0, base.request) }
        }
      }
      edits[id] = open.isEmpty ? nil : open
      if open.isEmpty { bases[id] = nil }
    }
  }

  /// The source made an item of one that was inserted here, perhaps under another id.
  ///
  /// - Returns: the item with the edits that the source does not know yet; `nil` where it is being
  ///   deleted.
  mutating func adopt(_ item: Item, insteadOf id: Item.ID, saidIn request: Int) -> Item? {
    // Deleted since it was made.
    let isGone = edits[item.id]?.contains { $0.takenAfter != nil && $0.change.isDeletion } ?? false
    if id != item.id, let all = edits.removeValue(forKey: id) {
      bases[id] = nil
      edits[item.id, default: []] += all
      for edit in all { owners[edit.token] = item.id }
    }
    guard let all = edits[item.id] else { return item }
    if isGone { return nil }
    bases[item.id] = (item, request)
    return all.filter { $0.takenAfter == nil }
      .reduce(item) { item, edit in item.flatMap { edit.change.applied(to: $0) } }
  }

  /// An item that was deleted is there again.
  mutating func revive(_ id: Item.ID) {
    edits[id]?.removeAll { $0.takenAfter != nil && $0.change.isDeletion }
    if edits[id]?.isEmpty == true { edits[id] = nil }
  }

  /// Where an item stood before it was deleted.
  func place(of id: Item.ID) -> Place? { edits[id]?.lazy.compactMap(\.place).first }

  /// A stored item as it appears; `nil` where it is being deleted.
  mutating func seenFromDisk(_ item: Item) -> Item? {
    edits[item.id] == nil ? item : seen(item, inAnswerTo: 0, at: .distantPast)
  }
}

extension FeedOverlay.Change {
  var isDeletion: Bool { if case .delete = self { true } else { false } }
  var isInsertion: Bool { if case .insert = self { true } else { false } }

  /// What an item becomes; `nil` where it goes.
  func applied(to item: Item) -> Item? {
    switch self {
    case .insert: return item
    case .delete: return nil
    case .update(let change):
      var item = item
      change(&item)
      return item
    }
  }
}
