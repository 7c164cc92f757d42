internal import Foundation

// A long log ends with a copy of the list's first entries. So a first screen is read without the
// rest of the log (rule P1).
extension FeedManifest {
  /// The beginning of a list.
  struct Beginning: Equatable {
    /// The first entries, and the state that is stored beside the rows.
    var manifest: FeedManifest
    /// The number of rows in the other entries.
    var rest: Int
    /// The number that identifies the log, and seeds the checksums of its runs.
    var moment: UInt64
    /// The number of the next run, which no run has or had.
    var nextSequence: UInt64

    /// The number of all rows.
    var count: Int { manifest.count + rest }
  }

  /// The number of rows that a beginning is to have, and the maximum number of its entries.
  ///
  /// They suffice for a first screen, of which some entries are parts of one run.
  private static var beginningLimit: (rows: Int, entries: Int) { (50, 48) }

  /// Returns the beginning of this list; `nil` if it is the whole list.
  func beginning(moment: UInt64, nextSequence: UInt64) -> Beginning? {
    var (end, rows) = (0, 0)
    while end < min(entries.count, Self.beginningLimit.entries), rows < Self.beginningLimit.rows {
      rows += entries[end].sequence == nil ? 0 : entries[end].count
      end += 1
    }
    if end == entries.count { return nil }
    var first = self
    first.entries = ManifestEntries(entries.slice(0..<end))
    return Beginning(
      manifest: first, rest: count - first.count, moment: moment, nextSequence: nextSequence)
  }
}

// The last record of a log. Its length follows it, so that it is found from the end.
extension FeedManifest.Beginning {
  /// The maximum length of such a record.
  static var limit: Int { 16 << 10 }

  /// Returns the record; `nil` if it would be too long.
  ///
  /// Its checksum covers the name of the feed, the version of its items and the moment.
  func record(name: String, version: Int) -> Data? {
    var payload = BinaryWriter()
    payload.write(manifest.state)
    payload.write(manifest.state.page, manifest.stamp)
    payload.write(UInt32(rest))
    payload.write(nextSequence)
    payload.write(Array(manifest.entries))
    var record = BinaryWriter()
    let seed = Self.seed(name, version, moment)
    record.write(FeedManifest.record(.beginning, payload.data, seed: seed))
    record.write(UInt32(record.data.count + 4))
    return record.data.count <= Self.limit ? record.data : nil
  }

  /// Reads the record at the end of a log.
  ///
  /// - Returns: `nil` if there is none, or if it is damaged or belongs to another log.
  static func read(
    _ log: Data, name: String, version: Int, moment: UInt64
  ) -> (beginning: Self, length: Int)? {
    guard let length = length(of: log) else { return nil }
    var reader = BinaryReader(log.suffix(length))
    let seed = seed(name, version, moment)
    guard let (kind, payload) = FeedManifest.nextRecord(&reader, seed: seed), kind == .beginning,
      reader.remaining == 4
    else { return nil }
    var fields = BinaryReader(payload)
    var manifest = FeedManifest()
    do {
      manifest.state = try fields.readState()
      (manifest.state.page, manifest.stamp, _) = try fields.readPage()
      let rest = try fields.readCount()
      let nextSequence = try fields.read(UInt64.self)
      manifest.entries = ManifestEntries(try fields.readEntries())
      let found = Self(
        manifest: manifest, rest: rest, moment: moment, nextSequence: nextSequence)
      guard manifest.isPlausible, rest <= Int(Int32.max) - manifest.count,
        nextSequence <= FeedManifest.sequenceLimit
      else { return nil }
      return (found, length)
    } catch {
      return nil
    }
  }

  /// Returns the length of the last record, from the last bytes of the log.
  private static func length(of log: Data) -> Int? {
    let least = FeedManifest.recordHeader + 4
    guard log.count >= least else { return nil }
    var end = BinaryReader(log.suffix(4))
    let lengths = least...min(limit, log.count)
    guard let length = try? end.readCount(), lengths.contains(length) else { return nil }
    return length
  }

  private static func seed(_ name: String, _ version: Int, _ moment: UInt64) -> UInt64 {
    var owner = BinaryWriter()
    owner.write(FeedManifest.Kind.beginning.rawValue)
    owner.write(name)
    owner.write(Int64(version))
    return XXHash64.hash(owner.data, seed: moment)
  }
}
