internal import Foundation

/// An entry in the file of an outbox.
///
/// A record is a mark, the length and the checksum of its JSON, and the JSON. Records are found by
/// their marks, so a damaged one costs only itself. The checksum covers the identity of the outbox:
/// a record of another account's outbox does not count.
enum OutboxRecord: Codable, Equatable, Sendable {
  case added(OutboxMutation)
  /// The contents of a mutation changed: by the user, or because its item has another id now.
  case changed(OutboxMutation)
  /// The source gave an item that was created another id.
  case renamed(MutationTarget, to: String)
  /// An attempt to send it began.
  case begun(String)
  case failed(String, MutationFailure)
  case retried(String)
  /// The source took it, or the user discarded it; `nil` in a file of an earlier version.
  case removed(String, isAnswered: Bool? = nil)
  /// The user discarded the creation of an item, which deliveries may name.
  case discarded(MutationTarget)

  private static let mark = Data("\nFrOb1 ".utf8)
  /// The longest record, in bytes.
  static var limit: Int { 16 << 20 }

  /// What a file holds.
  struct Contents: Equatable {
    var records: [OutboxRecord] = []
    /// The number of bytes that belong to no record, besides a record that was not written whole.
    var damaged = 0
    /// The length of the file without a record at its end that was not written whole.
    var length = 0
  }

  /// Returns the record as it is stored.
  ///
  /// - Throws: `OutboxError.tooLarge` for a record that would not be read, or an `EncodingError`.
  func encoded(of identity: UInt64) throws -> Data {
    let json = try JSONEncoder().encode(self)
    guard json.count <= Self.limit else { throw OutboxError.tooLarge(limit: Self.limit) }
    var writer = BinaryWriter()
    writer.write(Self.mark)
    writer.write(UInt32(json.count))
    writer.write(XXHash64.hash(json, seed: identity))
    writer.write(json)
    return writer.data
  }

  /// Reads records, except damaged ones.
  static func read(_ data: Data, of identity: UInt64) -> Contents {
    var contents = Contents()
    var (rest, read) = (data[...], 0)
    var end = data.startIndex
    var isTorn = false
    while let start = rest.range(of: mark) {
      var reader = BinaryReader(rest[start.upperBound...])
      guard let length = try? reader.readCount(), length <= limit,
        let checksum = try? reader.read(UInt64.self), let json = try? reader.readData(length)
      else {
        // It may be a record of which only the beginning was written.
        isTorn = start.lowerBound == end
        rest = rest[start.upperBound...]
        continue
      }
      guard XXHash64.hash(Data(json), seed: identity) == checksum,
        let record = try? JSONDecoder().decode(OutboxRecord.self, from: json)
      else {
        isTorn = false
        rest = rest[start.upperBound...]
        continue
      }
      contents.records.append(record)
      read += mark.count + 12 + length
      isTorn = false
      end = json.endIndex
      rest = rest[json.endIndex...]
    }
    let tail = data.endIndex - end
    // Less than a mark may have been written, too.
    let isCut = isTorn || tail < mark.count && mark.starts(with: data[end...])
    contents.length = isCut ? end - data.startIndex : data.count
    contents.damaged = contents.length - read
    return contents
  }
}

extension OutboxMutation {
  /// The records of its removal by the user.
  var removal: [OutboxRecord] {
    isInsertion ? [.removed(id), .discarded(target)] : [.removed(id)]
  }
}

extension [OutboxRecord] {
  /// The ids of the mutations that were added, also of those that are no longer there.
  var added: Set<String> {
    Set(compactMap { if case .added(let mutation) = $0 { mutation.id } else { nil } })
  }

  /// Whether the source took a mutation that was removed, by its id.
  var answers: [String: Bool] {
    reduce(into: [:]) { answers, record in
      if case .removed(let id, let isAnswered) = record { answers[id] = isAnswered }
    }
  }
}

extension OutboxQueue {
  /// Creates the queue that records lead to.
  init(_ records: [OutboxRecord], canSend: (String) -> Bool) {
    for record in records { apply(record, canSend) }
  }

  private mutating func apply(_ record: OutboxRecord, _ canSend: (String) -> Bool) {
    switch record {
    case .added(let mutation): if self[mutation.id] == nil { restore(mutation) }
    case .changed(let mutation): move(mutation)
    case .renamed(let target, let id): rename(target, to: id)
    case .begun(let id): noteAttempt(id)
    case .failed(let id, let failure):
      let isReadable = self[id].map { canSend($0.mutation.name) } ?? false
      // The app may be a newer version by now.
      if !failure.isUnreadable || !isReadable { fail(id, failure, isFinal: true) }
    case .retried(let id): retry(id)
    case .removed(let id, _): forget(id)
    case .discarded(let target): noteDiscarded(target)
    }
  }

  /// The records that lead to this queue, without the mutations that are not stored yet.
  var records: [OutboxRecord] {
    renamed.map { .renamed($0.target, to: $0.id) } + discarded.map { .discarded($0) }
      + all.flatMap { entry -> [OutboxRecord] in
        let id = entry.mutation.id
        if entry.progress == .storing { return [] }
        var records = [OutboxRecord.added(entry.mutation)]
        if entry.attempts > 0 { records.append(.begun(id)) }
        if case .failed(let failure) = entry.progress { records.append(.failed(id, failure)) }
        return records
      }
  }
}
