import Testing

@testable import FreshetTool

@Suite
struct KeyReaderTests {
  @Test(arguments: [
    ("j", [Key.character("j")]), ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]),
    ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}[H\u{1B}[4~", [.home, .end]),
    ("\r", [.enter]), ("\u{7F}", [.backspace]), ("\u{3}", [.control("c")]),
    ("é日", [.character("é"), .character("日")]),
    ("\u{1B}[1;5C", [.right]), ("\u{1B}[200~", []),
    ("/a\r", [.character("/"), .character("a"), .enter]),
  ])
  func `bytes are keys, whole or in pieces`(text: String, keys: [Key]) {
    var reader = KeyReader()
    #expect(reader.keys(in: text.utf8) == keys)
    var slow = KeyReader()
    #expect(text.utf8.flatMap { slow.keys(in: [$0]) } == keys)
  }

  @Test
  func `an escape is a key once nothing follows, and the beginning of a sequence is none`() {
    var reader = KeyReader()
    #expect(reader.keys(in: [0x1B]).isEmpty && reader.isWaiting)
    #expect(reader.keys(in: Array("[A".utf8)) == [.up] && !reader.isWaiting)
    #expect(reader.keys(in: [0x1B]).isEmpty)
    #expect(reader.endWaiting() == [.escape] && !reader.isWaiting)
    #expect(reader.keys(in: Array("\u{1B}q".utf8)) == [.escape, .character("q")])
    // Alt-[ looks like the beginning of a sequence: the key behind it is not the end of that.
    #expect(reader.keys(in: Array("\u{1B}[".utf8)).isEmpty)
    #expect(reader.endWaiting().isEmpty)
    #expect(reader.keys(in: Array("q".utf8)) == [.character("q")])
  }

  @Test
  func `a sequence in two pieces is one key, and rubbish is none`() {
    var reader = KeyReader()
    #expect(reader.keys(in: Array("\u{1B}[1".utf8)).isEmpty)
    #expect(reader.keys(in: Array("~x".utf8)) == [.home, .character("x")])
    #expect(reader.keys(in: [0x1B, 0x5B] + [UInt8](repeating: 0x31, count: 40)).isEmpty)
    #expect(reader.keys(in: [0xFF, 0x71]) == [.character("q")])
  }
}
