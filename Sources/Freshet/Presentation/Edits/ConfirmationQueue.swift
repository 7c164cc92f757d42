internal import FreshetLists
internal import struct Foundation.Date

/// Edits that the source took, and what each item waits for until nothing can contradict them any
/// more.
struct ConfirmationQueue: Sendable {
  /// What may still contradict an edit.
  enum Doubt {
    /// The answers to requests up to this one.
    case answers(upTo: Int)
    /// An older version on disk.
    case disk
    /// The item may be one that is being made, under an id that nobody knows yet.
    case creation
  }

  /// The items to look at: their edits may be over.
  private(set) var ready: Set<RowID> = []
  private var awaited = KeyedQueue<Int, RowID>()
  private var onDisk: Set<RowID> = []
  private var unclear: Set<RowID> = []
  /// The edits that slow answers may contradict until a time.
  private var horizons = KeyedQueue<Date, Int>()
  /// The other edits.
  private var taken: Set<Int> = []

  /// Whether the source took an edit, and no slow answer counts any more.
  func contains(_ token: Int) -> Bool { taken.contains(token) }

  /// The source took an edit.
  mutating func take(_ token: Int, of id: RowID, until horizon: Date?) {
    if let horizon { return horizons.insert(token, at: horizon) }
    taken.insert(token)
    ready.insert(id)
  }

  /// The edits of an item may be over.
  mutating func look(at id: RowID) { ready.insert(id) }

  /// An item came from where an older version of it was.
  mutating func noteRead(_ id: RowID) { if onDisk.remove(id) != nil { ready.insert(id) } }

  /// An item was looked at, and waits for something.
  mutating func wait(_ id: RowID, for doubt: Doubt) {
    switch doubt {
    case .answers(let request): awaited.insert(id, at: request)
    case .disk: onDisk.insert(id)
    case .creation: unclear.insert(id)
    }
  }

  /// An item need not be looked at before something happens.
  mutating func rest(_ id: RowID) { ready.remove(id) }

  /// Nothing edits an item any more.
  mutating func forget(_ id: RowID) {
    ready.remove(id)
    onDisk.remove(id)
    unclear.remove(id)
  }

  /// An edit is none any more.
  mutating func forgetEdit(_ token: Int) { taken.remove(token) }

  /// Looks again at the items whose doubts are over.
  ///
  /// - Parameters:
  ///   - oldest: the oldest request that may still be answered; `nil` where there is none.
  ///   - isMaking: whether items are being made.
  ///   - mayBeOnDisk: whether anything is on disk that is not in memory.
  ///   - owner: the item that an edit is about.
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

/// Values that wait until their keys have passed, the least key first.
private struct KeyedQueue<Key: Comparable & Sendable, Value: Sendable>: Sendable {
  private var entries = CountedTree<(key: Key, value: Value)>()

  /// Adds a value behind those with the same key.
  ///
  /// - Complexity: O(log *n*).
  mutating func insert(_ value: Value, at key: Key) {
    entries.insert((key, value), at: entries.partitioningIndex { $0.key > key })
  }

  /// Takes the first values out, as long as their keys have passed.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* values.
  mutating func removeFirst(while hasPassed: (Key) -> Bool) -> [Value] {
    guard let first = entries.first, hasPassed(first.key) else { return [] }
    let (passed, rest) = entries.split(at: entries.partitioningIndex { !hasPassed($0.key) })
    entries = rest
    return passed.map(\.value)
  }
}
