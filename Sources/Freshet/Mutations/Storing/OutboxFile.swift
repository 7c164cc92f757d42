internal import Foundation

/// The files of an outbox: a log, and what other processes delivered to the one that sends.
///
/// The process that sends holds a lock. It alone writes the log and removes deliveries. Records are
/// appended to the log, which is rewritten once most of its records are outdated.
final class OutboxFile: Sendable {
  /// The bytes above which a log is rewritten, if most of its records are outdated.
  private static var slack: Int { 64 << 10 }
  /// The longest file that is read.
  static var limit: Int { 1 << 30 }
  static var name: String { "mutations" }
  static var damagedName: String { "damaged" }
  private static var lockName: String { "lock" }

  private struct State {
    /// The lock of the process that sends.
    var lock: FileLock?
    /// Whether the lock was lost: nothing is written before everything is read again.
    var isLost = false
    var isClosed = false
    var length = 0
    /// The length after the log was last rewritten.
    var base = 0
    /// Whether the log may hold records of a write that failed, or lack some.
    var isDoubtful = false
    var deliveries: OutboxDeliveries
    /// The files as they were before they were last read without the lock.
    var seen: Fingerprint?
  }

  /// The properties of the files that change when another process writes.
  private struct Fingerprint: Equatable {
    let length: Int
    let file: UInt64
    let changed: Date?
    let deliveries: [String]
  }

  private let folder: CacheFolder
  private let identity: UInt64
  private let isShared: Bool
  private let state: Locked<State>

  /// What was read from the files.
  struct Opened: Sendable {
    /// The files; `nil` in memory.
    var file: OutboxFile?
    /// The records of the log.
    var records: [OutboxRecord] = []
    var deliveries: [OutboxDelivery] = []
    /// The number of damaged bytes, of which the process that sends keeps a copy.
    var damaged = 0
    /// Whether this process sends.
    var isSender = true
  }

  /// The changes of other processes.
  enum Update: Sendable {
    /// Everything that is stored: it changed, or this process sends from now on.
    case stored(Opened)
    /// The deliveries to this process, which sends.
    case delivered([OutboxDelivery])
  }

  /// Opens the outbox in a folder, and reads its records.
  ///
  /// - Throws: an `OutboxError`: `inUse` if another process sends, and the outbox is not shared.
  static func open(_ url: URL, isShared: Bool = false) throws(OutboxError) -> Opened {
    try storing {
      let isNew = !FileManager.default.fileExists(atPath: url.path)
      guard let folder = try CacheFolder.at(url, creating: true) else {
        throw OutboxError.notStored(reason: "cannot open \(url.path)")
      }
      if isNew { try CacheFolder.at(url.deletingLastPathComponent(), creating: false)?.syncNames() }
      let file = OutboxFile(folder, identity(of: url), isShared: isShared)
      return try file.state.withLock { state in
        if let lock = try folder.lock(Self.lockName) { return try file.takeOver(lock, &state) }
        guard isShared else { throw OutboxError.inUse(path: url.path) }
        return try file.read(&state)
      }
    }
  }

  /// Returns the seed of the checksums of an outbox's records.
  static func identity(of url: URL) -> UInt64 {
    XXHash64.hash(Data(url.lastPathComponent.utf8))
  }

  private init(_ folder: CacheFolder, _ identity: UInt64, isShared: Bool) {
    (self.folder, self.identity, self.isShared) = (folder, identity, isShared)
    state = Locked(State(deliveries: OutboxDeliveries(in: folder, of: identity)))
  }

  private static func storing<Stored>(_ body: () throws -> Stored) throws(OutboxError) -> Stored {
    do {
      return try body()
    } catch let error as OutboxError {
      throw error
    } catch {
      throw OutboxError.notStored(reason: "\(error)")
    }
  }

  // MARK: - Reading

