internal import FreshetLists

/// The newest versions of the items of several lists, and which lists hold them.
///
/// It decides which version of an item is the newest, and which lists have to take notice.
struct SharedItems: Sendable {
  /// The number of a list that takes part.
  typealias Member = Int

  private struct Entry {
    var item: AnyItem
    var moment: Moment
    /// The last request of any list when the list learned these contents.
    var changed: Int
    var holders: [Member]
  }

  /// The notices and items that a list has not applied yet.
  private struct Inbox {
    var notices: [SharedNews.Notice] = []
    /// The newest versions of items, which no list may hold any more.
    var changed: [RowID: (item: AnyItem, request: Int)] = [:]
  }

  private let isNewer: (@Sendable (AnyItem, AnyItem) -> Bool?)?
  private let merge: (@Sendable (_ old: AnyItem, _ new: AnyItem) -> AnyItem)?
  private var entries: [RowID: Entry] = [:]
  private var edits = SharedEdits()
  private var members: Set<Member> = []
  private var inboxes: [Member: Inbox] = [:]
  /// The lists that do not know yet that there is something to take in.
  private var unannounced: [Member] = []
  /// The lists that may yet read an older version of any item from disk.
  private var storing: Set<Member> = []
  /// The oldest request that may yet be answered, for each list that waits for answers.
  private var reading: [Member: Int] = [:]
  /// The items that the source deleted, while older answers may still contain them.
  private var deletions: [RowID: Moment] = [:]
  /// The items that no list holds, while older answers may still contain them.
  private var unheld: Set<RowID> = []
  /// The request before which deletions and items without lists are forgotten.
  private var forgotten = 0
  /// The last request that any list made.
  private(set) var lastRequest = 0
  private var lastNumber = 0

  /// - Parameters:
  ///   - isNewer: returns whether the first version is newer than the second; `nil` if neither is.
  ///   - merge: returns the newer version with what only the older one has.
  init(
    isNewer: (@Sendable (AnyItem, AnyItem) -> Bool?)? = nil,
    merge: (@Sendable (_ old: AnyItem, _ new: AnyItem) -> AnyItem)? = nil
  ) {
    (self.isNewer, self.merge) = (isNewer, merge)
  }

  // MARK: - Items

  /// The number of items that lists hold.
  var count: Int { entries.count }

  /// Returns the newest version of an item.
  func item(_ id: RowID) -> AnyItem? { entries[id]?.item }

  /// Takes in a version of an item, and notes that a list holds the item.
  ///
  /// The other lists that hold it take notice if it is the newest.
  ///
  /// - Parameter member: the list that learned it; `nil` if no list did.
  /// - Returns: the newest version; `nil` if the source has deleted the item since.
  /// - Complexity: O(lists that hold the item).
  @discardableResult
  mutating func learn(_ item: AnyItem, at moment: Moment, by member: Member?) -> AnyItem? {
    if let deletion = deletions[item.id] {
      guard moment.isLater(than: deletion) else { return nil }
      deletions[item.id] = nil
    }
    guard let index = entries.index(forKey: item.id) else {
      if moment.request > 0 {
        for other in storing where other != member { markChanged(item, at: moment, for: other) }
      }
      if member == nil, reading.isEmpty { return item }
      entries[item.id] = Entry(
        item: item, moment: moment, changed: lastRequest, holders: member.map { [$0] } ?? [])
      if let member { offerEdits(of: item.id, to: member) } else { unheld.insert(item.id) }
      return item
    }
    if let member { join(item.id, member) }
    let known = entries.values[index].item
    let isNewest =
      isNewer?(item, known) ?? moment.isLater(than: entries.values[index].moment)
    if isNewest { entries.values[index].moment = moment }
    if item.row === known.row { return known }
    let newest =
      if let merge { isNewest ? merge(known, item) : merge(item, known) } else {
        isNewest ? item : known
      }
    if newest == known { return known }
    // The key is that of the new version, so that the old one is released.
    var entry = entries.remove(at: index).value
    (entry.item, entry.changed) = (newest, lastRequest)
    entries[newest.id] = entry
    for other in storing.union(entry.holders) where other != member {
      markChanged(newest, at: entry.moment, for: other)
    }
    return newest
  }

