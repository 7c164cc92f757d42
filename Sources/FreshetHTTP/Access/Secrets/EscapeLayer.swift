/// A text as it is written, or with its escapes undone.
///
/// Each byte records its position in the original text.
struct EscapeLayer {
  private(set) var bytes: [UInt8]
  /// The original position of each byte and of the end; `nil` if no escapes were undone.
  private var origins: [UInt32]?

  /// Creates the layer of a text as it is written.
  init(_ text: String) { bytes = Array(text.utf8) }

  private init(bytes: [UInt8], origins: [UInt32]) {
    self.bytes = bytes
    self.origins = origins
  }

  /// Returns the range in the original text for a range in this layer.
  func origin(of place: Range<Int>) -> Range<Int> {
    guard let origins else { return place }
    return Int(origins[place.lowerBound])..<Int(origins[place.upperBound])
  }

  /// Returns the text with one layer of escapes undone; `nil` if it has none.
  ///
  /// The escapes are those of URLs (`%2F`), of JSON (`\/`, `\u002F`) and of logs (`\u{2F}`).
  func unescaped() -> EscapeLayer? {
    guard bytes.contains(0x25) || bytes.contains(0x5C), bytes.count < Int(UInt32.max) else {
      return nil
    }
    var result = EscapeLayer(bytes: [], origins: [])
    result.bytes.reserveCapacity(bytes.count)
    var (origins, index, isChanged) = ([UInt32](), 0, false)
    origins.reserveCapacity(bytes.count + 1)
    while index < bytes.count {
      let origin = place(of: index)
      if let (meant, length) = escape(at: index) {
        result.bytes += meant
        origins += Array(repeating: origin, count: meant.count)
        index += length
        isChanged = true
      } else {
        result.bytes.append(bytes[index])
        origins.append(origin)
        index += 1
      }
    }
    guard isChanged else { return nil }
    origins.append(place(of: bytes.count))
    result.origins = origins
    return result
  }

  private func place(of index: Int) -> UInt32 { origins?[index] ?? UInt32(index) }

  /// Returns the meaning and the length of the escape at an index; `nil` if there is none.
  private func escape(at index: Int) -> (meant: [UInt8], length: Int)? {
    switch bytes[index] {
    case 0x25:
      return number(index + 1, digits: 2).map { ([UInt8(truncatingIfNeeded: $0)], 3) }
    case 0x5C where index + 1 < bytes.count:
      let next = bytes[index + 1]
      if next == UInt8(ascii: "u") { return unicode(at: index) }
      return "\"'\\/".utf8.contains(next) ? ([next], 2) : nil
    default: return nil
    }
  }

  /// Returns the meaning of a Unicode escape.
  ///
  /// It is `\u00e9`, two of these for a character beyond 16 bits, or `\u{E9}`.
  private func unicode(at index: Int) -> (meant: [UInt8], length: Int)? {
    if index + 2 < bytes.count, bytes[index + 2] == UInt8(ascii: "{") {
      guard let end = bytes[index...].prefix(12).firstIndex(of: UInt8(ascii: "}")),
        let value = number(index + 3, digits: end - index - 3), let scalar = Unicode.Scalar(value)
      else { return nil }
      return (Array(String(scalar).utf8), end + 1 - index)
    }
    guard let first = number(index + 2, digits: 4) else { return nil }
    if let scalar = Unicode.Scalar(first) { return (Array(String(scalar).utf8), 6) }
    guard first < 0xDC00, index + 7 < bytes.count, bytes[index + 6] == 0x5C,
      bytes[index + 7] == UInt8(ascii: "u"), let second = number(index + 8, digits: 4),
      0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { return nil }
    return (Array(String(scalar).utf8), 12)
  }

  private func number(_ start: Int, digits: Int) -> UInt32? {
    guard 1...6 ~= digits, start + digits <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[start..<(start + digits)] {
      guard let digit = Self.digit(byte) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte) - 0x30
    case 0x41...0x46, 0x61...0x66: UInt32(byte | 0x20) - 0x57
    default: nil
    }
  }
}
