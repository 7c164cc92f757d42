import FreshetLists
import Foundation
import Testing

struct BinaryTextTests {
  static let composed = "Orl\u{e9}ans"
  static let decomposed = "Orle\u{301}ans"

  @Test
  func `texts are equal where their bytes are`() throws {
    #expect(Self.composed == Self.decomposed)
    let (composed, decomposed) = (BinaryText(Self.composed), BinaryText(Self.decomposed))
    #expect(composed != decomposed && Set([composed, decomposed, composed]).count == 2)
    #expect(composed.hashValue != decomposed.hashValue)
    #expect(composed == BinaryText(String(Self.composed)))
    #expect(BinaryText("a\r\n") != "a\n" && BinaryText("") == "")
    // However the text came to be.
    let bridged = BinaryText(NSString(string: Self.decomposed) as String)
    #expect(bridged == decomposed && bridged.hashValue == decomposed.hashValue)
  }

  @Test
  func `they are ordered by their bytes`() {
    let texts: [BinaryText] = ["é", "e\u{301}", "f", "", "e", "Z", "\u{1F30B}", "\u{FFFD}"]
    let bytes = texts.map { Array($0.text.utf8) }
    #expect(
      texts.sorted().map { Array($0.text.utf8) }
        == bytes.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test
  func `they are encoded as texts`() throws {
    let data = try JSONEncoder().encode([BinaryText(Self.decomposed)])
    #expect(data == Data("[\"\(Self.decomposed)\"]".utf8))
    #expect(
      try JSONDecoder().decode([BinaryText].self, from: data) == [BinaryText(Self.decomposed)])
    #expect("\(BinaryText("a"))" == "a")
  }
}
