// The search for secrets in a text.
extension Secrets {
  /// Returns the text with a mark in place of every secret.
  ///
  /// Each byte is read a bounded number of times, as a server may send a text that is slow to
  /// search (rule N4).
  static func masked(_ text: String, depth: Int) -> String {
    let bytes = Array(text.utf8)
    let ranges = secrets(in: bytes, depth)
    guard !ranges.isEmpty else { return text }
    var result: [UInt8] = []
    var end = 0
    for range in ranges where range.upperBound > end {
      if range.lowerBound >= end {
        result += bytes[end..<range.lowerBound]
        result += mark.utf8
      }
      end = range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  private static func secrets(in bytes: [UInt8], _ depth: Int) -> [Range<Int>] {
    guard bytes.contains(where: { $0 == 0x3D || $0 == 0x40 || $0 == 0x20 }) else { return [] }
    return (userInformation(in: bytes) + values(in: bytes, depth) + authorizations(in: bytes))
      .sorted { $0.lowerBound < $1.lowerBound }
  }

  private static let quotes = Array("\"'`".utf8)
  private static let textEnds = isAny(of: " \t\r\n\"'`<>")
  private static let authorityEnds = isAny(of: " \t\r\n\"'`<>/?#")
  /// The bytes that end a value without quotes.
  private static let valueEnds = isAny(of: " \t\r\n\"'`<>&#")
  /// The bytes that end the text before a name.
  ///
  /// Square brackets are part of a name, but its last word is before or inside them.
  private static let nameEnds = isAny(of: " \t\r\n\"'`<>?&;#,(){}/")

  /// Returns a table that has `true` for each byte of the text.
  private static func isAny(of text: String) -> [Bool] {
    var table = Array(repeating: false, count: 256)
    for byte in text.utf8 { table[Int(byte)] = true }
    return table
  }

  /// Returns the ranges between `//` and the last `@` of each authority.
  private static func userInformation(in bytes: [UInt8]) -> [Range<Int>] {
    guard bytes.contains(0x40) else { return [] }
    var ranges: [Range<Int>] = []
    var index = 0
    while index < bytes.count {
      // A reference without a scheme begins with the slashes, also as the value of a parameter.
      let isBegin = index == 0 || bytes[index - 1] == 0x3A || bytes[index - 1] == 0x3D
      guard isBegin, let start = behindSlashes(at: index, of: bytes) else {
        index += 1
        continue
      }
      var at: Int?
      index = start
      while index < bytes.count, !authorityEnds[Int(bytes[index])] {
        if bytes[index] == 0x40 { at = index }
        index += 1
      }
      if let at, at > start { ranges.append(start..<at) }
    }
    return ranges
  }

  /// Returns the index after `//`, or after `\/\/` as in JSON, if it begins at this index.
  private static func behindSlashes(at index: Int, of bytes: [UInt8]) -> Int? {
    guard index + 1 < bytes.count, bytes[index + 1] == 0x2F else { return nil }
    if bytes[index] == 0x2F { return index + 2 }
    guard index + 3 < bytes.count, bytes[index] == 0x5C, bytes[index + 2] == 0x5C else {
      return nil
    }
    return bytes[index + 3] == 0x2F ? index + 4 : nil
  }

  /// Returns the values after a secret name and `=`, and values with percent-encoded secrets.
  private static func values(in bytes: [UInt8], _ depth: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var ends = ValueEnds(bytes)
    // The bytes up to here were decoded and searched: a value that ends there holds nothing new.
    var decodedEnd = 0
    var (nameStart, index) = (0, 0)
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if nameEnds[Int(byte)] {
        nameStart = index
        continue
      }
      guard byte == 0x3D else { continue }
      let name = bytes[nameStart..<(index - 1)]
      let quote = index < bytes.count && quotes.contains(bytes[index]) ? bytes[index] : nil
      let start = quote == nil ? index : index + 1
      let end = ends.end(from: start, quote)
      if isSecret(name), !isErrorCode(name, before: start..<end, of: bytes) {
        if start < end { ranges.append(start..<end) }
        index = end
      } else if depth > 1, decodedEnd < end {
        let new = bytes[max(start, decodedEnd)..<end]
        decodedEnd = end
        if new.contains(0x25), !secrets(in: decoded(new), depth - 1).isEmpty {
          ranges.append(start..<end)
          index = end
        }
      }
      nameStart = index
    }
    return ranges
  }

  /// Returns whether a name, as it is encoded in a text, is the name of a secret.
  private static func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
    name.isEmpty ? false : isSecret(String(decoding: decoded(name.suffix(128)), as: UTF8.self))
  }

  /// Returns whether this is an error code, as in `Code=4` of a Foundation error.
  ///
  /// The number is not a secret, and readers of a log look for it.
  private static func isErrorCode(
    _ name: ArraySlice<UInt8>, before value: Range<Int>, of bytes: [UInt8]
  ) -> Bool {
    guard name.elementsEqual("Code".utf8), name.startIndex > 0, bytes[name.startIndex - 1] == 0x20
    else { return false }
    let digits = bytes[value].first == 0x2D ? bytes[value].dropFirst() : bytes[value]
    return 1...6 ~= digits.count && digits.allSatisfy { 0x30...0x39 ~= $0 }
  }

  /// A search for the ends of values, in one pass, as they are requested from left to right.
  private struct ValueEnds {
    let bytes: [UInt8]
    /// The next end at or after the last start: without quotes, and for each kind of quote.
    var known: [UInt8?: Int] = [:]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func end(from start: Int, _ quote: UInt8?) -> Int {
      if let end = known[quote], end >= start { return end }
      var end = start
      if let quote {
        while end < bytes.count, bytes[end] != quote { end += 1 }
      } else {
        while end < bytes.count, !Secrets.valueEnds[Int(bytes[end])] { end += 1 }
      }
      known[quote] = end
      return end
    }
  }

  /// Returns the credentials after `Bearer` and `Basic`.
  private static func authorizations(in bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for index in bytes.indices where bytes[index] == 0x20 {
      let word = bytes[..<index].suffix(6).map { $0 | 0x20 }
      guard word.suffix(6) == Array("bearer".utf8) || word.suffix(5) == Array("basic".utf8) else {
        continue
      }
      let value = bytes[(index + 1)...].prefix {
        !textEnds[Int($0)] && $0 != 0x2C
      }
      // A word such as "token" or "authentication" is not a credential.
      let isWord = value.allSatisfy { 0x61...0x7A ~= $0 || $0 == 0x2E }
      if value.count > 3, !isWord { ranges.append(value.startIndex..<value.endIndex) }
    }
    return ranges
  }

  /// Returns bytes without their percent encoding; invalid encodings stay as they are.
  private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard bytes.contains(0x25) else { return Array(bytes) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == 0x25, index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x57
    default: nil
    }
  }
}
