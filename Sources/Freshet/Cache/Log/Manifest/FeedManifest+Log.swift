internal import Foundation

// The log: a header, then records of kind, length, checksum and payload. The log ends at a torn or
// damaged record. A long log ends with a copy of the list's first entries.
extension FeedManifest {
  enum Kind: UInt8 {
    case checkpoint = 1
    case commit = 2
    case beginning = 3
  }

  private static var magic: UInt64 { 0x3574_6568_7365_7266 }
  static var recordHeader: Int { 13 }
  /// The maximum number of entries of a list.
  static var entryLimit: Int { 1 << 20 }
  /// The limit of run numbers, which leaves enough numbers to count up.
  static var sequenceLimit: UInt64 { 1 << 62 }
  /// The maximum length of a log, in bytes.
  static var limit: Int { 64 << 20 }

  /// Returns a log whose checkpoint is this manifest.
  ///
  /// - Parameters:
  ///   - name: the name of the feed.
  ///   - version: the version of its items.
  ///   - moment: the number that identifies the log, and seeds the checksums of its runs.
  func log(name: String, version: Int, moment: UInt64) -> Data {
    var payload = BinaryWriter()
    payload.write(name)
    payload.write(Int64(version))
    payload.write(moment)
    payload.write(state)
    payload.write(state.page, stamp)
    payload.write(Array(entries))
    var log = BinaryWriter()
    log.write(Self.magic)
    log.write(Self.record(.checkpoint, payload.data))
    return log.data
  }

  /// Returns the record of one step.
  static func record(_ commit: Commit) -> Data {
    var payload = BinaryWriter()
    payload.write(commit.state)
    if commit.keepsPage {
      payload.writeKeptPage()
    } else {
      payload.write(commit.state.page, commit.stamp)
    }
    payload.write(UInt32(commit.splices.count))
    for splice in commit.splices {
      payload.write(UInt32(splice.range.lowerBound))
      payload.write(UInt32(splice.range.count))
      payload.write(splice.entries)
    }
    return record(.commit, payload.data)
  }

  /// Returns a record of the log.
  ///
  /// - Parameter seed: the seed of its checksum; `nil` for that of its kind.
  static func record(_ kind: Kind, _ payload: Data, seed: UInt64? = nil) -> Data {
    var record = BinaryWriter()
    record.write(kind.rawValue)
    record.write(UInt32(payload.count))
    record.write(XXHash64.hash(payload, seed: seed ?? UInt64(kind.rawValue)))
    record.write(payload)
    return record.data
  }

  /// The reason why a log cannot be used.
  enum Unreadable: Error {
    case foreign
    case otherName
    case otherVersion
    case damaged
  }

  /// Returns the number of bytes that identify the feed of a log, for a feed of this name.
  static func ownerLength(_ name: String) -> Int { 8 + recordHeader + 4 + name.utf8.count + 16 }

  /// Returns the moment of a log, from its first bytes; `nil` if it is the log of another feed.
  ///
  /// No checksum covers these bytes alone.
  static func moment(of log: Data, name: String, version: Int) -> UInt64? {
    var reader = BinaryReader(log)
    guard (try? reader.read(UInt64.self)) == magic,
      (try? reader.readData(recordHeader)) != nil, (try? reader.readText()) == name,
      (try? reader.read(Int64.self)) == Int64(version)
    else { return nil }
    return try? reader.read()
  }

  /// Returns the feed of a log: its name and the version of its items.
  ///
  /// It is `nil` if the data is not a log, or a damaged one.
  static func owner(of log: Data) -> (name: String, version: Int)? {
    var reader = BinaryReader(log)
    guard (try? reader.read(UInt64.self)) == magic, let (_, payload) = nextRecord(&reader) else {
      return nil
    }
    var fields = BinaryReader(payload)
    guard let name = try? fields.readText(), let version = try? fields.read(Int64.self) else {
      return nil
    }
    return Int(exactly: version).map { (name, $0) }
  }

