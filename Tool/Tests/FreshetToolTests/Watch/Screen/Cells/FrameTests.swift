import FreshetTesting
import Testing

@testable import FreshetTool

/// Cells, and what turns one frame into another.
@Suite
struct FrameTests {
  @Test(arguments: [
    ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("🇮🇩", 2), ("👍🏽", 2), ("❤️", 2), ("ｱ", 1),
    ("Ａ", 2),
    ("한", 2), ("\u{301}", 1), ("🙂", 2), ("…", 1), ("", 0),
    // As glibc, go-runewidth and wcwidth count: a sign beside a letter takes a cell, one above it
    // none.
    ("ก็", 1), ("น้ำ", 2), ("ກຳ", 2), ("कि", 2), ("कं", 1), ("क्ष", 2), ("त्पि", 3), ("मानवाधिकार", 10), ("বা", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 2),
    ("👩🏽‍🚀", 2), ("🏳️‍🌈", 2),
  ])
  func `a text takes as many cells as a terminal gives it`(text: String, width: Int) {
    #expect(Glyph.width(of: text) == width)
  }

  @Test(arguments: [
    "\u{1B}[2J", "a\u{7}b", "\u{9B}31m", "x\u{202E}y", "a\u{200D}b", "\r\n", "\u{200B}",
    "\u{E0041}",
    "🙂\u{200D}", "a\u{0}", "🙂\u{E0041}\u{E0042}", "🏴\u{E0067}\u{E0062}", "🏴\u{E0067}\u{E007F}",
    "👩\u{200D}\u{200D}👧", "👩‍👧\u{E0067}\u{E007F}",
    "🏴\u{E0067}\u{E0062}\u{E0073}\u{E007F}\u{E0041}",
  ])
  func `N5: nothing that steers a terminal is in a glyph`(text: String) {
    let shown = Glyph.glyphs(of: text).map(\.text).joined()
    #expect(shown.unicodeScalars.allSatisfy { !$0.isInvisible }, "\(shown.debugDescription)")
    #expect(shown.contains("\\u{"))
  }

  @Test
  func `a letter has no more marks than a script needs`() {
    let text = "a" + String(repeating: "\u{301}", count: 100)
    #expect(Glyph.glyphs(of: text).map(\.text.unicodeScalars.count).reduce(0, +) <= 6)
  }

  @Test
  func `what does not fit ends in an ellipsis, and no wide character is cut in two`() {
    var frame = Frame(ScreenSize(width: 6, height: 3))
    frame.write("abcdefgh", line: 0)
    frame.write("日本語日", line: 1)
    frame.write("x", line: 9)
    frame.write("日", line: 2, column: 5)
    #expect(frame.texts == ["abcde…", "日本…", "     …"])
  }

  @Test
  func `columns give way, the widest first, and the last takes what is left`() {
    #expect(ColumnWidths.fitting([4, 10], into: 40) == [4, 34])
    #expect(ColumnWidths.fitting([10, 50], into: 32) == [10, 20])
    #expect(ColumnWidths.fitting([50, 50], into: 32) == [15, 15])
    #expect(ColumnWidths.fitting([5, 40, 40], into: 29) == [5, 10, 10])
    #expect(ColumnWidths.fitting([], into: 10).isEmpty)
    for width in 0..<60 {
      let widths = ColumnWidths.fitting([7, 30, 3, 12], into: width)
      #expect(widths.allSatisfy { $0 >= 1 })
      if width >= 10 { #expect(widths.reduce(0, +) == width - 6) }
    }
  }

  // MARK: - Changes

  /// A terminal that understands what `FrameChange` writes, and nothing else.
  private struct Paper {
    var cells: [[String]]
    var styles: [[String]]

    init(_ size: ScreenSize) {
      cells = Array(repeating: Array(repeating: " ", count: size.width), count: size.height)
      styles = cells.map { $0.map { _ in "0" } }
    }

    mutating func read(_ text: String) {
      var (line, column, style) = (0, 0, "0")
      var rest = text[...]
      while let first = rest.first {
        guard first == "\u{1B}" else {
          let glyph = Glyph.glyphs(of: String(first))[0]
          cells[line][column] = glyph.text
          styles[line][column] = style
          for right in 1..<max(1, glyph.width) {
            cells[line][column + right] = ""
            styles[line][column + right] = style
          }
          column += glyph.width
          rest.removeFirst()
          continue
        }
        let end = rest.dropFirst(2).firstIndex { $0.isLetter }!
        let numbers = rest[rest.index(rest.startIndex, offsetBy: 2)..<end]
        switch rest[end] {
        case "H":
          let place = numbers.split(separator: ";").compactMap { Int($0) }
          (line, column) = (place[0] - 1, place[1] - 1)
        case "m": style = String(numbers)
        case "J":
          self = Paper(ScreenSize(width: cells[0].count, height: cells.count))
        default: Issue.record("\(rest[end]) is not known")
        }
        rest = rest[rest.index(after: end)...]
      }
    }
  }

  @Test
  func `any frame becomes any other, cell by cell`() {
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: seed)
      let size = ScreenSize(width: .random(in: 1...30, using: &generator), height: 3)
      var paper = Paper(size)
      var before: Frame?
      for _ in 0..<6 {
        var frame = before ?? Frame(size)
        if Bool.random(using: &generator) { frame = Frame(size) }
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
          let words = ["日本語", "abc", "👩‍👩‍👧!", "e\u{301}x", "क्षि!", "       ", "a b c d e f g h"]
          let styles: [CellStyle] = [.plain, .bar, .coloured(.red), .dim]
          frame.write(
            words.randomElement(using: &generator)!, line: .random(in: 0..<3, using: &generator),
            column: .random(in: 0..<size.width, using: &generator),
            style: styles.randomElement(using: &generator)!)
        }
        paper.read(FrameChange(before: before, after: frame, hasColour: true).text)
        let wanted = frame.lines.map { $0.map(\.text) }
        guard paper.cells == wanted else {
          Issue.record("seed \(seed): \(paper.cells) is not \(wanted)")
          return
        }
        before = frame
      }
    }
  }

  @Test
  func `a frame that did not change writes nothing, and one cell is a few bytes`() {
    var frame = Frame(ScreenSize())
    frame.write("hello", line: 3)
    #expect(FrameChange(before: frame, after: frame, hasColour: true).text.isEmpty)
    var next = frame
    next.write("y", line: 3, column: 1)
    #expect(FrameChange(before: frame, after: next, hasColour: true).text.utf8.count < 30)
  }

  @Test
  func `without colour there is none`() {
    var frame = Frame(ScreenSize(width: 10, height: 1))
    frame.write("red", line: 0, style: .coloured(.red))
    let text = FrameChange(before: nil, after: frame, hasColour: false).text
    #expect(!text.contains("31"))
  }
}