  /// Reads the files as the process that sends.
  private func takeOver(_ lock: FileLock, _ state: inout State) throws -> Opened {
    try folder.makeWay(at: Self.name)
    let data = try folder.contents(of: Self.name, limit: Self.limit)
    let contents = OutboxRecord.read(data ?? Data(), of: identity)
    state.length = contents.length
    (state.base, state.isDoubtful, state.isLost, state.seen) = (0, false, false, nil)
    if let data, contents.damaged > 0 {
      // The mutations stay in place until the copy and the new file are on the disk.
      try folder.replace(Self.damagedName, by: data, isDurable: true)
    }
    if data == nil || contents.damaged > 0 { try replace(by: contents.records, &state) }
    let deliveries = try deliveries(&state)
    // A shared outbox reads and reports it later. Any other one reads its files only once.
    if !isShared, let failure = state.deliveries.failure { throw failure }
    folder.removeAbandoned(
      startingWith: "\(Self.name).", before: Date(timeIntervalSinceNow: -600))
    state.deliveries.removeAbandoned(before: Date(timeIntervalSinceNow: -600))
    state.lock = lock
    return Opened(
      file: self, records: contents.records, deliveries: deliveries,
      damaged: deliveries.reduce(contents.damaged) { $0 + $1.damaged })
  }

  /// Reads the deliveries of other processes, and keeps a copy of a damaged one.
  private func deliveries(_ state: inout State) throws -> [OutboxDelivery] {
    let deliveries = try state.deliveries.read()
    for delivery in deliveries where delivery.damaged > 0 {
      let data = try folder.contents(of: delivery.name, limit: Self.limit)
      if let data { try folder.replace(Self.damagedName, by: data, isDurable: true) }
    }
    return deliveries
  }

  /// Reads the files while another process may write them.
  private func read(_ state: inout State) throws -> Opened {
    let fingerprint = try fingerprint(state)
    // The process that sends reports a delivery that cannot be read.
    var failure: (any Error)?
    var opened = try Self.contents(of: folder, identity, failure: &failure)
    opened.file = self
    (state.seen, state.isLost) = (fingerprint, false)
    return opened
  }

  /// Reads the files in a folder without a lock.
  ///
  /// - Parameter failure: is set to the error of a delivery that cannot be read.
  static func contents(
    of folder: CacheFolder, _ identity: UInt64, failure: inout (any Error)?
  ) throws -> Opened {
    // A delivery moves to the log, so the log is read last.
    var delivered = OutboxDeliveries(in: folder, of: identity)
    let deliveries = try delivered.read()
    failure = delivered.failure
    let data = try folder.contents(of: name, limit: limit) ?? Data()
    let contents = OutboxRecord.read(data, of: identity)
    return Opened(
      records: contents.records, deliveries: deliveries,
      damaged: deliveries.reduce(contents.damaged) { $0 + $1.damaged }, isSender: false)
  }

  private func fingerprint(_ state: State) throws -> Fingerprint {
    let status = folder.status(of: Self.name)
    return Fingerprint(
      length: Int(status?.st_size ?? 0), file: UInt64(status?.st_ino ?? 0),
      changed: status?.changed, deliveries: try state.deliveries.names())
  }

  /// Looks for changes of other processes since the last call.
  ///
  /// - Parameters:
  ///   - isSender: whether this process sends, as far as the caller knows. If it holds the lock
  ///     all the same, everything is read again.
  ///   - takesOver: whether this process sends from now on if no other one does.
  /// - Returns: `nil` if there are none.
  func poll(isSender: Bool, takesOver: Bool) throws(OutboxError) -> Update? {
    try Self.storing {
      try state.withLock { state in
        if state.isClosed { return nil }
        if state.lock.map({ folder.holds($0, Self.lockName) }) == true, isSender {
          let deliveries = try deliveries(&state)
          if deliveries.isEmpty, let failure = state.deliveries.failure { throw failure }
          return deliveries.isEmpty ? nil : .delivered(deliveries)
        }
        state.lock = nil
        if takesOver, let lock = try folder.lock(Self.lockName) {
          return .stored(try takeOver(lock, &state))
        }
        return try fingerprint(state) == state.seen ? nil : .stored(try read(&state))
      }
    }
  }

  // MARK: - Writing

