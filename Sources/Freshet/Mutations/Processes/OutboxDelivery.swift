internal import Foundation

/// Records that a process delivered to the one that sends, in a file of their own.
struct OutboxDelivery: Sendable {
  /// The name of the file.
  let name: String
  var records: [OutboxRecord]
  /// The number of bytes of the file that belong to no record.
  let damaged: Int
}

/// The deliveries in the folder of an outbox.
///
/// It works like a maildir (D. J. Bernstein, 1995): a file is written under another name, and
/// renamed once it is on the disk. Only the process that sends removes it. So no process waits for
/// a lock of another one, which may be suspended.
struct OutboxDeliveries: Sendable {
  private static let prefix = "delivery-"
  private static let digits = 16

  private let folder: CacheFolder
  private let identity: UInt64
  /// Distinguishes the files of this process from those that others create at the same moment.
  private let author = UUID().uuidString
  /// The number of the last file that this process wrote.
  private var last: UInt64 = 0
  /// The deliveries that were there when they were last read.
  private var known: [String: OutboxDelivery] = [:]
  /// The error of a file that could not be read then.
  ///
  /// Data protection, for example, makes files unreadable while a device is locked.
  private(set) var failure: (any Error)?

  init(in folder: CacheFolder, of identity: UInt64) {
    (self.folder, self.identity) = (folder, identity)
  }

  /// The names of the files, in the order in which they were written.
  ///
  /// A folder may be listed while files are created: a listing can contain a file, and not an
  /// earlier one. Two equal listings are complete.
  ///
  /// - Throws: an error if the folder changes all the time.
  func names() throws -> [String] {
    var names = list()
    for _ in 0..<1_000 {
      let again = list()
      if names == again { return names }
      names = again
    }
    throw CacheFolder.Failure(lasting: "\(folder.path) changes all the time")
  }

  private func list() -> [String] {
    folder.names.filter { Self.number(of: $0) != nil }.sorted()
  }

  /// Returns the number in the name of a delivery; `nil` for any other file.
  private static func number(of name: String) -> UInt64? {
    let digits = name.dropFirst(prefix.count).prefix(digits)
    guard name.hasPrefix(prefix), !name.contains("."), digits.count == Self.digits,
      let number = UInt64(digits, radix: 16), number < .max / 2
    else { return nil }
    return number
  }

  /// Reads the deliveries in their order, without files of other users.
  ///
  /// A file never changes, so it is read once. One that cannot be read is left out.
  mutating func read() throws -> [OutboxDelivery] {
    var found: [OutboxDelivery] = []
    failure = nil
    for name in try names() {
      do {
        if let delivery = try known[name] ?? read(name) { found.append(delivery) }
      } catch {
        failure = error
      }
    }
    known = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0) })
    return found
  }

  private func read(_ name: String) throws -> OutboxDelivery? {
    guard folder.status(of: name).map({ CacheFolder.isOurs($0) }) == true,
      let data = try folder.contents(of: name, limit: OutboxFile.limit)
    else { return nil }
    let contents = OutboxRecord.read(data, of: identity)
    // It was renamed when it was whole: what was cut off is damage, too.
    let damaged = contents.damaged + data.count - contents.length
    return OutboxDelivery(name: name, records: contents.records, damaged: damaged)
  }

  /// Writes a file after all others; it is on the disk on return.
  mutating func add(_ data: Data) throws {
    let number = max(last, try names().last.flatMap(Self.number) ?? 0) + 1
    let digits = String(number, radix: 16)
    let zeros = String(repeating: "0", count: Self.digits - digits.count)
    let name = "\(Self.prefix)\(zeros)\(digits)-\(author)"
    do {
      try folder.replace(name, by: data, isDurable: true)
    } catch {
      // A mutation that is reported as not stored must not be sent.
      folder.remove(name)
      throw error
    }
    last = number
  }

  /// Removes files.
  ///
  /// If the names cannot be synced, a file may be there again after a power failure.
  ///
  /// - Returns: whether they are gone.
  func remove(_ names: [String]) -> Bool {
    for name in names { folder.remove(name) }
    try? folder.syncNames()
    return names.allSatisfy { folder.status(of: $0) == nil }
  }

  /// Removes all deliveries, and files that did not become one.
  ///
  /// Another process may deliver meanwhile.
  ///
  /// - Returns: whether those that were there are gone.
  func removeAll() -> Bool {
    let names = folder.names.filter { $0.hasPrefix(Self.prefix) }
    for name in names { folder.remove(name) }
    return names.allSatisfy { folder.status(of: $0) == nil }
  }

  /// Removes files that did not become a delivery because of a crash.
  func removeAbandoned(before date: Date) {
    folder.removeAbandoned(startingWith: Self.prefix, before: date)
  }
}