  /// What a list holds of an item after a change of its rows.
  enum Holding: Sendable {
    /// It no longer holds the item.
    case nothing(RowID)
    /// It shows an item, such as one that was read from disk.
    case shown(AnyItem)
    /// It shows an item that the user changed in that list alone.
    case local(AnyItem)
  }

  /// Records what a list holds of an item.
  mutating func record(_ holding: Holding, of member: Member) {
    switch holding {
    case .nothing(let id): release(id, by: member)
    case .shown(let item): hold(item, by: member)
    case .local(let item): holdLocally(item, by: member)
    }
  }

  /// Notes that a list shows a version of an item that is read from disk, or that moved there.
  ///
  /// The list itself takes notice if there is a newer version, or if the source deleted the item.
  private mutating func hold(_ item: AnyItem, by member: Member) {
    guard deletions[item.id] == nil else {
      return notify(member, .delete(item.id, token: newNumber()))
    }
    if learn(item, at: .unknown, by: member) != item { markChanged(item.id, for: member) }
  }

  /// Notes that a list shows an item that the user changed in that list alone.
  private mutating func holdLocally(_ item: AnyItem, by member: Member) {
    if entries[item.id] == nil {
      learn(item, at: .unknown, by: member)
    } else {
      join(item.id, member)
    }
  }

  private mutating func join(_ id: RowID, _ member: Member) {
    guard let index = entries.index(forKey: id),
      !entries.values[index].holders.contains(member)
    else { return }
    entries.values[index].holders.append(member)
    if !unheld.isEmpty { unheld.remove(id) }
    offerEdits(of: id, to: member)
  }

  /// Notes that a list no longer holds an item.
  mutating func release(_ id: RowID, by member: Member) {
    guard let index = entries.index(forKey: id) else { return }
    entries.values[index].holders.removeAll { $0 == member }
    guard entries.values[index].holders.isEmpty else { return }
    // Answers to earlier requests may still contain an older version.
    if let oldest = oldestRequest, oldest <= entries.values[index].moment.request {
      unheld.insert(id)
    } else {
      entries.remove(at: index)
    }
  }

  /// The oldest request of any list that may yet be answered.
  private var oldestRequest: Int? { reading.isEmpty ? nil : reading.values.min() }

  /// Removes an item that the source deleted.
  ///
  /// - Parameter member: the list that learned it; `nil` if no list did.
  mutating func delete(_ id: RowID, by member: Member?, without notified: Set<Member> = []) {
    let holders = entries.removeValue(forKey: id)?.holders ?? []
    unheld.remove(id)
    for other in storing.union(holders).union(reading.keys).union(notified) {
      inboxes[other]?.changed[id] = nil
      if other == member || notified.contains(other) { continue }
      notify(other, .delete(id, token: newNumber()))
    }
    if !reading.isEmpty { deletions[id] = Moment(request: lastRequest, list: nil) }
  }

  /// Forgets the deletions and the items without lists that all answers include from now on.
  private mutating func forgetAnswered() {
    let oldest = oldestRequest ?? .max
    if oldest == forgotten { return }
    forgotten = oldest
    deletions = deletions.filter { $0.value.request >= oldest }
    for id in unheld where entries[id].map({ $0.moment.request < oldest }) ?? true {
      unheld.remove(id)
      entries[id] = nil
    }
  }

  // MARK: - Edits

  /// Shows an edit that is being sent in the lists that hold its item.
  mutating func begin(_ edit: OptimisticEdit, token: Int, by member: Member?) {
    guard let id = edit.sharedID else { return }
    let others = (entries[id]?.holders ?? []).filter { $0 != member }
    edits.add(edit, of: id, token: token, in: others)
    for other in others { notify(other, .begin(edit, token: token)) }
  }

  /// Ends an edit that the source confirmed.
  ///
  /// - Parameter outcome: the item after the edit.
  mutating func confirm(_ token: Int, as outcome: ConfirmedEdit, by member: Member?) {
    let notified = edits.remove(token)?.members ?? []
    for other in notified { notify(other, .confirm(token, as: outcome.item)) }
    switch outcome {
    case .item(let item):
      learn(item, at: Moment(request: lastRequest, list: nil), by: nil)
      if let member { markChanged(item.id, for: member) }
    case .deletion(let id): delete(id, by: member, without: notified)
    case .unknown: break
    }
  }

