/// The size of a terminal, in cells.
struct ScreenSize: Equatable {
  var width = 80
  var height = 24
}

/// All that a terminal shows at one moment.
struct Frame: Equatable {
  struct Cell: Equatable {
    /// A glyph; nothing in the right half of a wide one.
    var text = " "
    var style = CellStyle.plain
  }

  let size: ScreenSize
  private(set) var lines: [[Cell]]

  init(_ size: ScreenSize) {
    self.size = size
    lines = Array(
      repeating: Array(repeating: Cell(), count: max(0, size.width)), count: max(0, size.height))
  }

  /// Writes a text into a line, of which an ellipsis stands for what does not fit.
  ///
  /// - Returns: how many cells it takes.
  @discardableResult
  mutating func write(
    _ text: String, line: Int, column: Int = 0, width: Int = .max, style: CellStyle = .plain
  ) -> Int {
    guard lines.indices.contains(line), column >= 0 else { return 0 }
    let room = min(width, size.width - column)
    guard room > 0 else { return 0 }
    var at = column
    // Half a glyph is none.
    if lines[line][at].text.isEmpty, at > 0 { lines[line][at - 1].text = " " }
    for glyph in Glyph.glyphs(of: text).fitting(room) {
      lines[line][at] = Cell(text: glyph.text, style: style)
      if glyph.width == 2 { lines[line][at + 1] = Cell(text: "", style: style) }
      at += glyph.width
    }
    if at < size.width, lines[line][at].text.isEmpty { lines[line][at].text = " " }
    return at - column
  }

  /// Writes a text that ends at a column.
  @discardableResult
  mutating func write(_ text: String, line: Int, endingAt end: Int, style: CellStyle = .plain)
    -> Int
  {
    let width = Glyph.width(of: text)
    guard width <= end else { return 0 }
    return write(text, line: line, column: end - width, width: width, style: style)
  }

  /// Lets a whole line look alike.
  mutating func paint(line: Int, _ change: (inout CellStyle) -> Void) {
    guard lines.indices.contains(line) else { return }
    for column in lines[line].indices { change(&lines[line][column].style) }
  }

  /// The texts of the lines, without spaces behind them.
  var texts: [String] {
    lines.map { line in
      var text = line.map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}

extension Array where Element == Glyph {
  /// As many as fit into some cells, with an ellipsis for the others.
  func fitting(_ room: Int) -> [Glyph] {
    var width = 0
    for glyph in self {
      width += glyph.width
      if width > room { break }
    }
    if width <= room { return self }
    guard room > 0 else { return [] }
    var fitting: [Glyph] = []
    var rest = room - 1
    for glyph in self {
      guard glyph.width <= rest else { break }
      fitting.append(glyph)
      rest -= glyph.width
    }
    return fitting + [.ellipsis]
  }
}
