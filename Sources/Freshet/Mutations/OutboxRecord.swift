internal import Foundation

/// An entry in the file of an outbox.
///
/// A record is a mark, the length and the checksum of its JSON, and the JSON. Records are found by
/// their marks, so a damaged one costs only itself.
enum OutboxRecord: Codable, Equatable, Sendable {
  case added(StoredMutation)
  /// The contents of a mutation changed: by the user, or because its item has another id now.
  case changed(StoredMutation)
  /// The first attempt to send it began.
  case begun(String)
  case failed(String, MutationFailure)
  case retried(String)
  /// The source took it, or the user discarded it.
  case removed(String)

  private static let mark = Data("\nFrOb1 ".utf8)
  /// The longest record that is read or written.
  static var limit: Int { 8 << 20 }

  func encoded() throws -> Data {
    let json = try JSONEncoder().encode(self)
    var writer = BinaryWriter()
    writer.write(Self.mark)
    writer.write(UInt32(json.count))
    writer.write(XXHash64.hash(json))
    writer.write(json)
    return writer.data
  }

  /// Reads records, except damaged ones.
  ///
  /// - Returns: the records, and the number of bytes that belong to none.
  /// - Complexity: O(bytes), unless the file was made to imitate marks.
  static func read(_ data: Data) -> (records: [OutboxRecord], damaged: Int) {
    var (records, read) = ([OutboxRecord](), 0)
    var rest = data[...]
    while let start = rest.range(of: mark) {
      var reader = BinaryReader(rest[start.upperBound...])
      guard let length = try? reader.readCount(), length <= limit,
        let checksum = try? reader.read(UInt64.self), let json = try? reader.readData(length),
        XXHash64.hash(Data(json)) == checksum,
        let record = try? JSONDecoder().decode(OutboxRecord.self, from: json)
      else {
        rest = rest[start.upperBound...]
        continue
      }
      records.append(record)
      read += mark.count + 12 + length
      rest = rest[json.endIndex...]
    }
    return (records, data.count - read)
  }
}

extension OutboxQueue {
  /// Creates the queue that records lead to.
  init(_ records: [OutboxRecord], canSend: (String) -> Bool) {
    for record in records { apply(record, canSend) }
  }

  private mutating func apply(_ record: OutboxRecord, _ canSend: (String) -> Bool) {
    switch record {
    case .added(let mutation): if self[mutation.key] == nil { restore(mutation) }
    case .changed(let mutation): move(mutation)
    case .begun(let key): noteAttempt(key)
    case .failed(let key, let failure):
      let isReadable = self[key].map { canSend($0.mutation.name) } ?? false
      // The app may be a newer version by now.
      if !failure.isUnreadable || !isReadable { fail(key, failure, isFinal: true) }
    case .retried(let key): retry(key)
    case .removed(let key): forget(key)
    }
  }

  /// The records that lead to this queue.
  var records: [OutboxRecord] {
    all.flatMap { entry -> [OutboxRecord] in
      let key = entry.mutation.key
      if entry.progress == .storing { return [] }
      var records = [OutboxRecord.added(entry.mutation)]
      if entry.attempts > 0 { records.append(.begun(key)) }
      if case .failed(let failure) = entry.progress { records.append(.failed(key, failure)) }
      return records
    }
  }
}