  /// Appends records to the log, or delivers them if another process sends.
  ///
  /// - Parameters:
  ///   - isDurable: whether they are on the disk on return, and not only with the system.
  ///   - others: returns the records of all other stored mutations.
  /// - Throws: `OutboxError.notStored` or `tooLarge`; nothing is appended then.
  func append(
    _ records: [OutboxRecord], isDurable: Bool, others: () -> [OutboxRecord]
  ) throws(OutboxError) {
    try Self.storing {
      let data = try records.reduce(into: Data()) { $0 += try $1.encoded(of: identity) }
      try state.withLock { state in
        if state.isClosed { throw OutboxError.signedOut }
        try checkLock(&state)
        if state.lock == nil { return data.isEmpty ? () : try state.deliveries.add(data) }
        let isLong = state.length + data.count > max(2 * state.base, Self.slack)
        let isAppended = try !isLong && !state.isDoubtful && append(data, isDurable, &state)
        if !isAppended { try replace(by: others() + records, &state) }
      }
    }
  }

  /// Checks that the file of the lock still has its name: another process may hold a new one.
  ///
  /// An outbox that is not shared locks the new file. Any other one reads everything again before
  /// it writes.
  private func checkLock(_ state: inout State) throws {
    guard let lock = state.lock, !folder.holds(lock, Self.lockName) else {
      guard state.isLost else { return }
      throw OutboxError.notStored(
        reason: "the lock in \(folder.path) was removed; try again once the files are read again")
    }
    if isShared {
      (state.lock, state.isLost) = (nil, true)
      return try checkLock(&state)
    }
    // The old lock is kept until then: without one, mutations are delivered to other processes.
    guard let new = try folder.lock(Self.lockName) else {
      throw OutboxError.inUse(path: folder.path)
    }
    (state.lock, state.isDoubtful) = (new, true)
  }

  /// Appends to the log; returns `false` if the file is not there.
  private func append(_ data: Data, _ isDurable: Bool, _ state: inout State) throws -> Bool {
    // A mutation that is reported as not stored must not be sent after a relaunch.
    state.isDoubtful = true
    do {
      guard try folder.append(data, to: Self.name, at: state.length) else { return false }
      if isDurable { try folder.sync(Self.name) }
    } catch {
      // The log is rewritten with the next records, as these ones may be about answers.
      if (try? folder.append(Data(), to: Self.name, at: state.length)) == true {
        try? folder.sync(Self.name)
      }
      throw error
    }
    state.length += data.count
    state.isDoubtful = false
    return true
  }

  /// Rewrites the log.
  private func replace(by records: [OutboxRecord], _ state: inout State) throws {
    let data = try records.reduce(into: Data()) { $0 += try $1.encoded(of: identity) }
    state.isDoubtful = true
    try folder.replace(Self.name, by: data, isDurable: true)
    (state.length, state.base, state.isDoubtful) = (data.count, data.count, false)
  }

  /// Removes deliveries whose records are in the log.
  ///
  /// - Returns: whether they are gone.
  func remove(_ deliveries: [String]) -> Bool {
    state.withLock { $0.deliveries.remove(deliveries) }
  }

  // MARK: - Ending

  /// Lets another process send.
  func release() { state.withLock { $0.lock = nil } }

  /// Ends the use of the files, so that another outbox can open them.
  ///
  /// - Parameter isRemoved: whether the mutations are removed from the disk.
  /// - Throws: `OutboxError.notStored`, or `sentElsewhere` if the mutations are to be removed and
  ///   another process has the lock; the file is still open then.
  func close(removing isRemoved: Bool) throws(OutboxError) {
    try Self.storing {
      try state.withLock { state in
        if isRemoved {
          do {
            if !isShared { try checkLock(&state) }
          } catch OutboxError.inUse {
            throw OutboxError.sentElsewhere
          }
          if state.lock.map({ folder.holds($0, Self.lockName) }) != true {
            throw OutboxError.sentElsewhere
          }
          // Also what a rewrite left that a crash ended.
          for name in folder.names
          where name.hasPrefix(Self.name) || name.hasPrefix(Self.damagedName) {
            folder.remove(name)
          }
          let isEmpty = state.deliveries.removeAll()
          try folder.syncNames()
          if !isEmpty || folder.status(of: Self.name) != nil {
            throw OutboxError.notStored(reason: "cannot remove the mutations in \(folder.path)")
          }
        }
        (state.lock, state.isClosed) = (nil, true)
      }
    }
  }
}