  /// Ends an edit that the source rejected.
  mutating func undo(_ token: Int) {
    for other in edits.remove(token)?.members ?? [] { notify(other, .undo(token)) }
  }

  private mutating func offerEdits(of id: RowID, to member: Member) {
    for (edit, token) in edits.offer(id, to: member) { notify(member, .begin(edit, token: token)) }
  }

  // MARK: - Lists

  /// Returns a number for an edit or a piece of news, which no list has used.
  mutating func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Notes the last request of a list.
  mutating func noteRequests(upTo request: Int) { lastRequest = max(lastRequest, request) }

  /// Begins a request of a list that does not number its requests itself.
  ///
  /// - Parameter feeds: the feeds that keep their rows in the store of the list.
  mutating func beginRequest(of member: Member, beside feeds: [Member] = []) -> StoreFetch {
    lastRequest += 1
    setState(of: member, isStoring: false, oldestRequest: lastRequest)
    // A feed stores what a running request may contradict once the answer has arrived.
    let settled = feeds.map { storing.contains($0) ? 0 : reading[$0] ?? lastRequest }.min()
    return StoreFetch(moment: Moment(request: lastRequest, list: member), settled: settled)
  }

  /// Returns the moment as of which a fetch found a version of an item in its store.
  func moment(of item: AnyItem, in fetch: StoreFetch) -> Moment {
    guard let settled = fetch.settled else { return fetch.moment }
    guard let entry = entries[item.id], entry.changed < settled, entry.item != item else {
      return .unknown
    }
    return fetch.moment
  }

  /// Lets a list take in each item that other lists learn, until its state is set.
  mutating func receiveAllItems(_ member: Member) { storing.insert(member) }

  /// Sets where a list may yet read older versions of items.
  ///
  /// - Parameters:
  ///   - isStoring: whether it has rows that are only on disk.
  ///   - oldest: its oldest request that may yet be answered; `nil` if there is none.
  mutating func setState(of member: Member, isStoring: Bool, oldestRequest oldest: Int?) {
    if isStoring != storing.contains(member) { storing.formSymmetricDifference([member]) }
    if reading[member] == oldest { return }
    reading[member] = oldest
    forgetAnswered()
  }

  /// Adds a list.
  mutating func addMember() -> Member {
    let member = newNumber()
    members.insert(member)
    return member
  }

  /// Removes a list that no longer exists; its items are released one by one.
  mutating func remove(_ member: Member) {
    setState(of: member, isStoring: false, oldestRequest: nil)
    members.remove(member)
    inboxes[member] = nil
    edits.leave(member)
  }

  /// Takes what a list has to take in.
  mutating func takeNews(for member: Member) -> SharedNews {
    guard let inbox = inboxes.removeValue(forKey: member) else { return SharedNews() }
    let items = inbox.changed.map { id, version in
      let entry = entries[id]
      return (
        entry?.item ?? version.item, newNumber(), entry?.moment.request ?? version.request
      )
    }
    return SharedNews(notices: inbox.notices, items: items)
  }

  /// Returns the lists with something to take in, of which they do not know yet.
  mutating func takeAnnounced() -> [Member] {
    defer { unannounced = [] }
    return unannounced.filter { inboxes[$0] != nil }
  }

  private mutating func notify(_ member: Member, _ notice: SharedNews.Notice) {
    changeInbox(of: member) { $0.notices.append(notice) }
  }

  /// Lets a list take in the newest version of an item.
  mutating func markChanged(_ id: RowID, for member: Member) {
    if let entry = entries[id] { markChanged(entry.item, at: entry.moment, for: member) }
  }

  private mutating func markChanged(_ item: AnyItem, at moment: Moment, for member: Member) {
    changeInbox(of: member) { $0.changed[item.id] = (item, moment.request) }
  }

  private mutating func changeInbox(of member: Member, _ change: (inout Inbox) -> Void) {
    guard members.contains(member) else { return }
    if inboxes[member] == nil { unannounced.append(member) }
    change(&inboxes[member, default: Inbox()])
  }
}
