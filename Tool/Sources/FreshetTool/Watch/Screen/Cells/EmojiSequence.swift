/// Scalars that are one picture together: joined emoji, a flag, an emoji in a skin tone.
///
/// Inside one, a joiner and the tags of a flag are harmless. Elsewhere they can deceive a reader
/// (rule N5).
enum EmojiSequence {
  /// The most scalars of a sequence; no font has a picture that is longer.
  private static let limit = 16

  /// Returns whether a character is such a sequence.
  ///
  /// It has to be well formed by Unicode Technical Standard 51.
  static func isOne(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard scalars.count > 1, scalars.count <= limit, let first = scalars.first,
      first.value > 0xFF
    else { return false }
    var rest = scalars[...]
    if first == flag, let second = scalars.dropFirst().first, tags.contains(second.value) {
      return isFlag(of: rest.dropFirst())
    }
    if first.isRegional { return scalars.count == 2 && scalars.allSatisfy(\.isRegional) }
    while takeElement(&rest) {
      if rest.isEmpty { return true }
      guard rest.removeFirst() == joiner else { return false }
    }
    return false
  }

  private static let joiner: Unicode.Scalar = "\u{200D}"
  private static let flag: Unicode.Scalar = "\u{1F3F4}"
  private static let tags: ClosedRange<UInt32> = 0xE0020...0xE007F

  /// Removes the emoji at the front with its form or skin tone, and returns whether there was one.
  private static func takeElement(_ rest: inout String.UnicodeScalarView.SubSequence) -> Bool {
    guard let first = rest.first, first.value > 0xFF, first.properties.isEmoji, !first.isRegional,
      !first.properties.isEmojiModifier
    else { return false }
    rest.removeFirst()
    if let next = rest.first, next == "\u{FE0F}" || next.properties.isEmojiModifier {
      rest.removeFirst()
    }
    return true
  }

  /// Returns whether tags name a region of a country, such as `gbsct`, and are terminated.
  private static func isFlag(of scalars: String.UnicodeScalarView.SubSequence) -> Bool {
    guard scalars.last?.value == 0xE007F else { return false }
    let name = scalars.dropLast()
    return 3...6 ~= name.count
      && name.allSatisfy { 0xE0030...0xE0039 ~= $0.value || 0xE0061...0xE007A ~= $0.value }
  }
}

extension Unicode.Scalar {
  /// Whether it is half of the flag of a country.
  fileprivate var isRegional: Bool { 0x1F1E6...0x1F1FF ~= value }
}
