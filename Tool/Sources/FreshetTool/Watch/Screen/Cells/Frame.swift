/// The size of a terminal, in cells.
struct ScreenSize: Equatable {
  var width = 80
  var height = 24
}

/// The contents of a terminal at one moment.
struct Frame: Equatable {
  struct Cell: Equatable {
    /// A glyph; empty in further cells that the same glyph takes.
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

  /// Writes a text into a line, with an ellipsis for the part that does not fit.
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
    clearGlyph(line, at)
    for glyph in Glyph.glyphs(of: text.cut(to: 8 * room)).fitting(room) {
      if at + glyph.width < size.width { clearGlyph(line, at + glyph.width) }
      lines[line][at] = Cell(text: glyph.text, style: style)
      for right in 1..<max(1, glyph.width) {
        lines[line][at + right] = Cell(text: "", style: style)
      }
      at += glyph.width
    }
    return at - column
  }

  /// Removes the glyph that reaches into a cell: no part of a glyph can be drawn alone.
  private mutating func clearGlyph(_ line: Int, _ column: Int) {
    guard lines[line][column].text.isEmpty else { return }
    var start = column
    while start > 0, lines[line][start].text.isEmpty { start -= 1 }
    lines[line][start].text = " "
    for right in (start + 1)..<size.width {
      guard lines[line][right].text.isEmpty else { return }
      lines[line][right].text = " "
    }
  }

  /// Returns how many cells the glyph at a column takes.
  func width(_ line: Int, _ column: Int) -> Int {
    1 + lines[line][(column + 1)...].prefix { $0.text.isEmpty }.count
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

  /// Changes the style of all cells of a line.
  mutating func paint(line: Int, _ change: (inout CellStyle) -> Void) {
    guard lines.indices.contains(line) else { return }
    for column in lines[line].indices { change(&lines[line][column].style) }
  }

  /// The texts of the lines, without trailing spaces.
  var texts: [String] {
    lines.map { line in
      var text = line.map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}

extension Array where Element == Glyph {
  /// Returns as many glyphs as fit into some cells, with an ellipsis for the others.
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
