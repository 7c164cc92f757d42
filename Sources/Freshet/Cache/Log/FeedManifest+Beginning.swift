internal import Foundation

// A long log ends with a copy of the list's first entries, so that a first screen is read without
// the rest of it (rule P1).
extension FeedManifest {
  /// How a list begins.
  struct Beginning: Equatable {
    /// The first entries, and all that is known beside the rows.
    var manifest: FeedManifest
    /// How many rows there are in the other entries.
    var rest: Int
    /// The number that the runs are sealed with.
    var moment: UInt64
    /// The number of the next run, which no run has or had.
    var nextSequence: UInt64

    /// How many rows there are in all.
    var count: Int { manifest.count + rest }
  }

  /// How many rows a beginning is to have, and how many entries it has at most: as many as a first
  /// screen takes, of which some are parts of one run.
  private static var beginningLimit: (rows: Int, entries: Int) { (50, 48) }

  /// The beginning of this list; `nil` if that is all of it.
  ///
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

// The last record of a log, followed by its length, so that it is found from the end.
extension FeedManifest.Beginning {
  /// How long such a record may be.
  static var limit: Int { 16 << 10 }

  /// The record, sealed with the name of the feed, the version of its items and the moment; `nil`
  /// where it would be too long.
  func record(name: String, version: Int) -> Data? {
    var payload = BinaryWriter()
    payload.write(manifest.state)
    payload.write(manifest.state.page, manifest.stamp)
    payload.write(UInt32(rest))
    payload.write(nextSequence)
    payload.write(manifest.entries)
    var record = BinaryWriter()
    let seed = Self.seed(name, version, moment)
    record.write(FeedManifest.record(.beginning, payload.data, seed: seed))
    record.write(UInt32(record.data.count + 4))
    return record.data.count <= Self.limit ? record.data : nil
  }

  /// Reads the record with which a log ends.
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
      guard manifest.isPlausible, found.count <= Int(Int32.max),
        nextSequence <= FeedManifest.sequenceLimit
      else { return nil }
      return (found, length)
    } catch {
      return nil
    }
  }

  /// The length of the last record, from the last bytes of the log.
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
