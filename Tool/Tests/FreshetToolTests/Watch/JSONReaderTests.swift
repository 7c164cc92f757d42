import Foundation
import FreshetTesting
import Testing

@testable import FreshetTool

@Suite
struct JSONReaderTests {
  @Test(arguments: [
    "1", "1.10", "1.1", "-0", "0", "1e400", "-1E-400", "12345678901234567890123456789",
    "0.1000000000000000000000000000000000000000000000001", "9223372036854775808", "true", "null",
    "\"nan\"", "\"\"", "[]", "{}", "[1,\"1\",[true]]", "{\"a\":{\"b\":[1.0]}}", "\"é ✓ 👩\"",
  ])
  func `what is written is what is printed`(text: String) throws {
    #expect(JSONText.text(try JSONReader.value(of: text.utf8)) == text)
    #expect(JSONText.text(try JSONReader.value(of: " \n\t\(text)\r ".utf8)) == text)
  }

  @Test
  func `members are in the order of their names, and the last of one name counts`() throws {
    let value = try JSONReader.value(of: #"{"b": 1, "a": 2, "b": 3, "": null}"#.utf8)
    #expect(JSONText.text(value) == #"{"":null,"a":2,"b":3}"#)
  }

  @Test
  func `names that Unicode takes for one are two where their bytes are`() throws {
    let (composed, apart) = ("\u{E9}", "e\u{301}")
    let value = try JSONReader.value(of: #"{"\#(composed)": 1, "z": 2, "\#(apart)": 3}"#.utf8)
    let text = "{\"z\":2,\"\(apart)\":3,\"\(composed)\":1}"
    #expect(Array(JSONText.text(value).utf8) == Array(text.utf8))
    #expect(value[[composed]]?.text == "1" && value[[apart]]?.text == "3")
    let one = try JSONReader.value(of: #"{"\#(apart)": 3}"#.utf8)
    #expect(one[[composed]]?.text == "3" && one[["f"]] == nil)
  }

  @Test
  func `escapes are read`() throws {
    let value = try JSONReader.value(of: #""\u0041\n\/\"\\\ud83d\ude00A""#.utf8)
    #expect(value.text == "A\n/\"\\😀A")
    #expect(try JSONReader.value(of: [0xEF, 0xBB, 0xBF, 0x31]) == .number("1"))
  }

  @Test
  func `what is not valid Unicode is an error, as two ids could become one`() {
    for text in [#""\ud83d""#, #""\ude00""#, #""\ud83d\u0041""#, #""\ud83dx\ude00""#] {
      #expect(throws: JSONReader.Malformed.self) { try JSONReader.value(of: text.utf8) }
    }
    #expect(throws: JSONReader.Malformed.self) { try JSONReader.value(of: [0x22, 0xFF, 0x22]) }
  }

  @Test(arguments: [
    "", " ", "<html>", "[", "[1", "[1,", "[1,]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}",
    "{a:1}",
    "01", "1.", ".5", "-", "+1", "1e", "1e+", "0x1", "NaN", "Infinity", "nul", "tru", "\"", "\"\\",
    "\"\\u12\"", "\"\\x\"", "\"\n\"", "1 2", "[1]]", "'a'", "\"\\ud83d\\u\"", "\u{0}",
  ])
  func `what is no JSON is an error`(text: String) {
    #expect(throws: JSONReader.Malformed.self) { try JSONReader.value(of: text.utf8) }
  }

  @Test
  func `nesting is read as deep as Foundation reads it, and no deeper`() throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      func nested(_ depth: Int) -> String {
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      }
      let deepest = nested(JSONReader.depthLimit)
      #expect(JSONText.text(try JSONReader.value(of: deepest.utf8)) == deepest)
      for depth in [JSONReader.depthLimit + 1, 100_000] {
        #expect(throws: JSONReader.Malformed.self) {
          try JSONReader.value(of: nested(depth).utf8)
        }
      }
    }
  }

  @Test(arguments: 0..<20)
  func `random values survive, and damaged ones are read as JSON or refused`(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let value = Self.value(3, &random)
      let text = JSONText.text(value)
      #expect(try JSONReader.value(of: text.utf8) == value, "seed \(seed)")
      #expect(text.utf8.allSatisfy { $0 >= 0x20 })
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let place = bytes.indices.randomElement(using: &random) ?? 0
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = .random(in: 0...255, using: &random)
        default:
          bytes.insert(
            Array("[]{},:\"\\0123eE+-.tfn ".utf8).randomElement(using: &random) ?? 0, at: place)
        }
      }
      guard let damaged = try? JSONReader.value(of: bytes) else { continue }
      let again = JSONText.text(damaged)
      #expect(try JSONReader.value(of: again.utf8) == damaged, "seed \(seed)")
      #expect(
        throws: Never.self, "seed \(seed): \(again)",
        performing: {
          _ = try JSONSerialization.jsonObject(with: Data(again.utf8), options: .fragmentsAllowed)
        })
    }
  }

  static func value(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &random) {
    case 0: return [.null, .bool(true), .bool(false)].randomElement(using: &random) ?? .null
    case 1: return .number(["0", "-1", "1.50", "20e-3", "7"].randomElement(using: &random) ?? "0")
    case 2, 3: return .string(text(&random))
    case 4:
      return .array(
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth - 1, &random) })
    default:
      let names = Set((0..<Int.random(in: 0..<4, using: &random)).map { _ in text(&random) })
      return .object(names.sorted().map { .init(name: $0, value: value(depth - 1, &random)) })
    }
  }

  static func text(_ random: inout SeededGenerator) -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "b", "\"", "\\", "/", "\n", "\u{0}", "\u{1B}", "\u{7F}", "\u{9B}", "é", "\u{202E}", "😀",
      "\u{E0041}", "\u{FFFD}",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0..<6, using: &random) {
      text.unicodeScalars.append(scalars.randomElement(using: &random) ?? "a")
    }
    return text
  }
}
