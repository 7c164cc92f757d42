internal import Foundation

/// The file of an outbox, which one process at a time has open.
///
/// Records are appended. The file is rewritten once most of its records are outdated.
final class OutboxFile: Sendable {
  /// The bytes above which a file is rewritten, if most of its records are outdated.
  private static var slack: Int { 64 << 10 }
  /// The longest file that is read.
  private static var limit: Int { 1 << 30 }
  private static var name: String { "mutations" }

  private struct State {
    var length: Int
    /// The length after the file was last rewritten.
    var base = 0
  }

  private let folder: CacheFolder
  private let lock: FileLock
  private let state: Locked<State>

  /// A file that was opened, and what was in it.
  struct Opened: Sendable {
    /// The file; `nil` in memory.
    var file: OutboxFile?
    var records: [OutboxRecord] = []
    /// The number of damaged bytes, which are set aside.
    var damaged = 0
  }

  /// Opens the outbox in a folder, and reads its records.
  ///
  /// - Throws: an `OutboxError`.
  static func open(_ url: URL) throws(OutboxError) -> Opened {
    do {
      guard let folder = try CacheFolder.at(url, creating: true) else {
        throw OutboxError.notStored(reason: "cannot open \(url.path)")
      }
      guard let lock = try folder.lock("lock") else { throw OutboxError.inUse(path: url.path) }
      try folder.makeWay(at: name)
      let data = try folder.contents(of: name, limit: limit)
      let (records, damaged) = OutboxRecord.read(data ?? Data())
      if damaged > 0 { try folder.setAside(name, as: "damaged") }
      let file = OutboxFile(folder, lock, length: damaged > 0 ? 0 : data?.count ?? 0)
      if damaged > 0 || data == nil {
        try file.state.withLock { try file.replace(by: records, &$0) }
      }
      folder.removeAbandoned(for: name, before: Date(timeIntervalSinceNow: -600))
      return Opened(file: file, records: records, damaged: damaged)
    } catch let error as OutboxError {
      throw error
    } catch {
      throw OutboxError.notStored(reason: "\(error)")
    }
  }

  private init(_ folder: CacheFolder, _ lock: FileLock, length: Int) {
    (self.folder, self.lock) = (folder, lock)
    state = Locked(State(length: length))
  }

  /// Appends records.
  ///
  /// - Parameters:
  ///   - isDurable: whether they are on the disk on return, and not only with the system.
  ///   - others: returns the records of the mutations that were appended before, without those of
  ///     earlier ones.
  ///   - then: is called before any other records are appended.
  /// - Throws: `OutboxError.notStored`; nothing is appended then.
  func append(
    _ records: [OutboxRecord], isDurable: Bool, others: () -> [OutboxRecord],
    then: () -> Void = {}
  ) throws {
    try state.withLock { state in
      do {
        let data = try records.reduce(into: Data()) { $0 += try $1.encoded() }
        let isLong = state.length + data.count > max(2 * state.base, Self.slack)
        let isAppended = try !isLong && append(data, isDurable, &state)
        if !isAppended { try replace(by: others() + records, &state) }
      } catch {
        throw OutboxError.notStored(reason: "\(error)")
      }
      then()
    }
  }

  /// Appends to the file; returns `false` if the file is not there.
  private func append(_ data: Data, _ isDurable: Bool, _ state: inout State) throws -> Bool {
    do {
      guard try folder.append(data, to: Self.name, at: state.length) else { return false }
      if isDurable { try folder.sync(Self.name) }
      state.length += data.count
      return true
    } catch {
      // A mutation that is reported as not stored must not be sent after a relaunch.
      _ = try? folder.append(Data(), to: Self.name, at: state.length)
      throw error
    }
  }

  /// Rewrites the file.
  private func replace(by records: [OutboxRecord], _ state: inout State) throws {
    let data = try records.reduce(into: Data()) { $0 += try $1.encoded() }
    try folder.replace(Self.name, by: data, isDurable: true)
    state = State(length: data.count, base: data.count)
  }
}
