/// A key of a terminal.
enum Key: Equatable, Sendable {
  case character(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, backspace
  case control(Character)
}

/// Reads keys from the bytes that a terminal sends.
struct KeyReader {
  private var rest: [UInt8] = []

  /// Whether some bytes are only the beginning of a key.
  var isWaiting: Bool { !rest.isEmpty }

  /// The key that an escape is which nothing followed for a moment; the beginning of anything else
  /// is none.
  mutating func endWaiting() -> [Key] {
    defer { rest = [] }
    return rest == [0x1B] ? [.escape] : []
  }

  /// The keys of some bytes, and of those before that were only the beginning of one.
  ///
  /// An escape at the end may be the beginning of more, as networks cut what terminals send:
  /// ``endWaiting()`` says that nothing came.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    rest += bytes
    var keys: [Key] = []
    while let (key, length) = next() {
      if let key { keys.append(key) }
      rest.removeFirst(length)
    }
    return keys
  }

  /// The key at the front, if it is one that means something, and its length; `nil` where more is
  /// to come.
  private func next() -> (Key?, Int)? {
    guard let first = rest.first else { return nil }
    switch first {
    case 0x1B: return sequence()
    case 0x0D, 0x0A: return (.enter, 1)
    case 0x7F, 0x08: return (.backspace, 1)
    case 0x00..<0x20: return (.control(Character(Unicode.Scalar(first | 0x60))), 1)
    case 0x20..<0x7F: return (.character(Character(Unicode.Scalar(first))), 1)
    default: return unicode(first)
    }
  }

  private func unicode(_ first: UInt8) -> (Key?, Int)? {
    let length = first >= 0xF8 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    guard rest.count >= length else { return nil }
    let text = String(decoding: rest[..<length], as: UTF8.self)
    return (text.first.flatMap { $0 == "\u{FFFD}" ? nil : .character($0) }, length)
  }

  /// What begins with an escape: `ESC [ parameters final`, `ESC O final`, or the key itself.
  private func sequence() -> (Key?, Int)? {
    guard rest.count > 1 else { return nil }
    guard rest[1] == UInt8(ascii: "[") || rest[1] == UInt8(ascii: "O") else { return (.escape, 1) }
    guard let end = rest.dropFirst(2).firstIndex(where: { 0x40...0x7E ~= $0 }) else {
      // No terminal sends one as long.
      return rest.count > 32 ? (nil, rest.count) : nil
    }
    let number = String(decoding: rest[2..<end].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
    return (Self.key(Character(Unicode.Scalar(rest[end])), number), end + 1)
  }

  private static func key(_ final: Character, _ number: String) -> Key? {
    switch (final, number) {
    case ("A", _): .up
    case ("B", _): .down
    case ("C", _): .right
    case ("D", _): .left
    case ("H", _), ("~", "1"), ("~", "7"): .home
    case ("F", _), ("~", "4"), ("~", "8"): .end
    case ("~", "5"): .pageUp
    case ("~", "6"): .pageDown
    case ("M", ""): .enter
    default: nil
    }
  }
}
