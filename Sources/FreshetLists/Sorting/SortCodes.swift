/// Integer codes in the order of keys, so that a sort compares integers.
///
/// The smaller of two keys never has the larger code. Keys with the same code still have to be
/// compared. Comparing two texts costs a hundred times as much as comparing two integers.
@usableFromInline
enum SortCodes {
  /// Returns the code of each key, for integers and for texts that differ in ASCII.
  @inlinable
  static func codes<Key>(of keys: [Key], _ direction: ListDirection) -> [UInt64]? {
    // Each cast is between two names of one type.
    if Key.self == String.self {
      return texts(unsafe unsafeBitCast(keys, to: [String].self), direction)
    }
    if Key.self == Int.self {
      return integers(unsafe unsafeBitCast(keys, to: [Int].self), direction)
    }
    return nil
  }

  @usableFromInline
  static func integers(_ keys: [Int], _ direction: ListDirection) -> [UInt64] {
    let flip = UInt64(1) << 63 ^ (direction == .reverse ? UInt64.max : 0)
    return keys.map { UInt64(bitPattern: Int64($0)) ^ flip }
  }

  /// Returns the eight bytes of each text after the prefix that all texts share.
  ///
  /// - Returns: `nil` if one of these bytes, or the byte after them, is not ASCII. A character
  ///   that follows an ASCII character may combine with it. Then the order of bytes differs from
  ///   that of texts.
  @usableFromInline
  static func texts(_ keys: [String], _ direction: ListDirection) -> [UInt64]? {
    guard let start = commonBytes(keys) else { return nil }
    let flip = direction == .reverse ? UInt64.max : 0
    var codes: [UInt64] = []
    codes.reserveCapacity(keys.count)
    for key in keys {
      guard let code = key.withBytes({ code(of: $0, from: start) }) else { return nil }
      codes.append(code ^ flip)
    }
    return codes
  }

  private static func code(of bytes: Span<UInt8>, from start: Int) -> UInt64? {
    var code: UInt64 = 0
    for index in start..<(start + 9) {
      let byte = index < bytes.count ? bytes[index] : 0
      if byte >= 0x80 { return nil }
      if index < start + 8 { code = code << 8 | UInt64(byte) }
    }
    return code
  }

  /// Returns the number of bytes that all texts begin with, or `nil` if these are not ASCII.
  private static func commonBytes(_ keys: [String]) -> Int? {
    guard let first = keys.first else { return nil }
    return first.withBytes { first in
      var count = first.count
      for key in keys {
        count = key.withBytes { bytes in
          var index = 0
          while index < min(count, bytes.count), bytes[index] == first[index] { index += 1 }
          return index
        }
      }
      for index in 0..<count where first[index] >= 0x80 { return nil }
      return count
    }
  }
}

extension String {
  /// Calls `body` with the UTF-8 bytes of the text.
  fileprivate func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    if let result = unsafe utf8.withContiguousStorageIfAvailable({ unsafe body($0.span) }) {
      return result
    }
    return body(Array(utf8).span)
  }
}
