internal import struct Foundation.Date

/// The mutations of an outbox, in their lanes: a value without files, clocks and tasks.
///
/// It decides which mutations may be sent now, and what an answer, a failure or the user's decision
/// about one of them means for the others of its lane.
struct OutboxQueue: Sendable {
  /// What becomes of a mutation.
  enum Progress: Equatable, Sendable {
    /// It is being written to disk.
    case storing
    /// It is sent once those before it in its lane are answered.
    case waiting
    case sending
    /// An attempt failed, and another one follows.
    case retrying(MutationFailure)
    /// It failed for good, and its lane stops until the user decides.
    case failed(MutationFailure)
  }

  struct Entry: Equatable, Sendable {
    var mutation: OutboxMutation
    var progress: Progress
    var attempts = 0
    /// Whether it was read from disk: the record of an attempt may be lost in a power failure.
    var isRestored = false
    /// Whether it is not sent before its new contents are on disk.
    var isHeld = false
    /// Whether its last wait was cut short, not by the user: the next one passes in full.
    var isHurried = false

    /// Whether the source may have received it.
    var mayBeSent: Bool { attempts > 0 || isRestored }
  }

  private var entries: [String: Entry] = [:]
  /// The keys of the mutations of each lane, in their order.
  private var lanes: [String: [String]] = [:]
  /// The lanes whose first mutation may have become ready.
  private var ready: Set<String> = []
  /// The ids that the source gave to items that were created under others, the latest last.
  var renamed: [(target: MutationTarget, id: String)] = []
  /// The items whose creations the user discarded.
  var discarded: [MutationTarget] = []
  /// The mutations that name an item.
  private(set) var named: [MutationTarget: Set<String>] = [:]
  private var lastNumber: UInt64 = 0
  /// The mutations whose wait is cut short when the source accepts another one.
  private var awaitingAnswers: Set<String> = []
  /// The number of mutations that are being sent.
  private var sending = 0
  /// Whether nothing is sent.
  var isPaused = false
  /// Whether another process sends.
  var isSentElsewhere = false
  /// Whether the source asked to be sent nothing for a while.
  var isRateLimited = false

  var count: Int { entries.count }
  /// The bytes of all mutations together.
  private(set) var size = 0

  subscript(key: String) -> Entry? { entries[key] }

  /// The mutations in the order in which they were performed.
  ///
  /// - Complexity: O(*n* log *n*).
  var all: [Entry] { entries.values.sorted { $0.mutation.number < $1.mutation.number } }

  /// Returns the mutation with which a new one may be merged: the last one of its lane.
  ///
  /// It has to be of the same type and item, stored with its present contents, and never sent.
  func mergeable(with new: OutboxMutation) -> OutboxMutation? {
    guard !isSentElsewhere, let key = lanes[new.lane]?.last, let entry = entries[key],
      entry.progress == .waiting, !entry.isHeld, !entry.mayBeSent
    else { return nil }
    let earlier = entry.mutation
    let isSameItem = earlier.name == new.name && earlier.target == new.target
    return isSameItem && !earlier.isInsertion && !new.isInsertion ? earlier : nil
  }

  /// Restores a mutation that was never sent, as it was before it was merged.
  mutating func putBack(_ mutation: OutboxMutation) {
    putBack(Entry(mutation: mutation, progress: .waiting))
  }

  /// Restores a mutation as it was.
  mutating func putBack(_ entry: Entry) {
    remove(entry.mutation.id)
    insert(entry)
  }

  // MARK: - What the user does

  /// Adds a mutation that was just performed, after all others.
  ///
  /// - Returns: the mutation with its number.
  @discardableResult
  mutating func add(_ mutation: OutboxMutation) -> OutboxMutation {
    var mutation = mutation
    lastNumber += 1
    mutation.number = lastNumber
    if mutation.isInsertion { renamed.removeAll { $0.target == mutation.target } }
    insert(Entry(mutation: mutation, progress: .storing))
    return mutation
  }

