internal import Foundation

/// The file of an outbox, which one process at a time has open.
///
/// Records are appended. The file is rewritten once most of its records are outdated.
final class OutboxFile: Sendable {
  /// The bytes above which a file is rewritten, if most of its records are outdated.
  private static var slack: Int { 64 << 10 }
  /// The longest file that is read.
  static var limit: Int { 1 << 30 }
  static var name: String { "mutations" }
  static var damagedName: String { "damaged" }

  private struct State {
    /// The lock; `nil` once the file is closed.
    var lock: FileLock?
    var length: Int
    /// The length after the file was last rewritten.
    var base = 0
    /// Whether the file may hold records of a write that failed.
    var isDoubtful = false
  }

  private let folder: CacheFolder
  private let identity: UInt64
  private let state: Locked<State>

  /// A file that was opened, and what was in it.
  struct Opened: Sendable {
    /// The file; `nil` in memory.
    var file: OutboxFile?
    var records: [OutboxRecord] = []
    /// The number of damaged bytes, of which a copy was kept.
    var damaged = 0
  }

  /// Opens the outbox in a folder, and reads its records.
  ///
  /// - Throws: an `OutboxError`.
  static func open(_ url: URL) throws(OutboxError) -> Opened {
    do {
      let isNew = !FileManager.default.fileExists(atPath: url.path)
      guard let folder = try CacheFolder.at(url, creating: true) else {
        throw OutboxError.notStored(reason: "cannot open \(url.path)")
      }
      if isNew { try CacheFolder.at(url.deletingLastPathComponent(), creating: false)?.syncNames() }
      guard let lock = try folder.lock("lock") else { throw OutboxError.inUse(path: url.path) }
      let identity = identity(of: url)
      try folder.makeWay(at: name)
      let data = try folder.contents(of: name, limit: limit)
      let contents = OutboxRecord.read(data ?? Data(), of: identity)
      let file = OutboxFile(folder, lock, identity, length: contents.length)
      if let data, contents.damaged > 0 {
        // The mutations stay in place until the copy and the new file are on the disk.
        try folder.replace(damagedName, by: data, isDurable: true)
      }
      if data == nil || contents.damaged > 0 {
        try file.state.withLock { try file.replace(by: contents.records, &$0) }
      }
      folder.removeAbandoned(for: name, before: Date(timeIntervalSinceNow: -600))
      return Opened(file: file, records: contents.records, damaged: contents.damaged)
    } catch let error as OutboxError {
      throw error
    } catch {
      throw OutboxError.notStored(reason: "\(error)")
    }
  }

  /// Returns the seed of the checksums of an outbox's records.
  static func identity(of url: URL) -> UInt64 {
    XXHash64.hash(Data(url.lastPathComponent.utf8))
  }

  private init(_ folder: CacheFolder, _ lock: FileLock, _ identity: UInt64, length: Int) {
    (self.folder, self.identity) = (folder, identity)
    state = Locked(State(lock: lock, length: length))
  }

  /// Appends records.
  ///
  /// - Parameters:
  ///   - isDurable: whether they are on the disk on return, and not only with the system.
  ///   - others: returns the records of all other stored mutations.
  /// - Throws: `OutboxError.notStored` or `tooLarge`; nothing is appended then.
  func append(
    _ records: [OutboxRecord], isDurable: Bool, others: () -> [OutboxRecord]
  ) throws(OutboxError) {
    do {
      let data = try records.reduce(into: Data()) { $0 += try $1.encoded(of: identity) }
      try state.withLock { state in
        if state.lock == nil { throw OutboxError.signedOut }
        let isLong = state.length + data.count > max(2 * state.base, Self.slack)
        let isAppended = try !isLong && !state.isDoubtful && append(data, isDurable, &state)
        if !isAppended { try replace(by: others() + records, &state) }
      }
    } catch let error as OutboxError {
      throw error
    } catch {
      throw OutboxError.notStored(reason: "\(error)")
    }
  }

  /// Appends to the file; returns `false` if the file is not there.
  private func append(_ data: Data, _ isDurable: Bool, _ state: inout State) throws -> Bool {
    // A mutation that is reported as not stored must not be sent after a relaunch.
    state.isDoubtful = true
    do {
      guard try folder.append(data, to: Self.name, at: state.length) else { return false }
      if isDurable { try folder.sync(Self.name) }
    } catch {
      let isCut = (try? folder.append(Data(), to: Self.name, at: state.length)) == true
      if isCut, (try? folder.sync(Self.name)) != nil { state.isDoubtful = false }
      throw error
    }
    state.length += data.count
    state.isDoubtful = false
    return true
  }

  /// Rewrites the file.
  private func replace(by records: [OutboxRecord], _ state: inout State) throws {
    let data = try records.reduce(into: Data()) { $0 += try $1.encoded(of: identity) }
    state.isDoubtful = true
    try folder.replace(Self.name, by: data, isDurable: true)
    (state.length, state.base, state.isDoubtful) = (data.count, data.count, false)
  }

  /// Ends the use of the file, so that another outbox can open it.
  ///
  /// - Parameter isRemoved: whether the mutations are removed from the disk.
  /// - Throws: `OutboxError.notStored`; the file is still open then.
  func close(removing isRemoved: Bool) throws(OutboxError) {
    do {
      try state.withLock { state in
        if isRemoved {
          for name in [Self.name, Self.damagedName] { folder.remove(name) }
          try folder.syncNames()
          if folder.status(of: Self.name) != nil {
            throw OutboxError.notStored(reason: "cannot remove \(folder.path(of: Self.name))")
          }
        }
        state.lock = nil
      }
    } catch let error as OutboxError {
      throw error
    } catch {
      throw OutboxError.notStored(reason: "\(error)")
    }
  }
}
