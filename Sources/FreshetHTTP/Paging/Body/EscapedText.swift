/// A text as JSON writes it (RFC 8259, section 7).
enum EscapedText {
  /// Returns the meaning of the bytes between the quotes of a text.
  static func text(of bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard bytes.contains(UInt8(ascii: "\\")) else { return text }
    var (units, result) = (text.utf16[...], [UInt16]())
    while let unit = units.popFirst() {
      guard unit == 0x5C, let kind = units.popFirst() else {
        result.append(unit)
        continue
      }
      switch UInt8(truncatingIfNeeded: kind) {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        result.append(UInt16(String(units.prefix(4)) ?? "", radix: 16) ?? 0xFFFD)
        units = units.dropFirst(4)
      default: result.append(kind)
      }
    }
    return String(decoding: result, as: UTF16.self)
  }
}
