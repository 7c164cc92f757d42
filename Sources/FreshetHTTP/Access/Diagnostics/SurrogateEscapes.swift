/// Escapes of surrogates in JSON (RFC 8259, section 8.2).
///
/// `\ud83d\ude00` is one character, and neither of the two escapes is a character alone.
enum SurrogateEscapes {
  /// Returns whether escaped texts contain a lone surrogate.
  ///
  /// - Complexity: O(bytes).
  static func haveLoneSurrogate(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while let start = rest.firstIndex(of: UInt8(ascii: "\\")) {
      rest = bytes[start...]
      switch half(rest) {
      case nil: rest = rest.dropFirst(2)
      case .low: return true
      case .high:
        guard half(rest.dropFirst(6)) == .low else { return true }
        rest = rest.dropFirst(12)
      }
    }
    return false
  }

  private enum Half {
    case high, low
  }

  /// Returns which half of a pair the bytes begin with; `nil` if they begin with neither.
  private static func half(_ bytes: ArraySlice<UInt8>) -> Half? {
    let start = bytes.startIndex
    guard bytes.count >= 6, bytes[start] == UInt8(ascii: "\\"),
      bytes[start + 1] == UInt8(ascii: "u"), bytes[start + 2] | 0x20 == UInt8(ascii: "d")
    else { return nil }
    return switch bytes[start + 3] | 0x20 {
    // A digit already has the bit 0x20.
    case UInt8(ascii: "8"), UInt8(ascii: "9"), UInt8(ascii: "a"), UInt8(ascii: "b"): .high
    case UInt8(ascii: "c")...UInt8(ascii: "f"): .low
    default: nil
    }
  }
}
