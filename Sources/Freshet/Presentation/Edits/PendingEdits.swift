internal import FreshetLists
internal import struct Foundation.Date

/// Edits that are shown before the source says them.
///
/// What an answer says is seen through them: an item that is being edited appears edited, one that
/// is being deleted does not appear, and one that is being made appears where it was put. An edit
/// that the source took goes on for answers that were asked for before; one that failed is undone
/// alone (rule R6). News are edits that the source took from the start (rule R2).
struct PendingEdits: Sendable {
  private var edits: [RowID: [Edit]] = [:]
  private var owners: [Int: RowID] = [:]
  /// Of the items that are edited, the request that they last came in answer to.
  private var requests: [RowID: Int] = [:]
  /// The items whose edits changed since somebody last asked.
  private var changed: Set<RowID> = []
  /// The edits that the source took.
  private var settling = ConfirmationQueue()
  /// How many items are being made.
  private var creations = 0

  /// The items with edits of which the source has not decided.
  private(set) var undecided = RowKeys()

  var isEmpty: Bool { edits.isEmpty }
  /// The items that are edited.
  var ids: Dictionary<RowID, [Edit]>.Keys { edits.keys }

  /// Whether an item is being made, perhaps under an id that is not known yet.
  var isMaking: Bool { creations > 0 }

  /// Whether an item is being made under this id.
  func isMaking(_ id: RowID) -> Bool { edits[id]?.contains(where: \.isCreation) ?? false }

  func contains(_ id: RowID) -> Bool { edits[id] != nil }

  /// An edit, and the item it is about.
  func edit(_ token: Int) -> (id: RowID, edit: Edit)? {
    guard let id = owners[token], let edit = edits[id]?.first(where: { $0.token == token }) else {
      return nil
    }
    return (id, edit)
  }

  /// What becomes of an item that the answers say to be this; `nil` where they do not have it.
  func appearance(of id: RowID, over answered: AnyItem?) -> EffectiveItem {
    var appearance = EffectiveItem(item: answered)
    let request = answered == nil ? nil : requests[id] ?? 0
    for edit in edits[id] ?? [] where !edit.isKnown(to: request) {
      appearance.item = edit.change.applied(to: appearance.item)
      if edit.isPlaced { appearance.isPlaced = true }
    }
    return appearance
  }

  /// What the source says of an item, in answers and edits that it took; `nil` where it says
  /// nothing.
  func known(of id: RowID, over answered: AnyItem?) -> AnyItem? {
    let request = answered == nil ? nil : requests[id] ?? 0
    return (edits[id] ?? []).filter { $0.takenAfter != nil && !$0.isKnown(to: request) }
      .reduce(answered) { $1.change.applied(to: $0) }
  }

  /// The items whose edits changed since this was last asked for.
  mutating func takeChanged() -> Set<RowID> {
    for id in changed {
      if edits[id]?.contains(where: { $0.takenAfter == nil }) ?? false {
        undecided.insert(AnyItem._key(of: id))
      } else {
        undecided.remove(AnyItem._key(of: id))
      }
    }
    defer { changed = [] }
    return changed
  }

  /// Whether the source deleted an item, as far as is known.
  ///
  /// - Parameter request: one whose answer need not know of it; any counts unless you say so.
  func isDeleted(_ id: RowID, after request: Int = 0) -> Bool {
    edits[id]?.contains { $0.change.isDeletion && ($0.takenAfter ?? -1) >= request } ?? false
  }

  /// The last request made before the source took an edit of an item, or told of it.
  func lastTaken(of id: RowID) -> Int? { edits[id]?.compactMap(\.takenAfter).max() }

  /// Whether the source took a deletion of the user's so short a while ago that older news of the
  /// item may still come.
  func isJustDeleted(_ id: RowID, at now: Date) -> Bool {
    edits[id]?.contains {
      $0.change.isDeletion && $0.cause == .edit && ($0.takenUntil ?? .distantPast) > now
    } ?? false
  }

  /// Whether the source took an edit of an item that what it last answered of the item does not
  /// have in it.
  func isAhead(of id: RowID) -> Bool {
    let answered = requests[id] ?? 0
    return edits[id]?.contains { $0.takenAfter.map { $0 >= answered } ?? false } ?? false
  }

  // MARK: - What answers say

  /// Notes what an answer says of edited items.
  ///
  /// - Parameters:
  ///   - run: the items of the answer.
  ///   - merged: which of them the timeline takes in.
  ///   - isKnown: whether the timeline has an item already. The answer gives an item its position
  ///     (rule T2): news never do, and an edit of the user's does if the item was known before.
  /// - Complexity: O(1) if nothing is being edited.
  mutating func note(_ run: Run, merged: Range<Int>, isKnown: (RowID) -> Bool) {
    if edits.isEmpty { return }
    for (offset, (item, request)) in zip(run.items, run.requests).enumerated()
    where edits[item.id] != nil {
      requests[item.id] = request
      changed.insert(item.id)
      if merged.contains(offset) { unplace(item.id, isNew: !isKnown(item.id)) }
    }
  }

