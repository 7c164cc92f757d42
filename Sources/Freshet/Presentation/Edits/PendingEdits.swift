internal import FreshetLists
internal import struct Foundation.Date

/// Edits that are shown before the source's answers include them.
///
/// They apply on top of the answers. An item that is being edited appears edited, and one that is
/// being deleted does not appear. One that is being created appears at the place that its edit
/// names. A confirmed edit still applies to answers that were requested before the confirmation. A
/// rejected edit is undone alone (rule R6). Events are edits that the source confirmed from the
/// start (rule R2).
struct PendingEdits: Sendable {
  private var edits: [RowID: [Edit]] = [:]
  private var owners: [Int: RowID] = [:]
  /// For each edited item, the last request whose answer included it.
  private var requests: [RowID: Int] = [:]
  /// The items whose edits changed since the last `takeChanged()`.
  private var changed: Set<RowID> = []
  /// The edits that the source confirmed.
  private var settling = ConfirmationQueue()
  /// How many items are being created.
  private var creations = 0

  /// The items with edits that the source has not decided on yet.
  private(set) var undecided = RowKeys()

  var isEmpty: Bool { edits.isEmpty }
  /// The items that are edited.
  var ids: Dictionary<RowID, [Edit]>.Keys { edits.keys }

  /// Whether an item is being created, perhaps under an id that is not known yet.
  var isMaking: Bool { creations > 0 }

  /// Returns whether an item is being created under this id.
  func isMaking(_ id: RowID) -> Bool { edits[id]?.contains(where: \.isCreation) ?? false }

  func contains(_ id: RowID) -> Bool { edits[id] != nil }

  /// Returns an edit, and the id of its item.
  func edit(_ token: Int) -> (id: RowID, edit: Edit)? {
    guard let id = owners[token], let edit = edits[id]?.first(where: { $0.token == token }) else {
      return nil
    }
    return (id, edit)
  }

  /// Returns how an item appears over `answered`, the item in the answers if they have it.
  func appearance(of id: RowID, over answered: AnyItem?) -> EffectiveItem {
    var appearance = EffectiveItem(item: answered)
    let request = answered == nil ? nil : requests[id] ?? 0
    for edit in edits[id] ?? [] where !edit.isKnown(to: request) {
      appearance.item = edit.change.applied(to: appearance.item)
      if edit.isPlaced { appearance.isPlaced = true }
    }
    return appearance
  }

  /// Returns an item as the source reports it, in answers and confirmed edits.
  ///
  /// It is `nil` if the source reports nothing.
  func known(of id: RowID, over answered: AnyItem?) -> AnyItem? {
    let request = answered == nil ? nil : requests[id] ?? 0
    return (edits[id] ?? []).filter { $0.takenAfter != nil && !$0.isKnown(to: request) }
      .reduce(answered) { $1.change.applied(to: $0) }
  }

  /// Returns the items whose edits changed since the last call.
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

  /// Returns whether the source deleted an item, as far as is known.
  ///
  /// - Parameter request: a request whose answer need not include the deletion. By default, any
  ///   deletion counts.
  func isDeleted(_ id: RowID, after request: Int = 0) -> Bool {
    edits[id]?.contains { $0.change.isDeletion && ($0.takenAfter ?? -1) >= request } ?? false
  }

  /// Returns the last request made before the source confirmed or reported an edit of an item.
  func lastTaken(of id: RowID) -> Int? { edits[id]?.compactMap(\.takenAfter).max() }

  /// Returns whether the source confirmed the user's deletion of an item a short while ago.
  ///
  /// Older events about the item may still arrive then.
  func isJustDeleted(_ id: RowID, at now: Date) -> Bool {
    edits[id]?.contains {
      $0.change.isDeletion && $0.cause == .edit && ($0.takenUntil ?? .distantPast) > now
    } ?? false
  }

  /// Returns whether the source confirmed an edit that its last answer about an item lacks.
  func isAhead(of id: RowID) -> Bool {
    let answered = requests[id] ?? 0
    return edits[id]?.contains { $0.takenAfter.map { $0 >= answered } ?? false } ?? false
  }

  // MARK: - What answers say

  /// Records what an answer reports about edited items.
  ///
  /// - Parameters:
  ///   - run: the items of the answer.
  ///   - merged: which of them the timeline takes in.
  ///   - isKnown: returns whether the timeline already has an item. The answer determines an
  ///     item's position instead of an event (rule T2). It determines the position instead of the
  ///     user's edit only if the timeline does not have the item yet.
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

  /// Makes the answers determine the position of an item.
  private mutating func unplace(_ id: RowID, isNew: Bool) {
    for (index, edit) in (edits[id] ?? []).enumerated()
    where edit.isPlaced && (isNew || edit.cause == .event) {
      if edit.isCreation { creations -= 1 }
      edits[id]?[index].isPlaced = false
    }
  }

  /// Removes the latest event about an item that the answer to a request need not include.
  ///
  /// - Parameter isInsertion: whether only an event that inserted the item counts.
  /// - Returns: the item with the edits that the source confirmed since, and the last request made
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

  /// Records that an edited item may have been read from disk, which had an older version.
  mutating func noteRead(_ id: RowID) { settling.noteRead(id) }

  /// Records that the answers no longer have an item.
  mutating func forgetAnswer(of id: RowID) { requests[id] = nil }

  // MARK: - Edits

  /// Begins an edit.
  mutating func begin(_ edit: Edit, of id: RowID) {
    owners[edit.token] = id
    edits[id, default: []].append(edit)
    changed.insert(id)
    if edit.isCreation { creations += 1 }
  }

