/// A member that an object has twice with different values: `{"more":false,"more":true}`.
///
/// JSON does not define which one counts (RFC 8259, section 4). A decoder takes one silently, and
/// the other one may report more rows. Only objects outside of arrays are checked, and the first
/// object in `[head, rows]`.
struct RepeatedMember {
  /// The path of the first one; `nil` if there is none or the text is not JSON.
  private(set) var path: [String]?

  /// The longest name that is checked, in bytes; names of signals are not longer.
  private static let nameLimit = 256
  /// The deepest level that is checked; signals about other pages are not deeper.
  private static let depthLimit = 32

  private let bytes: [UInt8]
  private var index = 0
  private var place: [String] = []

  private struct NoJSON: Error {}

  /// Checks a text.
  ///
  /// - Complexity: O(bytes), and memory for the names of one object and those around it.
  init(in bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    do { try document() } catch {
      // The decoder rejects a text that is not JSON, and reports why.
      path = nil
    }
  }

  private mutating func document() throws(NoJSON) {
    skipSpace()
    guard next == UInt8(ascii: "[") else { return try value() }
    index += 1
    skipSpace()
    if next == UInt8(ascii: "]") { return }
    place = ["0"]
    try value()
    skipSpace()
    guard next == UInt8(ascii: ",") else { return path = nil }
    index += 1
    skipSpace()
    // The first element describes the rows in the second one, or is a row itself.
    if next != UInt8(ascii: "[") { path = nil }
  }

  private mutating func value() throws(NoJSON) {
    switch next {
    case UInt8(ascii: "{"): try place.count < Self.depthLimit ? object() : pass()
    default: try pass()
    }
  }

  private mutating func object() throws(NoJSON) {
    var values: [String: Range<Int>] = [:]
    repeat {
      // Skip the brace or the comma.
      index += 1
      skipSpace()
      if values.isEmpty, next == UInt8(ascii: "}") { break }
      let name = try name()
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw NoJSON() }
      index += 1
      skipSpace()
      place.append(name)
      let start = index
      try value()
      if name.utf8.count <= Self.nameLimit,
        let other = values.updateValue(start..<index, forKey: name),
        bytes[other] != bytes[start..<index]
      {
        path = path ?? place
      }
      place.removeLast()
      skipSpace()
    } while next == UInt8(ascii: ",")
    guard next == UInt8(ascii: "}") else { throw NoJSON() }
    index += 1
  }

  private mutating func name() throws(NoJSON) -> String {
    guard next == UInt8(ascii: "\"") else { throw NoJSON() }
    let start = index + 1
    try passText()
    return EscapedText.text(of: bytes[start..<(index - 1)])
  }

  /// Skips a value of any kind.
  private mutating func pass() throws(NoJSON) {
    var depth = 0
    repeat {
      switch next {
      case nil: throw NoJSON()
      case UInt8(ascii: "\""): try passText()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        index += 1
      default: index += 1
      }
    } while depth > 0 || depth == 0 && isInWord
    if depth < 0 { throw NoJSON() }
  }

  /// Whether a number or a word continues.
  private var isInWord: Bool {
    guard let next, index > 0 else { return false }
    func isWord(_ byte: UInt8) -> Bool {
      byte > 0x20 && !"{}[],:\"".utf8.contains(byte)
    }
    return isWord(next) && isWord(bytes[index - 1])
  }

  private mutating func passText() throws(NoJSON) {
    index += 1
    while let byte = next {
      index += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return }
    }
    throw NoJSON()
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      index += 1
    }
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }
}
