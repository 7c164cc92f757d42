/// A key of a terminal.
enum Key: Equatable, Sendable {
  case character(Character)
  case up, down, left, right, pageUp, pageDown, home, end
  case enter, escape, backspace
  case control(Character)
}

/// A reader of keys from the bytes that a terminal sends.
struct KeyReader {
  private var rest: [UInt8] = []

  /// Whether the last bytes are only the beginning of a key.
  var isWaiting: Bool { !rest.isEmpty }

  /// Ends the wait for more bytes, and returns the escape key if its byte was alone.
  ///
  /// The beginning of any other key is discarded.
  mutating func endWaiting() -> [Key] {
    defer { rest = [] }
    return rest == [0x1B] ? [.escape] : []
  }

  /// Returns the keys of some bytes, and of earlier bytes that were only the beginning of one.
  ///
  /// An escape at the end may be the beginning of a longer key, as networks split the bytes that
  /// terminals send. If no more bytes follow, call ``endWaiting()``.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
    rest += bytes
    var keys: [Key] = []
    while let (key, length) = next() {
      if let key { keys.append(key) }
      rest.removeFirst(length)
    }
    return keys
  }

  /// Returns the key at the front and its length.
  ///
  /// The key is `nil` if it has no meaning here. The result is `nil` if more bytes are needed.
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

  /// Parses an escape sequence: `ESC [ parameters final`, `ESC O final`, or the escape key itself.
  private func sequence() -> (Key?, Int)? {
    guard rest.count > 1 else { return nil }
    guard rest[1] == UInt8(ascii: "[") || rest[1] == UInt8(ascii: "O") else { return (.escape, 1) }
    guard let end = rest.dropFirst(2).firstIndex(where: { 0x40...0x7E ~= $0 }) else {
      // No terminal sends a longer sequence.
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