  /// Adds a mutation that was read from disk, by its number.
  mutating func restore(_ mutation: OutboxMutation) {
    lastNumber = max(lastNumber, mutation.number)
    insert(Entry(mutation: mutation, progress: .waiting, isRestored: true))
  }

  /// Sends a mutation no more until `noteStored(_:)`.
  mutating func hold(_ key: String) {
    entries[key]?.isHeld = true
  }

  /// Notes that a mutation is on disk, with its present contents.
  ///
  /// - Parameter isHeld: whether it is not sent yet for another reason.
  mutating func noteStored(_ key: String, isHeld: Bool = false) {
    entries[key]?.isHeld = isHeld
    change(key, from: [.storing], to: .waiting)
    if let lane = entries[key]?.mutation.lane { ready.insert(lane) }
  }

  /// Removes a mutation and, if it inserts its item, the later ones that name that item.
  ///
  /// - Parameter evenStoring: whether it may remove mutations that are being stored.
  /// - Returns: the removed mutations, the last one first; none if one of them is being sent, or
  ///   stored.
  mutating func discard(_ id: String, evenStoring: Bool = false) -> [Entry] {
    guard let mutation = entries[id]?.mutation else { return [] }
    let ids = [id] + allDependents(of: mutation).map(\.id)
    let gone = ids.compactMap { entries[$0] }
    let isBusy = gone.contains {
      $0.progress == .sending || !evenStoring && $0.progress == .storing
    }
    if isBusy { return [] }
    for id in ids { remove(id) }
    for entry in gone where entry.mutation.isInsertion { noteDiscarded(entry.mutation.target) }
    return gone.reversed()
  }

  /// Sends a mutation that failed once more.
  mutating func retry(_ key: String) {
    switch entries[key]?.progress {
    case .failed, .retrying: set(key, .waiting)
    case .storing, .waiting, .sending, nil: break
    }
  }

  /// Sends a mutation again whose wait is over.
  mutating func wake(_ key: String) {
    guard case .retrying = entries[key]?.progress else { return }
    entries[key]?.isHurried = false
    set(key, .waiting)
  }

  /// Cuts short the waits of mutations that failed, once the source has accepted another one.
  ///
  /// The next wait of each passes in full. So a mutation whose attempts always fail is not sent as
  /// often as the source accepts others. Waits for which the source asked are not cut short.
  ///
  /// - Returns: the mutations whose waits are over.
  /// - Complexity: O(*k*) for *k* of them.
  @discardableResult
  mutating func endOutage() -> Set<String> {
    let hurried = awaitingAnswers
    for key in hurried {
      entries[key]?.isHurried = true
      set(key, .waiting)
    }
    return hurried
  }

  /// Sends the mutations whose next attempt is not due yet.
  mutating func resume() {
    isPaused = false
    for key in entries.keys { wake(key) }
  }

  /// Ends all attempts and waits, so that another process sends the mutations.
  mutating func stopSending() {
    isSentElsewhere = true
    for (key, entry) in entries {
      switch entry.progress {
      case .sending, .retrying: set(key, .waiting)
      case .storing, .waiting, .failed: break
      }
    }
  }

  // MARK: - What the source answers

  /// Takes the mutations to send now, at most one of each lane.
  ///
  /// - Parameter limit: how many are sent at once, with those that are being sent.
  /// - Complexity: O(*k* log *k*) for *k* lanes that changed.
  mutating func takeReady(atMost limit: Int) -> [Entry] {
    guard !isPaused, !isRateLimited, !isSentElsewhere else { return [] }
    let first = ready.compactMap { lanes[$0]?.first }.compactMap { entries[$0] }
      .filter { $0.progress == .waiting && !$0.isHeld && !awaitsCreation($0.mutation) }
      .sorted { $0.mutation.number < $1.mutation.number }
    let taken = first.prefix(max(0, limit - sending))
    for entry in taken {
      entries[entry.mutation.id]?.progress = .sending
      noteAttempt(entry.mutation.id)
    }
    ready = Set(first.dropFirst(taken.count).map(\.mutation.lane))
    sending += taken.count
    return Array(taken)
  }

