import Testing

@testable import FreshetTool

@Suite
struct VisibleTextTests {
  /// C0 and C1 controls, marks of direction, characters without width, separators, tags.
  static let invisible: [ClosedRange<UInt32>] = [
    0...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x180E...0x180E, 0x200B...0x200F,
    0x2028...0x202E, 0x2060...0x206F, 0x3164...0x3164, 0xFE00...0xFE0F, 0xFEFF...0xFEFF,
    0xFFF9...0xFFFB, 0xE0000...0xE007F,
  ]

  @Test
  func `N5: no character that does not show itself is printed, in tables or in JSON`() throws {
    for value in Self.invisible.joined() {
      let scalar = try #require(Unicode.Scalar(value))
      let text = "a\(scalar)b"
      let digits = String(value, radix: 16, uppercase: true)
      #expect(text.visible == "a\\u{\(digits)}b")
      let json = JSONText.quoted(text)
      #expect(!json.unicodeScalars.contains(scalar), "\(digits)")
      #expect(try JSONReader.value(of: json.utf8) == .string(text))
    }
  }

  @Test(arguments: [
    "plain", "é à ß", "日本語", "עברית", "❤️ 👩🚀", "a\\b", "´`'\"",
  ])
  func `what shows itself stays`(text: String) {
    #expect(text.visible == text)
  }

  @Test
  func `what asks for an emoji is visible anywhere else`() {
    #expect("1\u{FE0F}".visible == "1\\u{FE0F}")
    #expect("\u{FE0F}".visible == "\\u{FE0F}")
    #expect("\u{1B}]0;x\u{7}".visible == "\\u{1B}]0;x\\u{7}")
  }
}
