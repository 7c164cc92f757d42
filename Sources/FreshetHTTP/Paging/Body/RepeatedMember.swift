/// A member that an object has twice, with values that differ: `{"more":false,"more":true}`.
///
/// JSON leaves open which one counts (RFC 8259, section 4), a decoder takes one without a word, and
/// the other one may say that there are more rows. Looked at are objects that no array holds, and
/// the one that comes before the rows in `[head, rows]`.
struct RepeatedMember {
  /// Where the first of them stands; `nil` where there is none, or the text is no JSON.
  private(set) var path: [String]?

  /// How long a name may be, in bytes: signals have no longer ones.
  private static let nameLimit = 256
  /// How deep objects are looked at: signals of other pages are not deeper.
  private static let depthLimit = 32

  private let bytes: [UInt8]
  private var index = 0
  private var place: [String] = []

  private struct NoJSON: Error {}

  /// Looks at a text.
  ///
  /// - Complexity: O(bytes), and memory for the names of one object and those around it.
  init(in bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    do { try document() } catch {
      // What is no JSON the decoder refuses, and says why.
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
    // The first element speaks of the rows in the second one, or is a row itself.
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
      // Behind a brace or a comma.
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

  /// Passes a value over, whatever is in it.
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

  /// Whether a number or a word goes on.
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