  /// An answer says where an item is.
  private mutating func unplace(_ id: RowID, isNew: Bool) {
    for (index, edit) in (edits[id] ?? []).enumerated()
    where edit.isPlaced && (isNew || edit.cause == .event) {
      if edit.isCreation { creations -= 1 }
      edits[id]?[index].isPlaced = false
    }
  }

  /// Removes the latest news of an item that the answer to a request need not know.
  ///
  /// - Parameter isInsertion: whether only that it was inserted counts.
  /// - Returns: the item with the edits that the source took since, and the last request made
  ///   before.
  mutating func removeNews(
    of id: RowID, unknownTo request: Int, isInsertion: Bool
  ) -> (item: AnyItem, token: Int, request: Int)? {
    let news = edits[id]?.last {
      $0.cause == .event && ($0.makesItem || !isInsertion) && ($0.takenAfter ?? -1) >= request
    }
    guard let news, let item = known(of: id, over: nil) else { return nil }
    let told = (item, news.token, lastTaken(of: id) ?? request)
    removeTaken(of: id)
    return told
  }

  /// An item that is edited came from where an older version of it was.
  mutating func noteRead(_ id: RowID) { settling.noteRead(id) }

  /// Answers do not have an item any more.
  mutating func forgetAnswer(of id: RowID) { requests[id] = nil }

  // MARK: - Edits

  /// Begins an edit.
  mutating func begin(_ edit: Edit, of id: RowID) {
    owners[edit.token] = id
    edits[id, default: []].append(edit)
    changed.insert(id)
    if edit.isCreation { creations += 1 }
  }

  /// The source says by itself what an item is: edits that it does not know yet apply to that.
  mutating func begin(
    news item: AnyItem, token: Int, since request: Int, isPlaced: Bool = false, isNew: Bool = false
  ) {
    let news = Edit(
      token: token, change: .put(item), isPlaced: isPlaced, makesItem: isNew, since: request,
      takenAfter: nil, cause: .event)
    // What was made is that, and whatever else the source took before is part of it.
    func isItem(_ edit: Edit) -> Bool { edit.isPlaced || edit.makesItem }
    var all = (edits[item.id] ?? []).filter { $0.takenAfter == nil || isItem($0) }
    for edit in edits[item.id] ?? [] where edit.takenAfter != nil && !isItem(edit) {
      forget(edit)
    }
    for index in all.indices {
      if isItem(all[index]) { all[index].change = .put(item) }
      if all[index].takenAfter == nil { all[index].isOvertaken = true }
    }
    all.insert(news, at: all.firstIndex { $0.takenAfter == nil && !isItem($0) } ?? all.count)
    owners[token] = item.id
    edits[item.id] = all
    changed.insert(item.id)
  }

  /// The source took an edit: it is part of what the source says from here on, but for answers to
  /// requests up to `request`, and for some time for the answers of slow replicas.
  mutating func confirm(_ token: Int, after request: Int, until horizon: Date?) {
    guard let id = owners[token], let index = edits[id]?.firstIndex(where: { $0.token == token }),
      let edit = edits[id]?[index]
    else { return }
    if edit.isCreation { creations -= 1 }
    edits[id]?[index].takenAfter = request
    edits[id]?[index].takenUntil = horizon
    changed.insert(id)
    settling.take(token, of: id, until: horizon)
  }

  /// Undoes an edit.
  mutating func undo(_ token: Int) {
    if let (id, edit) = edit(token) { remove(edit, of: id) }
  }

  /// The source made an item of one that was inserted here, perhaps under another id.
  ///
  /// - Parameter isAnswered: whether answers have it already, and with it say where it stands.
  mutating func adopt(_ item: AnyItem, for token: Int, isAnswered: Bool) {
    guard let id = owners[token] else { return }
    if id != item.id, let all = edits.removeValue(forKey: id) {
      // What the source said of the new item came later than the edit that made it; what the source
      // does not know yet is over both.
      let (known, others) = (all + (edits[item.id] ?? [])).reduce(into: ([Edit](), [Edit]())) {
        if $1.takenAfter == nil && !$1.isPlaced { $0.1.append($1) } else { $0.0.append($1) }
      }
      edits[item.id] = known + others
      for edit in all { owners[edit.token] = item.id }
      requests[id] = nil
      changed.formUnion([id, item.id])
      settling.forget(id)
      settling.look(at: item.id)
    }
    guard let index = edits[item.id]?.firstIndex(where: { $0.token == token }) else { return }
    edits[item.id]?[index].change = .put(item)
    if edits[item.id]?[index].isPlaced == false, let edit = edits[item.id]?.remove(at: index) {
      // What the source does not know yet comes over what it says.
      let place = edits[item.id]?.firstIndex { $0.takenAfter == nil && !$0.isPlaced }
      edits[item.id]?.insert(edit, at: min(place ?? index, index))
    } else if isAnswered {
      if edits[item.id]?[index].isCreation ?? false { creations -= 1 }
      edits[item.id]?[index].isPlaced = false
    }
    changed.insert(item.id)
  }

