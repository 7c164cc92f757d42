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
    var mutation: StoredMutation
    var progress: Progress
    var attempts = 0
  }

  private var entries: [String: Entry] = [:]
  /// The keys of the mutations of each lane, in their order.
  private var lanes: [String: [String]] = [:]
  /// The lanes whose first mutation may have become ready.
  private var ready: Set<String> = []
  /// The ids that the source gave to items that were created under others, by lane.
  private var aliases: [String: String] = [:]
  private var lastNumber: UInt64 = 0
  /// Whether nothing is sent.
  var isPaused = false

  var count: Int { entries.count }
  /// The bytes of all mutations together.
  private(set) var size = 0

  subscript(key: String) -> Entry? { entries[key] }

  /// The mutations in the order in which they were performed.
  ///
  /// - Complexity: O(*n* log *n*).
  var all: [Entry] { entries.values.sorted { $0.mutation.number < $1.mutation.number } }

  /// Returns the id by which the source knows an item that was created under another one.
  func target(of mutation: StoredMutation) -> String? { aliases[mutation.lane] }

  // MARK: - What the user does

  /// Adds a mutation that was just performed, after all others.
  mutating func add(_ mutation: StoredMutation) {
    var mutation = mutation
    lastNumber += 1
    mutation.number = lastNumber
    insert(Entry(mutation: mutation, progress: .storing))
  }

  /// Adds a mutation that was read from disk, by its number.
  mutating func restore(_ mutation: StoredMutation) {
    lastNumber = max(lastNumber, mutation.number)
    insert(Entry(mutation: mutation, progress: .waiting))
  }

  /// Notes that a mutation is on disk.
  mutating func noteStored(_ key: String) { change(key, from: [.storing], to: .waiting) }

  /// Removes a mutation and, if it inserts its item, the others of that item.
  ///
  /// - Returns: the keys of the removed mutations, the last one first; none if one of them is being
  ///   sent.
  mutating func discard(_ key: String) -> [String] {
    guard let entry = entries[key] else { return [] }
    let (mutation, lane) = (entry.mutation, lanes[entry.mutation.lane] ?? [])
    let gone = lane.filter { other in
      other == key
        || mutation.isInsertion && entries[other]?.mutation.target == mutation.target
          && entries[other].map { $0.mutation.number > mutation.number } ?? false
    }
    guard gone.allSatisfy({ entries[$0]?.progress != .sending }) else { return [] }
    for key in gone { remove(key) }
    return gone.reversed()
  }

  /// Replaces the contents of a mutation that is not being sent, and sends it again.
  mutating func replace(_ mutation: StoredMutation) {
    guard let entry = entries[mutation.key], entry.progress != .sending else { return }
    move(mutation)
    retry(mutation.key)
  }

  /// Sends a mutation that failed once more.
  mutating func retry(_ key: String) {
    guard let entry = entries[key] else { return }
    switch entry.progress {
    case .failed, .retrying: set(key, .waiting)
    case .storing, .waiting, .sending: break
    }
  }

  /// Sends the mutations whose next attempt is not due yet.
  mutating func resume() {
    isPaused = false
    for (key, entry) in entries {
      if case .retrying = entry.progress { set(key, .waiting) }
    }
  }

  // MARK: - What the source answers

  /// Takes the mutations to send now, at most one of each lane.
  ///
  /// - Complexity: O(lanes that changed).
  mutating func takeReady() -> [Entry] {
    guard !isPaused else { return [] }
    defer { ready = [] }
    return ready.compactMap { lane -> Entry? in
      guard let key = lanes[lane]?.first, entries[key]?.progress == .waiting else { return nil }
      entries[key]?.progress = .sending
      defer { noteAttempt(key) }
      return entries[key]
    }.sorted { $0.mutation.number < $1.mutation.number }
  }

  /// Puts a mutation back whose attempt was given up without an answer.
  mutating func giveBack(_ key: String) { change(key, from: [.sending], to: .waiting) }

  /// Removes a mutation that the source took.
  ///
  /// - Parameter target: the id of the item as the source returned it.
  /// - Returns: the other mutations of an item that was created, if its id changed: they are to be
  ///   stored for that id.
  mutating func answer(_ key: String, target: String?) -> [StoredMutation] {
    guard let mutation = entries[key]?.mutation else { return [] }
    remove(key)
    guard mutation.isInsertion, let target, target != mutation.target else { return [] }
    aliases[mutation.lane] = target
    return (lanes[mutation.lane] ?? []).compactMap { entries[$0]?.mutation }
      .filter { $0.target == mutation.target }
  }

  /// Notes that an attempt failed.
  ///
  /// - Parameter isFinal: whether the lane stops.
  mutating func fail(_ key: String, _ failure: MutationFailure, isFinal: Bool) {
    change(key, from: [.sending, .waiting], to: isFinal ? .failed(failure) : .retrying(failure))
  }

  /// Replaces a mutation that is not being sent, perhaps in another lane.
  mutating func move(_ mutation: StoredMutation) {
    guard var entry = entries[mutation.key] else { return }
    remove(mutation.key)
    entry.mutation = mutation
    insert(entry)
  }

  /// Notes that a mutation may have been sent before the app was ended.
  mutating func noteAttempt(_ key: String) { entries[key]?.attempts += 1 }

  /// Removes one mutation, and no others with it.
  mutating func forget(_ key: String) { remove(key) }

  // MARK: - Lanes

  private mutating func insert(_ entry: Entry) {
    let (key, lane) = (entry.mutation.key, entry.mutation.lane)
    entries[key] = entry
    size += entry.mutation.json.utf8.count
    var keys = lanes[lane] ?? []
    let place = keys.lastIndex { (entries[$0]?.mutation.number ?? 0) < entry.mutation.number }
    keys.insert(key, at: place.map { $0 + 1 } ?? 0)
    lanes[lane] = keys
    ready.insert(lane)
  }

  private mutating func remove(_ key: String) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    let lane = entry.mutation.lane
    size -= entry.mutation.json.utf8.count
    lanes[lane]?.removeAll { $0 == key }
    if lanes[lane]?.isEmpty == true { lanes[lane] = nil }
    ready.insert(lane)
  }

  private mutating func change(_ key: String, from old: [Progress], to new: Progress) {
    if let progress = entries[key]?.progress, old.contains(progress) { set(key, new) }
  }

  private mutating func set(_ key: String, _ progress: Progress) {
    entries[key]?.progress = progress
    if let lane = entries[key]?.mutation.lane { ready.insert(lane) }
  }
}