  /// Adds an event by which the source reports an item.
  ///
  /// Edits that the source has not confirmed apply on top of the reported item.
  mutating func begin(
    news item: AnyItem, token: Int, since request: Int, isPlaced: Bool = false, isNew: Bool = false
  ) {
    let news = Edit(
      token: token, change: .put(item), isPlaced: isPlaced, makesItem: isNew, since: request,
      takenAfter: nil, cause: .event)
    // A created item is the reported one. Every other edit that the source confirmed before is
    // part of it.
    func isItem(_ edit: Edit) -> Bool {
      edit.isPlaced && !edit.change.isMove || edit.makesItem
    }
    // A report says nothing about the place of an item that was moved.
    func stays(_ edit: Edit) -> Bool {
      edit.takenAfter == nil || edit.isPlaced || edit.makesItem
    }
    var all = (edits[item.id] ?? []).filter(stays)
    for edit in edits[item.id] ?? [] where !stays(edit) { forget(edit) }
    for index in all.indices {
      if isItem(all[index]) { all[index].change = .put(item) }
      if all[index].takenAfter == nil { all[index].isOvertaken = true }
      if all[index].takenAfter != nil, all[index].change.isMove {
        all[index].change = .move(as: nil)
      }
    }
    all.insert(news, at: all.firstIndex { $0.takenAfter == nil && !isItem($0) } ?? all.count)
    owners[token] = item.id
    edits[item.id] = all
    changed.insert(item.id)
  }

  /// Records that the source confirmed an edit, which its answers include from now on.
  ///
  /// The exceptions are answers to requests up to `request` and, for some time, the answers of
  /// slow replicas.
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

  /// Gives an item that was moved the contents that the source returned.
  mutating func adopt(_ item: AnyItem, forMove token: Int) {
    guard let index = edits[item.id]?.firstIndex(where: { $0.token == token }) else { return }
    edits[item.id]?[index].change = .move(as: item)
    changed.insert(item.id)
  }

  /// Replaces an item that was inserted here with the one that the source created for it.
  ///
  /// The item of the source may have another id.
  ///
  /// - Parameter isAnswered: whether answers already have the item, and so determine its position.
  mutating func adopt(_ item: AnyItem, for token: Int, isAnswered: Bool) {
    guard let id = owners[token] else { return }
    if id != item.id, let all = edits.removeValue(forKey: id) {
      // Reports of the source about the new item are later than the edit that created it. Edits
      // that the source has not confirmed apply on top of both.
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
      // Edits that the source has not confirmed apply on top of what it reports.
      let place = edits[item.id]?.firstIndex { $0.takenAfter == nil && !$0.isPlaced }
      edits[item.id]?.insert(edit, at: min(place ?? index, index))
    } else if isAnswered {
      if edits[item.id]?[index].isCreation ?? false { creations -= 1 }
      edits[item.id]?[index].isPlaced = false
    }
    changed.insert(item.id)
  }

  /// Removes the confirmed deletion of an item that exists again.
  ///
  /// The confirmed edits before the deletion are removed too.
  mutating func revive(_ id: RowID) {
    let all = edits[id] ?? []
    let deletion = all.lastIndex { $0.takenAfter != nil && $0.change.isDeletion }
    guard let deletion else { return }
    for edit in all[...deletion] where edit.takenAfter != nil { remove(edit, of: id) }
  }

  /// Removes the confirmed edits of an item.
  mutating func removeTaken(of id: RowID) {
    for edit in edits[id] ?? [] where edit.takenAfter != nil { remove(edit, of: id) }
  }

  /// Removes all edits of an item.
  mutating func removeAll(of id: RowID) {
    for edit in edits[id] ?? [] { remove(edit, of: id) }
  }

  /// Returns the edits that no pending answer can contradict any more.
  ///
  /// The edits of each item are together, in their order. The item whose edits began first is
  /// first.
  ///
  /// - Parameters:
  ///   - oldest: the oldest request that may still be answered; `nil` if there is none.
  ///   - isOnDisk: returns whether an older version of an item may still be read from disk; `nil`
  ///     if no rows are only on disk. It does not matter to edits that determine a position. They
  ///     are stored, and the version of the item that is read then is older.
  /// - Complexity: O(log *n* + *k* log *k*) for *k* items whose edits changed, or can no longer be
  ///   contradicted.
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
      // Edits that are settled remain until they are ended.
      if over.isEmpty { settling.rest(id) } else { settled.append(over) }
    }
    let begun = settled.map { (edits: $0, first: $0.min() ?? 0) }
    return begun.sorted { $0.first < $1.first }.flatMap(\.edits)
  }

  /// Returns the settled edits of an item, and the doubt that the next one waits for, if known.
  private func settledEdits(
    of id: RowID, _ oldest: Int?
  ) -> (over: [Int], doubt: ConfirmationQueue.Doubt?) {
    var over: [Int] = []
    // The edits of an item end in their order. Otherwise, one that the source confirmed late would
    // undo the next.
    for edit in edits[id] ?? [] {
      guard let takenAfter = edit.takenAfter, settling.contains(edit.token) else { break }
      if let oldest, oldest <= takenAfter { return (over, .answers(upTo: takenAfter)) }
      // The deletion may be of the item that is being created, under an id that is not known yet.
      if creations > 0, edit.change.isDeletion { return (over, .creation) }
      over.append(edit.token)
    }
    return (over, nil)
  }

  /// Ends an edit, which the answers include from now on.
  ///
  /// - Returns: the edit, unless the last answer with the item already includes it.
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
