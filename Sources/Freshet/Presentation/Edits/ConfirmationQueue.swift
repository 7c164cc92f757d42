internal import FreshetLists
internal import struct Foundation.Date

/// The edits that the source confirmed, until nothing can contradict them any more.
///
/// For each item, the queue knows which doubt has to be resolved first.
struct ConfirmationQueue: Sendable {
  /// A doubt about an edit: something that may still contradict it.
  enum Doubt {
    /// The answers to requests up to this one.
    case answers(upTo: Int)
    /// An older version on disk.
    case disk
    /// The item may be one that is being created, under an id that is not known yet.
    case creation
  }

  /// The items to check, because their edits may be settled.
  private(set) var ready: Set<RowID> = []
  private var awaited = KeyedQueue<Int, RowID>()
  private var onDisk: Set<RowID> = []
  private var unclear: Set<RowID> = []
  /// The edits that slow answers may contradict, by the time until which they may.
  private var horizons = KeyedQueue<Date, Int>()
  /// The other edits that the source confirmed.
  private var taken: Set<Int> = []

  /// Returns whether the source confirmed an edit that slow answers can no longer contradict.
  func contains(_ token: Int) -> Bool { taken.contains(token) }

  /// Adds an edit that the source confirmed.
  mutating func take(_ token: Int, of id: RowID, until horizon: Date?) {
    if let horizon { return horizons.insert(token, at: horizon) }
    taken.insert(token)
    ready.insert(id)
  }

  /// Marks an item to be checked, because its edits may be settled.
  mutating func look(at id: RowID) { ready.insert(id) }

  /// Marks an item to be checked if it waited for its older version on disk to be read.
  mutating func noteRead(_ id: RowID) { if onDisk.remove(id) != nil { ready.insert(id) } }

  /// Records the doubt that an item waits for after a check.
  mutating func wait(_ id: RowID, for doubt: Doubt) {
    switch doubt {
    case .answers(let request): awaited.insert(id, at: request)
    case .disk: onDisk.insert(id)
    case .creation: unclear.insert(id)
    }
  }

  /// Removes an item from those to check.
  mutating func rest(_ id: RowID) { ready.remove(id) }

  /// Forgets an item that has no edits any more.
  mutating func forget(_ id: RowID) {
    ready.remove(id)
    onDisk.remove(id)
    unclear.remove(id)
  }

  /// Forgets an edit that no longer exists.
  mutating func forgetEdit(_ token: Int) { taken.remove(token) }

  /// Marks the items to be checked whose doubts are resolved.
  ///
  /// - Parameters:
  ///   - oldest: the oldest request that may still be answered; `nil` if there is none.
  ///   - isMaking: whether items are being created.
  ///   - mayBeOnDisk: whether anything is on disk that is not in memory.
  ///   - owner: returns the item that an edit is about.
  /// - Complexity: O(log *n* + *k*) for *k* items.
  mutating func release(
    oldest: Int?, at now: Date, isMaking: Bool, mayBeOnDisk: Bool, owner: (Int) -> RowID?
  ) {
    for token in horizons.removeFirst(while: { $0 <= now }) {
      guard let id = owner(token) else { continue }
      taken.insert(token)
      ready.insert(id)
    }
    ready.formUnion(awaited.removeFirst { request in oldest.map { $0 > request } ?? true })
    if !isMaking { Self.move(&unclear, into: &ready) }
    if !mayBeOnDisk { Self.move(&onDisk, into: &ready) }
  }

  private static func move(_ ids: inout Set<RowID>, into others: inout Set<RowID>) {
    if ids.isEmpty { return }
    others.formUnion(ids)
    ids = []
  }
}

/// Values that wait until their keys have passed, in ascending order of their keys.
private struct KeyedQueue<Key: Comparable & Sendable, Value: Sendable>: Sendable {
  private var entries = CountedTree<(key: Key, value: Value)>()

  /// Adds a value after those with the same key.
  ///
  /// - Complexity: O(log *n*).
  mutating func insert(_ value: Value, at key: Key) {
    entries.insert((key, value), at: entries.partitioningIndex { $0.key > key })
  }

  /// Removes and returns the first values, as long as their keys have passed.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* values.
  mutating func removeFirst(while hasPassed: (Key) -> Bool) -> [Value] {
    guard let first = entries.first, hasPassed(first.key) else { return [] }
    let (passed, rest) = entries.split(at: entries.partitioningIndex { !hasPassed($0.key) })
    entries = rest
    return passed.map(\.value)
  }
}