  /// Reads a log up to its first torn or damaged record.
  ///
  /// - Returns: the manifest, the moment of the log, the size of its undamaged part, and the
  ///   highest number of a run that any record names.
  static func read(
    _ log: Data, name: String, version: Int
  ) throws(Unreadable) -> (
    manifest: FeedManifest, moment: UInt64, size: FeedLog.Size, lastSequence: UInt64
  ) {
    var reader = BinaryReader(log)
    guard (try? reader.read(UInt64.self)) == magic else { throw .foreign }
    guard let (kind, payload) = nextRecord(&reader), kind == .checkpoint else { throw .damaged }
    var manifest = FeedManifest()
    var fields = BinaryReader(payload)
    guard let storedName = try? fields.readText(), let storedVersion = try? fields.read(Int64.self)
    else { throw .damaged }
    guard storedName == name else { throw .otherName }
    guard storedVersion == Int64(version) else { throw .otherVersion }
    let moment: UInt64
    do {
      moment = try fields.read(UInt64.self)
      manifest.state = try fields.readState()
      (manifest.state.page, manifest.stamp, _) = try fields.readPage()
      manifest.entries = ManifestEntries(try fields.readEntries())
    } catch {
      throw .damaged
    }
    let checkpoint = reader.offset - log.startIndex
    var size = FeedLog.Size(length: checkpoint, checkpoint: checkpoint)
    var lastSequence = Self.lastSequence(of: manifest.entries)
    while let (kind, payload) = nextRecord(&reader), kind == .commit,
      let commit = try? Self.commit(payload),
      (try? manifest.apply(commit)) != nil
    {
      guard manifest.entries.count <= entryLimit else { throw .damaged }
      size.length = reader.offset - log.startIndex
      size.records += 1
      lastSequence = max(lastSequence, Self.lastSequence(of: commit.splices.flatMap(\.entries)))
    }
    guard manifest.isPlausible else { throw .damaged }
    return (manifest, moment, size, lastSequence)
  }

  private static func lastSequence(of entries: some Sequence<Entry>) -> UInt64 {
    entries.compactMap(\.sequence).filter { $0 < sequenceLimit }.max() ?? 0
  }

  /// Whether its numbers are plausible: a correct checksum is not a signature.
  var isPlausible: Bool {
    guard entries.count <= Self.entryLimit else { return false }
    // The last part of each run.
    var seen: [UInt64: RunPart] = [:]
    var rows = 0
    for entry in entries {
      if let part = entry.part {
        guard !part.rows.isEmpty, part.rows.upperBound <= part.total,
          part.sequence < Self.sequenceLimit
        else { return false }
        if let last = seen.updateValue(part, forKey: part.sequence) {
          guard last.total == part.total, last.rows.upperBound <= part.rows.lowerBound else {
            return false
          }
        }
      }
      let (sum, isTooLong) = rows.addingReportingOverflow(entry.count)
      guard !isTooLong, sum <= Int(Int32.max) else { return false }
      rows = sum
    }
    return true
  }

  static func nextRecord(
    _ reader: inout BinaryReader, seed: UInt64? = nil
  ) -> (kind: Kind, payload: Data)? {
    guard reader.remaining >= recordHeader, let kind = (try? reader.read()).flatMap(Kind.init),
      let length = try? reader.readCount(), let checksum = try? reader.read(UInt64.self),
      let payload = try? reader.readData(length),
      XXHash64.hash(payload, seed: seed ?? UInt64(kind.rawValue)) == checksum
    else { return nil }
    return (kind, payload)
  }

  private static func commit(_ payload: Data) throws -> Commit {
    var fields = BinaryReader(payload)
    var commit = Commit(splices: [], state: try fields.readState())
    (commit.state.page, commit.stamp, commit.keepsPage) = try fields.readPage()
    var entries = 0
    for _ in 0..<(try fields.readCount()) {
      let start = try fields.readCount()
      let (end, isTooLong) = start.addingReportingOverflow(try fields.readCount())
      guard !isTooLong else { throw BinaryReader.Truncated() }
      commit.splices.append(Splice(range: start..<end, entries: try fields.readEntries()))
      entries += commit.splices.last?.entries.count ?? 0
      guard entries <= entryLimit else { throw BinaryReader.Truncated() }
    }
    return commit
  }
}

