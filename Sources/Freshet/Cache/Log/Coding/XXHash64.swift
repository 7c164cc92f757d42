package import Foundation

/// The checksum of cache files and pages, xxHash64: fast, but not a signature.
///
/// Written by Yann Collet; the algorithm is described at https://xxhash.com/doc/v0.8.3/index.html.
package enum XXHash64 {
  private static let prime1: UInt64 = 0x9e37_79b1_85eb_ca87
  private static let prime2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
  private static let prime3: UInt64 = 0x1656_67b1_9e37_79f9
  private static let prime4: UInt64 = 0x85eb_ca77_c2b2_ae63
  private static let prime5: UInt64 = 0x27d4_eb2f_1656_67c5

  /// Returns the checksum of bytes.
  package static func hash(_ data: Data, seed: UInt64 = 0) -> UInt64 {
    // The bytes are read within their bounds only: `at` never passes `count`.
    unsafe data.withUnsafeBytes { bytes in unsafe hash(bytes, seed: seed) }
  }

  private static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    let count = bytes.count
    var at = count / 32 * 32
    var hash = at == 0 ? seed &+ prime5 : unsafe stripes(bytes, upTo: at, seed: seed)
    hash &+= UInt64(count)
    while at + 8 <= count {
      hash = rotate(hash ^ round(0, unsafe word(bytes, at)), 27) &* prime1 &+ prime4
      at += 8
    }
    if at + 4 <= count {
      let half = UInt32(
        littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
      hash = rotate(hash ^ (UInt64(half) &* prime1), 23) &* prime2 &+ prime3
      at += 4
    }
    while at < count {
      hash = rotate(hash ^ (UInt64(unsafe bytes[at]) &* prime5), 11) &* prime1
      at += 1
    }
    hash = (hash ^ (hash >> 33)) &* prime2
    hash = (hash ^ (hash >> 29)) &* prime3
    return hash ^ (hash >> 32)
  }

  /// Returns the hash of the bytes before `end`, 32 at a time.
  private static func stripes(
    _ bytes: UnsafeRawBufferPointer, upTo end: Int, seed: UInt64
  ) -> UInt64 {
    var lanes = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
    for at in stride(from: 0, to: end, by: 32) {
      lanes.0 = round(lanes.0, unsafe word(bytes, at))
      lanes.1 = round(lanes.1, unsafe word(bytes, at + 8))
      lanes.2 = round(lanes.2, unsafe word(bytes, at + 16))
      lanes.3 = round(lanes.3, unsafe word(bytes, at + 24))
    }
    var hash =
      rotate(lanes.0, 1) &+ rotate(lanes.1, 7) &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
    for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
      hash = (hash ^ round(0, lane)) &* prime1 &+ prime4
    }
    return hash
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
    UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* prime2, 31) &* prime1
  }

  private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    value << bits | value >> (64 - bits)
  }
}