  /// Removes a mutation that the source took.
  ///
  /// - Parameter target: the id of the item as the source returned it.
  /// - Returns: the other mutations that name an item that was created, if its id changed: they are
  ///   to be stored with that id.
  @discardableResult
  mutating func answer(_ key: String, target: String?) -> [OutboxMutation] {
    guard let mutation = entries[key]?.mutation else { return [] }
    let others = dependents(of: mutation)
    remove(key)
    guard mutation.isInsertion, let target, target != mutation.target.id else { return [] }
    rename(mutation.target, to: target)
    return others
  }

  /// Notes that an attempt failed.
  ///
  /// - Parameters:
  ///   - isFinal: whether the lane stops.
  ///   - hasToWait: whether the source asked for the wait before the next attempt.
  mutating func fail(
    _ key: String, _ failure: MutationFailure, isFinal: Bool, hasToWait: Bool = false
  ) {
    change(key, from: [.sending, .waiting], to: isFinal ? .failed(failure) : .retrying(failure))
    guard let entry = entries[key], case .retrying = entry.progress else { return }
    if !hasToWait, !entry.isHurried { awaitingAnswers.insert(key) }
  }

  /// Replaces a mutation that is not being sent, perhaps in another lane.
  mutating func move(_ mutation: OutboxMutation) {
    guard var entry = entries[mutation.id], entry.progress != .sending else { return }
    let awaitsAnswer = awaitingAnswers.contains(mutation.id)
    remove(mutation.id)
    entry.mutation = mutation
    insert(entry)
    if awaitsAnswer { awaitingAnswers.insert(mutation.id) }
  }

  /// Notes that a mutation may have been sent before the app was ended.
  mutating func noteAttempt(_ key: String) { entries[key]?.attempts += 1 }

  /// Removes one mutation, and no others with it.
  mutating func forget(_ key: String) { remove(key) }

  // MARK: - Lanes

  private mutating func insert(_ entry: Entry) {
    let (key, lane) = (entry.mutation.id, entry.mutation.lane)
    entries[key] = entry
    if entry.mutation.isInsertion { discarded.removeAll { $0 == entry.mutation.target } }
    for name in entry.mutation.names { named[name, default: []].insert(key) }
    size += entry.mutation.json.utf8.count
    var keys = lanes[lane] ?? []
    let place = keys.lastIndex { (entries[$0]?.mutation.number ?? 0) < entry.mutation.number }
    keys.insert(key, at: place.map { $0 + 1 } ?? 0)
    lanes[lane] = keys
    ready.insert(lane)
  }

  private mutating func remove(_ key: String) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    awaitingAnswers.remove(key)
    if entry.progress == .sending { sending -= 1 }
    let lane = entry.mutation.lane
    size -= entry.mutation.json.utf8.count
    lanes[lane]?.removeAll { $0 == key }
    if lanes[lane]?.isEmpty == true { lanes[lane] = nil }
    ready.insert(lane)
    for name in entry.mutation.names {
      named[name]?.remove(key)
      if named[name]?.isEmpty == true { named[name] = nil }
    }
    // Those in other lanes that waited for the new item may be ready now.
    guard entry.mutation.isInsertion else { return }
    for key in named[entry.mutation.target] ?? [] {
      if let lane = entries[key]?.mutation.lane { ready.insert(lane) }
    }
  }

  private mutating func change(_ key: String, from old: [Progress], to new: Progress) {
    if let progress = entries[key]?.progress, old.contains(progress) { set(key, new) }
  }

  private mutating func set(_ key: String, _ progress: Progress) {
    if entries[key]?.progress == .sending { sending -= 1 }
    entries[key]?.progress = progress
    awaitingAnswers.remove(key)
    if let lane = entries[key]?.mutation.lane { ready.insert(lane) }
  }
}
