/// Bodies packed by hand, as no compressor would.
enum Packing {
  /// Bytes in gzip (RFC 1952), stored as they are.
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var packed = gzipHead
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      packed.append(rest.isEmpty ? 1 : 0)
      packed += little(UInt32(block.count), 2) + little(~UInt32(block.count), 2) + block
    } while !rest.isEmpty
    return packed + little(checksum(bytes), 4) + little(UInt32(truncatingIfNeeded: bytes.count), 4)
  }

  static let gzipHead: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]

  /// A beginning of gzip that `gzipBombBlock` may follow as often as one likes.
  static let gzipBombHead: [UInt8] = {
    // The last block, in the fixed code (RFC 1951, section 3.2.6); five literals of nine bits fill
    // up the byte, and a space follows, to be repeated.
    var bits: [Bool] = [true, true, false]
    for _ in 0..<5 { bits += Self.bits(0b1_1001_0000, 9) }
    bits += Self.bits(0x30 + 0x20, 8)
    return gzipHead + bytes(bits)
  }()

  /// 8 times "258 times the last byte", in 13 bytes.
  static let gzipBombBlock = bytes(
    (0..<8).flatMap { _ in Self.bits(0b1100_0101, 8) + Self.bits(0, 5) })

  /// Spaces in zstd (RFC 8878): a block of 128 kB takes four bytes.
  static func zstdBomb(blocks: Int) -> [UInt8] {
    let head: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]
    let block = little(UInt32(131_072) << 3 | 1 << 1, 3) + [0x20]
    let last = little(UInt32(131_072) << 3 | 1 << 1 | 1, 3) + [0x20]
    return head + Array(repeatElement(block, count: blocks - 1).joined()) + last
  }

  private static func little(_ number: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
    }
  }

  /// A code of Huffman's, its first bit first.
  private static func bits(_ code: Int, _ count: Int) -> [Bool] {
    (0..<count).map { code >> (count - 1 - $0) & 1 == 1 }
  }

  private static func bytes(_ bits: [Bool]) -> [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 | (bits[start + $1] ? 1 << UInt8($1) : 0) }
    }
  }
}
