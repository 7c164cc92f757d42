internal import Foundation
internal import Freshet

/// A scanner that finds the place of an error in a JSON text (RFC 8259).
///
/// It is used after decoding failed, because the decoder does not report the place.
///
/// - Complexity: time in proportion to the text, memory in proportion to its depth, which is
///   bounded.
struct JSONLocator {
  /// A number that does not fit every type, and its path.
  struct OddNumber: Equatable {
    var path: [String]
    var text: String
  }

  /// The error in the text; `nil` if it is JSON.
  private(set) var problem: String?
  /// The path of a text or member that is not valid Unicode; empty for all other problems.
  private(set) var problemPath: [String] = []
  /// The numbers at or below `place` that may be the cause of the error.
  ///
  /// If a number is sought, they are those written like it. Otherwise they are those with a
  /// fraction, an exponent or more than 32 bits. Numbers that no type can hold are first.
  private(set) var numbers: [OddNumber] = []

  private static let depthLimit = 512
  private static let numberLimit = 64

  private let bytes: [UInt8]
  private let place: [String]
  private let sought: String?
  private var index = 0
  private var stack: [Level] = []
  /// The number of outermost levels that match the path to `place`.
  private var onTheWay = 0

  private enum Level {
    /// The bytes of the name, between its quotes.
    case object(name: Range<Int>)
    case array(index: Int)
  }

  private struct Failure: Error {
    var text: String
    var path: [String] = []
  }

  /// Scans a text, and looks for numbers at or below `place`.
  init(_ data: Data, under place: [String] = [], seeking sought: String? = nil) {
    self.place = place
    self.sought = sought
    var bytes = [UInt8](data)
    // For a body in another encoding, the decoder has already decided whether it is JSON.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    self.bytes = bytes
    do {
      try document()
    } catch {
      (problem, problemPath) = (error.text, error.path)
    }
    let wild = numbers.filter { Double($0.text).map { !$0.isFinite } ?? true }
    numbers = wild + numbers.filter { !wild.contains($0) }
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func document() throws(Failure) {
    repeat {
      skipSpace()
      try value()
      // After a value, the array or object around it continues or ends.
      while !stack.isEmpty {
        skipSpace()
        guard try goesOn() else { continue }
        break
      }
    } while !stack.isEmpty
    skipSpace()
    if next != nil { throw failure() }
  }

  /// Scans a value up to its first inner value; arrays and objects that are not empty stay open.
  private mutating func value() throws(Failure) {
    while let byte = next {
      switch byte {
      case UInt8(ascii: "{"):
        try open(.object(name: 0..<0))
        if next == UInt8(ascii: "}") { break }
        try name()
        continue
      case UInt8(ascii: "["):
        try open(.array(index: 0))
        if next == UInt8(ascii: "]") { break }
        continue
      case UInt8(ascii: "\""): try check(try string(), at: stack[...])
      case UInt8(ascii: "t"): try word("true")
      case UInt8(ascii: "f"): try word("false")
      case UInt8(ascii: "n"): try word("null")
      case UInt8(ascii: "-"), 0x30...0x39: try number()
      default: throw failure()
      }
      return
    }
    throw cutOff
  }

  private mutating func open(_ level: Level) throws(Failure) {
    guard stack.count < Self.depthLimit else {
      throw Failure(text: "JSON that is nested more than \(Self.depthLimit) deep")
    }
    stack.append(level)
    noteLevel()
    index += 1
    skipSpace()
  }

  /// Returns whether the open array or object has another value, and closes it if it has none.
  private mutating func goesOn() throws(Failure) -> Bool {
    guard let byte = next, let level = stack.last else { throw cutOff }
    switch (level, byte) {
    case (.object, UInt8(ascii: "}")), (.array, UInt8(ascii: "]")):
      stack.removeLast()
      onTheWay = min(onTheWay, stack.count)
      index += 1
      return false
    case (.object, UInt8(ascii: ",")):
      index += 1
      skipSpace()
      try name()
    case (.array(let count), UInt8(ascii: ",")):
      stack[stack.count - 1] = .array(index: count + 1)
      noteLevel()
      index += 1
    default: throw failure()
    }
    return true
  }

  private mutating func name() throws(Failure) {
    guard next != nil else { throw cutOff }
    guard next == UInt8(ascii: "\"") else { throw failure() }
    let name = try string()
    try check(name, at: stack.dropLast())
    stack[stack.count - 1] = .object(name: name)
    noteLevel()
    skipSpace()
    guard next != nil else { throw cutOff }
    guard next == UInt8(ascii: ":") else { throw failure() }
    index += 1
    skipSpace()
  }

  /// Updates `onTheWay` after the innermost level changed.
  ///
  /// Only that level is compared, so the cost does not grow with the depth.
  private mutating func noteLevel() {
    let depth = stack.count - 1
    onTheWay = min(onTheWay, depth)
    if onTheWay == depth, depth < place.count, text(of: stack[depth]) == place[depth] {
      onTheWay += 1
    }
  }

  private func text(of level: Level) -> String {
    switch level {
    case .object(let name): unescaped(bytes[name])
    case .array(let index): "\(index)"
    }
  }

  /// Returns a name without escapes; a long name is replaced because no place has it.
  private func unescaped(_ name: ArraySlice<UInt8>) -> String {
    name.count <= 256 ? EscapedText.text(of: name) : "…"
  }

  /// Skips a text, and returns its range without the quotes.
  private mutating func string() throws(Failure) -> Range<Int> {
    let start = index + 1
    index += 1
    while let byte = next {
      if byte < 0x20 { throw failure("a control character in a text") }
      index += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return start..<(index - 1) }
    }
    throw cutOff
  }

  /// Throws if a text contains anything that is not valid Unicode.
  private func check(_ text: Range<Int>, at place: ArraySlice<Level>) throws(Failure) {
    let bytes = bytes[text]
    let what: String
    if bytes.contains(where: { $0 >= 0x80 }), String(validUTF8: bytes) == nil {
      what = "bytes that are not valid UTF-8"
    } else if SurrogateEscapes.haveLoneSurrogate(bytes) {
      what = "a lone surrogate"
    } else {
      return
    }
    throw Failure(text: what, path: place.map { self.text(of: $0) })
  }

  private mutating func word(_ word: String) throws(Failure) {
    for byte in word.utf8 {
      guard let next else { throw cutOff }
      guard next == byte else { throw failure() }
      index += 1
    }
  }

  private mutating func number() throws(Failure) {
    let start = index
    while let byte = next, 0x30...0x39 ~= byte || "+-.eE".utf8.contains(byte) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard Double(text) != nil || text.utf8.count > 1 else { throw failure() }
    guard onTheWay == place.count, numbers.count < Self.numberLimit,
      sought.map({ $0 == text }) ?? (Int32(text) == nil)
    else { return }
    numbers.append(
      OddNumber(path: stack.map { self.text(of: $0) }, text: LogText(text, limit: 40).description))
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      index += 1
    }
  }

  private var cutOff: Failure {
    Failure(text: "JSON that is cut off after \(bytes.count) bytes")
  }

  private func failure(_ what: String? = nil) -> Failure {
    let before = bytes[..<min(index, bytes.count)]
    let line = before.count { $0 == 0x0A } + 1
    let column = index - (before.lastIndex(of: 0x0A) ?? -1)
    let what = what ?? next.map { "\(LogText(String(UnicodeScalar($0))))" } ?? "the end"
    return Failure(text: "something else in line \(line), column \(column): \(what)")
  }
}