extension BinaryWriter {
  mutating func write(_ state: CachedState) {
    write(state.head.rawValue)
    write(state.tail.rawValue)
    write(state.refreshedAt)
    write(Int64(state.anchor ?? -1))
    var unproven = UnprovenRows()
    for rows in state.unproven { unproven.insert(rows) }
    write(UInt8(unproven.ranges.count))
    for rows in unproven.ranges {
      write(UInt32(clamping: rows.lowerBound))
      write(UInt32(clamping: rows.upperBound + 1))
    }
  }

  private mutating func write(_ date: Date?) {
    write((date?.timeIntervalSince1970 ?? .nan).bitPattern)
  }

  mutating func write(_ entries: [FeedManifest.Entry]) {
    write(UInt32(entries.count))
    for entry in entries {
      switch entry {
      case .run(let part, let mark) where part.isWhole:
        write(EntryTag.run.rawValue)
        write(part.sequence)
        write(UInt32(part.total))
        write(mark)
      case .run(let part, let mark):
        let isMarked = mark.stored != PageBoundary()
        write((isMarked ? EntryTag.markedPart : .part).rawValue)
        write(part.sequence)
        write(UInt32(part.total))
        write(UInt32(part.rows.lowerBound))
        write(UInt32(part.rows.count))
        if isMarked { write(mark) }
      case .gap: write(EntryTag.gap.rawValue)
      }
    }
  }

  private mutating func write(_ mark: PageBoundary) {
    write(mark.next?.json ?? "")
    write(mark.previous?.json ?? "")
    write(mark.fetchedAt)
  }
}

/// The kind of an entry.
private enum EntryTag: UInt8 {
  /// All rows of a run.
  case run = 1
  case gap = 2
  /// Some rows of a run, without a page boundary.
  case part = 3
  case markedPart = 4
}

extension BinaryReader {
  mutating func readState() throws -> CachedState {
    guard let head = FeedEnd(rawValue: try readText()), let tail = FeedEnd(rawValue: try readText())
    else { throw Truncated() }
    let refreshedAt = try readDate()
    let anchor = Int(exactly: try read(Int64.self))
      .flatMap { (0...Int(Int32.max)).contains($0) ? $0 : nil }
    return CachedState(
      head: head, tail: tail, refreshedAt: refreshedAt, anchor: anchor, unproven: try readRanges())
  }

  /// Reads ranges of rows, which must be ascending and separate.
  private mutating func readRanges() throws -> [Range<Int>] {
    let count = Int(try read(UInt8.self))
    guard count <= UnprovenRows.limit else { throw Truncated() }
    var ranges: [Range<Int>] = []
    for _ in 0..<count {
      let (start, end) = (try readCount(), try readCount())
      guard start < end, start >= ranges.last?.upperBound ?? 0 else { throw Truncated() }
      ranges.append(start..<end)
    }
    return ranges
  }

  private mutating func readDate() throws -> Date? {
    let seconds = Double(bitPattern: try read(UInt64.self))
    return seconds.isFinite ? Date(timeIntervalSince1970: seconds) : nil
  }

  mutating func readKey() throws -> PageKey? {
    let json = try readText()
    return json.isEmpty ? nil : PageKey(json: json)
  }

  mutating func readEntries() throws -> [FeedManifest.Entry] {
    let count = try readCount()
    guard count <= min(remaining, FeedManifest.entryLimit) else { throw Truncated() }
    // No memory is reserved for a number of entries that may be false.
    var entries: [FeedManifest.Entry] = []
    for _ in 0..<count {
      guard let tag = EntryTag(rawValue: try read()) else { throw Truncated() }
      if tag == .gap {
        entries.append(.gap)
        continue
      }
      let (sequence, total) = (try read(UInt64.self), try readCount())
      var rows = 0..<total
      if tag != .run {
        let start = try readCount()
        let (end, isTooLong) = start.addingReportingOverflow(try readCount())
        guard !isTooLong, end <= total else { throw Truncated() }
        rows = start..<end
      }
      let mark = tag == .part ? PageBoundary() : try readMark()
      entries.append(.run(RunPart(sequence: sequence, rows: rows, total: total), mark))
    }
    return entries
  }

  private mutating func readMark() throws -> PageBoundary {
    PageBoundary(next: try readKey(), previous: try readKey(), fetchedAt: try readDate())
  }
}
