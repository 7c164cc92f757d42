internal import Foundation

/// What a feed's manifest says: which runs of rows follow each other, and how current they are.
struct FeedManifest: Equatable {
  /// A part of the list.
  enum Entry: Equatable {
    /// The rows in the file of this sequence number, and the key of the page that continues them.
    case run(sequence: UInt64, rows: Int, next: PageKey?)
    case gap

    /// How many rows of the timeline it stands for.
    var count: Int {
      switch self {
      case .run(_, let rows, _): rows
      case .gap: 1
      }
    }
  }

  /// Entries replaced by others.
  struct Splice: Equatable {
    var range: Range<Int>
    var entries: [Entry]
  }

  /// One step, as the log has it.
  struct Commit: Equatable {
    var splices: [Splice]
    var tail: FeedTail
    var refreshedAt: Date?
    var anchor: Int?
  }

  var entries: [Entry] = []
  var tail = FeedTail.unknown
  var refreshedAt: Date?
  /// Where the reader was, as an index among all rows.
  var anchor: Int?

  /// The rows of the timeline that the entries stand for.
  var count: Int { entries.reduce(0) { $0 + $1.count } }

  /// The numbers of the files that the entries name.
  var sequences: [UInt64] {
    entries.compactMap { if case .run(let sequence, _, _) = $0 { sequence } else { nil } }
  }

  /// Performs a step.
  ///
  /// Splices are in the coordinates before it, ascending.
  mutating func apply(_ commit: Commit) throws {
    for splice in commit.splices.reversed() {
      guard splice.range.upperBound <= entries.count else { throw BinaryReader.Truncated() }
      entries.replaceSubrange(splice.range, with: splice.entries)
    }
    tail = commit.tail
    refreshedAt = commit.refreshedAt
    anchor = commit.anchor
  }
}

// The log: a header, then records of kind, length, checksum and payload. A record that is torn or
// damaged ends it.
extension FeedManifest {
  private enum Kind: UInt8 {
    case checkpoint = 1
    case commit = 2
  }

  private static var magic: UInt64 { 0x3274_6568_7365_7266 }
  private static var recordHeader: Int { 13 }

  /// A log that says all of this manifest.
  func log(name: String, version: Int) -> Data {
    var payload = BinaryWriter()
    payload.write(name)
    payload.write(Int64(version))
    payload.writeState(tail, refreshedAt, anchor)
    payload.write(entries)
    var log = BinaryWriter()
    log.write(Self.magic)
    log.write(Self.record(.checkpoint, payload.data))
    return log.data
  }

  /// The record that says one step.
  static func record(_ commit: Commit) -> Data {
    var payload = BinaryWriter()
    payload.writeState(commit.tail, commit.refreshedAt, commit.anchor)
    payload.write(UInt32(commit.splices.count))
    for splice in commit.splices {
      payload.write(UInt32(splice.range.lowerBound))
      payload.write(UInt32(splice.range.count))
      payload.write(splice.entries)
    }
    return record(.commit, payload.data)
  }

  private static func record(_ kind: Kind, _ payload: Data) -> Data {
    var record = BinaryWriter()
    record.write(kind.rawValue)
    record.write(UInt32(payload.count))
    record.write(XXHash64.hash(payload, seed: UInt64(kind.rawValue)))
    record.write(payload)
    return record.data
  }

  /// Why a log cannot be used.
  enum Unreadable: Error {
    case foreign
    case otherName
    case otherVersion
    case damaged
  }

  /// Reads a log up to where it is whole.
  ///
  /// - Returns: the manifest, the length of the part that is whole, and that of its checkpoint.
  static func read(
    _ log: Data, name: String, version: Int
  ) throws(Unreadable) -> (manifest: FeedManifest, length: Int, checkpoint: Int) {
    var reader = BinaryReader(log)
    guard (try? reader.read(UInt64.self)) == magic else { throw .foreign }
    guard let (kind, payload) = nextRecord(&reader), kind == .checkpoint else { throw .damaged }
    var manifest = FeedManifest()
    var fields = BinaryReader(payload)
    guard let storedName = try? fields.readText(), let storedVersion = try? fields.read(Int64.self)
    else { throw .damaged }
    guard storedName == name else { throw .otherName }
    guard storedVersion == Int64(version) else { throw .otherVersion }
    do {
      (manifest.tail, manifest.refreshedAt, manifest.anchor) = try fields.readState()
      manifest.entries = try fields.readEntries()
    } catch {
      throw .damaged
    }
    let checkpoint = reader.offset - log.startIndex
    var length = checkpoint
    while let (kind, payload) = nextRecord(&reader), kind == .commit,
      let commit = try? Self.commit(payload), (try? manifest.apply(commit)) != nil
    {
      length = reader.offset - log.startIndex
    }
    return (manifest, length, checkpoint)
  }

  private static func nextRecord(_ reader: inout BinaryReader) -> (Kind, Data)? {
    guard reader.remaining >= recordHeader, let kind = (try? reader.read()).flatMap(Kind.init),
      let length = try? reader.read(UInt32.self), let checksum = try? reader.read(UInt64.self),
      let payload = try? reader.readData(Int(length)),
      XXHash64.hash(payload, seed: UInt64(kind.rawValue)) == checksum
    else { return nil }
    return (kind, payload)
  }

  private static func commit(_ payload: Data) throws -> Commit {
    var fields = BinaryReader(payload)
    let (tail, refreshedAt, anchor) = try fields.readState()
    var splices: [Splice] = []
    for _ in 0..<(try fields.read(UInt32.self)) {
      let start = Int(try fields.read(UInt32.self))
      let count = Int(try fields.read(UInt32.self))
      splices.append(Splice(range: start..<(start + count), entries: try fields.readEntries()))
    }
    return Commit(splices: splices, tail: tail, refreshedAt: refreshedAt, anchor: anchor)
  }
}

extension BinaryWriter {
  fileprivate mutating func writeState(
    _ tail: FeedTail, _ refreshedAt: Date?, _ anchor: Int?
  ) {
    write(tail.rawValue)
    write((refreshedAt?.timeIntervalSince1970 ?? .nan).bitPattern)
    write(Int64(anchor ?? -1))
  }

  fileprivate mutating func write(_ entries: [FeedManifest.Entry]) {
    write(UInt32(entries.count))
    for entry in entries {
      switch entry {
      case .run(let sequence, let rows, let next):
        write(UInt8(1))
        write(sequence)
        write(UInt32(rows))
        write(next?.json ?? "")
      case .gap: write(UInt8(2))
      }
    }
  }
}

extension BinaryReader {
  fileprivate mutating func readState() throws -> (FeedTail, Date?, Int?) {
    guard let tail = FeedTail(rawValue: try readText()) else { throw Truncated() }
    let seconds = Double(bitPattern: try read(UInt64.self))
    let anchor = Int(exactly: try read(Int64.self)).flatMap { $0 < 0 ? nil : $0 }
    return (tail, seconds.isFinite ? Date(timeIntervalSince1970: seconds) : nil, anchor)
  }

  fileprivate mutating func readEntries() throws -> [FeedManifest.Entry] {
    let count = Int(try read(UInt32.self))
    guard count <= remaining else { throw Truncated() }
    return try (0..<count).map { _ in
      switch try read(UInt8.self) {
      case 1:
        let sequence = try read(UInt64.self)
        let rows = Int(try read(UInt32.self))
        let next = try readText()
        return .run(sequence: sequence, rows: rows, next: next.isEmpty ? nil : PageKey(json: next))
      case 2: return .gap
      default: throw Truncated()
      }
    }
  }
}
