internal import Foundation

/// Writes the fields of a cache file, numbers in little-endian order.
struct BinaryWriter {
  private(set) var data = Data()

  mutating func write(_ number: some FixedWidthInteger) {
    var rest = UInt64(truncatingIfNeeded: number)
    for _ in 0..<(type(of: number).bitWidth / 8) {
      data.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  mutating func write(_ text: String) {
    write(UInt32(text.utf8.count))
    data.append(contentsOf: text.utf8)
  }

  mutating func write(_ bytes: Data) { data.append(bytes) }
}

/// Reads the fields of a cache file.
///
/// Bounds are checked even if the checksum was correct.
struct BinaryReader {
  struct Truncated: Error {}

  private let data: Data
  private(set) var offset: Int

  init(_ data: Data) {
    self.data = data
    offset = data.startIndex
  }

  var remaining: Int { data.endIndex - offset }

  mutating func read<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws -> Number
  {
    var number: UInt64 = 0
    for (index, byte) in try readData(Number.bitWidth / 8).enumerated() {
      number |= UInt64(byte) << UInt64(8 * index)
    }
    return Number(truncatingIfNeeded: number)
  }

  /// Reads a count, which must fit into an `Int`.
  mutating func readCount() throws -> Int {
    guard let count = Int(exactly: try read(UInt32.self)) else { throw Truncated() }
    return count
  }

  mutating func readText() throws -> String {
    String(decoding: try readData(readCount()), as: UTF8.self)
  }

  mutating func readData(_ count: Int) throws -> Data {
    guard count >= 0, count <= remaining else { throw Truncated() }
    defer { offset += count }
    return data[offset..<(offset + count)]
  }
}