  /// An item that was deleted is there again: what the source said of it before is no more.
  mutating func revive(_ id: RowID) {
    let all = edits[id] ?? []
    let deletion = all.lastIndex { $0.takenAfter != nil && $0.change.isDeletion }
    guard let deletion else { return }
    for edit in all[...deletion] where edit.takenAfter != nil { remove(edit, of: id) }
  }

  /// Forgets the edits of an item that the source took.
  mutating func removeTaken(of id: RowID) {
    for edit in edits[id] ?? [] where edit.takenAfter != nil { remove(edit, of: id) }
  }

  /// Forgets all edits of an item.
  mutating func removeAll(of id: RowID) {
    for edit in edits[id] ?? [] { remove(edit, of: id) }
  }

  /// The edits that no answer under way can contradict any more: those of each item together, in
  /// their order, the item first whose edits began first.
  ///
  /// - Parameters:
  ///   - oldest: the oldest request that may still be answered; `nil` where there is none.
  ///   - isOnDisk: whether an older version of an item may still be read from disk; `nil` where
  ///     nothing is there that is not in memory. It is no matter to edits that say where an item
  ///     stands: they are stored, and what is read of the item then is older.
  /// - Complexity: O(log *n* + *k* log *k*) for *k* items whose edits changed, or are beyond a
  ///   doubt by now.
  mutating func settled(
    oldest: Int?, at now: Date, unless isOnDisk: ((RowID) -> Bool)?
  ) -> [Int] {
    settling.release(
      oldest: oldest, at: now, isMaking: creations > 0, mayBeOnDisk: isOnDisk != nil
    ) { owners[$0] }
    var settled: [[Int]] = []
    for id in settling.ready {
      let isUpdate = edits[id].map { !$0.contains(where: \.isPlaced) } ?? false
      let isDoubtful = isUpdate && isOnDisk?(id) == true
      let (over, doubt) = isDoubtful ? ([], .disk) : settledEdits(of: id, oldest)
      if let doubt { settling.wait(id, for: doubt) }
      // Those that are over stay until they are ended.
      if over.isEmpty { settling.rest(id) } else { settled.append(over) }
    }
    let begun = settled.map { (edits: $0, first: $0.min() ?? 0) }
    return begun.sorted { $0.first < $1.first }.flatMap(\.edits)
  }

  /// The edits of an item that are over, and what the next one waits for, if that is known.
  private func settledEdits(
    of id: RowID, _ oldest: Int?
  ) -> (over: [Int], doubt: ConfirmationQueue.Doubt?) {
    var over: [Int] = []
    // Edits of an item end in their order: one that the source took late would undo the next else.
    for edit in edits[id] ?? [] {
      guard let takenAfter = edit.takenAfter, settling.contains(edit.token) else { break }
      if let oldest, oldest <= takenAfter { return (over, .answers(upTo: takenAfter)) }
      // A deletion may be one of the item that is being made, under an id that nobody knows yet.
      if creations > 0, edit.change.isDeletion { return (over, .creation) }
      over.append(edit.token)
    }
    return (over, nil)
  }

  /// Ends an edit: answers have it in them from here on.
  ///
  /// - Returns: the edit, unless the answers know better.
  mutating func end(_ token: Int) -> (id: RowID, edit: Edit)? {
    guard let (id, edit) = edit(token) else { return nil }
    var ended = edit
    ended.takenUntil = nil
    let isKnown = ended.isKnown(to: requests[id])
    remove(edit, of: id)
    return isKnown ? nil : (id, edit)
  }

  private mutating func remove(_ edit: Edit, of id: RowID) {
    forget(edit)
    edits[id]?.removeAll { $0.token == edit.token }
    changed.insert(id)
    guard edits[id]?.isEmpty ?? true else { return settling.look(at: id) }
    edits[id] = nil
    requests[id] = nil
    settling.forget(id)
  }

  private mutating func forget(_ edit: Edit) {
    if edit.isCreation { creations -= 1 }
    owners[edit.token] = nil
    settling.forgetEdit(edit.token)
  }
}
