internal import Foundation

/// A file of rows: a header, and the rows as the coder wrote them.
///
/// It never changes once it is referenced. Its checksum covers the log that it belongs to, its
/// number and its rows: `seed` is the log's `runSeed`.
enum RunFile {
  private static var magic: UInt64 { 0x316e_7572_7365_7266 }
  static var limit: Int { 16 << 20 }
  private static var headerLength: Int { 28 }

  /// The error for rows that cannot be stored.
  struct Unstorable: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns the file name of a run.
  static func name(_ sequence: UInt64) -> String { "p\(sequence)" }

  /// Returns the file with these rows.
  ///
  /// It throws an error if the file would be refused when it is read, or does not read back.
  static func encode<Item: Identifiable>(
    _ items: [Item], sequence: UInt64, seed: UInt64, coder: some ValueCoder<Item>
  ) throws -> Data {
    let body = try coder.encode(items)
    guard body.count <= limit - headerLength else {
      throw Unstorable(description: "it takes \(body.count) bytes, of at most \(limit)")
    }
    let back = try coder.decode(body)
    guard back.count == items.count, zip(back, items).allSatisfy({ $0?.id == $1.id }) else {
      throw Unstorable(description: "it does not read back")
    }
    var file = BinaryWriter()
    file.write(magic)
    file.write(header(items.count, sequence, seed, body))
    file.write(body)
    return file.data
  }

  /// Returns the rows of a file, with `nil` for each that can no longer be decoded.
  ///
  /// It returns `nil` for all if the file is damaged or belongs to another log.
  static func decode<Item>(
    _ data: Data, rows: Int, sequence: UInt64, seed: UInt64, coder: some ValueCoder<Item>
  ) -> [Item?]? {
    guard let body = body(of: data, rows: rows, sequence: sequence, seed: seed),
      let items = try? coder.decode(body), items.count == rows
    else { return nil }
    return items
  }

  /// Returns the rows as the coder wrote them; `nil` if the file is damaged or of another log.
  static func body(of data: Data, rows: Int, sequence: UInt64, seed: UInt64) -> Data? {
    var reader = BinaryReader(data)
    guard (try? reader.read(UInt64.self)) == magic,
      let head = try? reader.readData(headerLength - 8),
      let body = try? reader.readData(reader.remaining),
      head == header(rows, sequence, seed, body)
    else { return nil }
    return Data(body)
  }

  private static func header(
    _ rows: Int, _ sequence: UInt64, _ seed: UInt64, _ body: Data
  ) -> Data {
    var header = BinaryWriter()
    header.write(UInt32(rows))
    header.write(sequence)
    header.write(XXHash64.hash(body, seed: XXHash64.hash(header.data, seed: seed)))
    return header.data
  }
}
