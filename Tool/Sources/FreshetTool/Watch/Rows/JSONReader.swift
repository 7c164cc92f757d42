import Foundation

/// A reader of JSON as RFC 8259 defines it.
///
/// Foundation's decoder loses digits beyond 38, trailing zeros, and numbers outside the range of
/// `Double`. This reader keeps numbers as text, as they were sent. If members share a name, the
/// last one counts; names are compared by their bytes.
struct JSONReader {
  /// The reason a text is not JSON, and the byte where reading failed.
  struct Malformed: Error, Equatable, CustomStringConvertible {
    let expected: String
    let offset: Int

    var description: String { "expected \(expected) at byte \(offset)" }
  }

  /// The deepest nesting, as in Foundation's decoder.
  static let depthLimit = 512

  private let bytes: [UInt8]
  private var index = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the value of a document in UTF-8.
  static func value(
    of document: some Sequence<UInt8>, depth: Int = depthLimit
  ) throws(Malformed) -> JSONValue {
    var reader = JSONReader([UInt8](document))
    if reader.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
    let value = try reader.value(depth)
    guard reader.next() == nil else { throw reader.malformed("the end") }
    return value
  }

  // MARK: - Values

  private mutating func value(_ depth: Int) throws(Malformed) -> JSONValue {
    switch next() {
    case UInt8(ascii: "{"): return .object(try members(depth - 1))
    case UInt8(ascii: "["): return .array(try elements(depth - 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func elements(_ depth: Int) throws(Malformed) -> [JSONValue] {
    guard depth >= 0 else { throw malformed("less nesting") }
    index += 1
    var elements: [JSONValue] = []
    if next() == UInt8(ascii: "]") {
      index += 1
      return elements
    }
    repeat {
      elements.append(try value(depth))
    } while try goesOn(to: UInt8(ascii: "]"))
    return elements
  }

  private mutating func members(_ depth: Int) throws(Malformed) -> [JSONValue.Member] {
    guard depth >= 0 else { throw malformed("less nesting") }
    index += 1
    var members: [JSONValue.Member] = []
    if next() == UInt8(ascii: "}") {
      index += 1
      return members
    }
    repeat {
      guard next() == UInt8(ascii: "\"") else { throw malformed("a name") }
      let name = try string()
      guard next() == UInt8(ascii: ":") else { throw malformed("a colon") }
      index += 1
      members.append(.init(name: name, value: try value(depth)))
    } while try goesOn(to: UInt8(ascii: "}"))
    return Self.ordered(members)
  }

  /// Returns members in the order of their names, with the last one of each name.
  private static func ordered(_ members: [JSONValue.Member]) -> [JSONValue.Member] {
    // Most objects are small, and many are sorted already.
    if members.count < 2 || zip(members, members.dropFirst()).allSatisfy({ $0.isBefore($1) }) {
      return members
    }
    let sorted = members.enumerated().sorted { first, second in
      if first.element.isBefore(second.element) { return true }
      return !second.element.isBefore(first.element) && first.offset < second.offset
    }.map(\.element)
    return sorted.indices.filter {
      $0 + 1 == sorted.count || sorted[$0].isBefore(sorted[$0 + 1])
    }.map { sorted[$0] }
  }

  /// Consumes a comma or the end, and returns whether it was a comma.
  private mutating func goesOn(to end: UInt8) throws(Malformed) -> Bool {
    let byte = next()
    guard byte == end || byte == UInt8(ascii: ",") else { throw malformed("a comma or the end") }
    index += 1
    return byte != end
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(Malformed) -> JSONValue {
    guard bytes[index...].starts(with: word.utf8) else { throw malformed("a value") }
    index += word.utf8.count
    return value
  }

  private mutating func number() throws(Malformed) -> String {
    let start = index
    if peek == UInt8(ascii: "-") { index += 1 }
    if peek == UInt8(ascii: "0") { index += 1 } else { try digits() }
    if peek == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      index += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func digits() throws(Malformed) {
    let start = index
    while let byte = peek, 48...57 ~= byte { index += 1 }
    guard index > start else { throw malformed(start == 0 ? "JSON" : "a value") }
  }

  // MARK: - Texts

  private mutating func string() throws(Malformed) -> String {
    index += 1
    var text = ""
    var start = index
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw malformed("no control character in a text") }
      if byte == UInt8(ascii: "\\") {
        text += try literalText(from: start)
        index += 1
        text.unicodeScalars.append(try escaped())
        start = index
      } else {
        index += 1
      }
    }
    guard peek != nil else { throw malformed("the end of a text") }
    text += try literalText(from: start)
    index += 1
    return text
  }

  /// Returns the text from a byte up to the current one; it contains no escape.
  private func literalText(from start: Int) throws(Malformed) -> String {
    guard let text = String(validating: bytes[start..<index], as: UTF8.self) else {
      throw malformed("UTF-8")
    }
    return text
  }

  private mutating func escaped() throws(Malformed) -> Unicode.Scalar {
    guard let byte = peek else { throw malformed("an escape") }
    index += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"): return try unicode()
    default: throw malformed("an escape")
    }
  }

  private mutating func unicode() throws(Malformed) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first), bytes[index...].starts(with: [0x5C, 0x75]) else {
      throw malformed("both halves of a surrogate pair")
    }
    index += 2
    let second = try unit()
    guard UTF16.isTrailSurrogate(second) else {
      throw malformed("both halves of a surrogate pair")
    }
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private mutating func unit() throws(Malformed) -> UInt16 {
    let digits = bytes[index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw malformed("four hexadecimal digits") }
    index += 4
    return unit
  }

  // MARK: - Bytes

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Skips white space, and returns the next byte.
  private mutating func next() -> UInt8? {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      index += 1
    }
    return peek
  }

  private func malformed(_ expected: String) -> Malformed {
    Malformed(expected: expected, offset: index)
  }
}
