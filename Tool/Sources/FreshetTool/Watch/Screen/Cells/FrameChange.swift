/// The output that turns one frame into another on a terminal: the cells that differ.
struct FrameChange {
  /// The frame that the terminal shows; `nil` if it is not known.
  ///
  /// A frame of another size counts as not known.
  let before: Frame?
  let after: Frame
  let hasColour: Bool

  /// The most equal cells between two changes that are written again.
  ///
  /// Writing them is shorter than moving the cursor past them.
  private static let shortRun = 8

  /// The text to write; empty if nothing differs.
  var text: String {
    let known = before?.size == after.size ? before : nil
    var text = known == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    let before = known ?? Frame(after.size)
    for line in after.lines.indices {
      for run in Self.runs(from: before.lines[line], to: after.lines[line]) {
        write(run, of: line, to: &text)
      }
    }
    return text.isEmpty ? "" : text + "\u{1B}[0m"
  }

  private func write(_ run: Range<Int>, of line: Int, to text: inout String) {
    text += Self.place(line, run.lowerBound)
    var style: CellStyle?
    for column in run {
      let cell = after.lines[line][column]
      if cell.text.isEmpty { continue }
      if cell.style != style {
        style = cell.style
        text += cell.style.sequence(hasColour: hasColour)
      }
      text += cell.text
      // Terminals do not agree on how wide such characters are, so the next cell is positioned
      // explicitly.
      let scalars = cell.text.unicodeScalars
      if scalars.count > 1 || scalars.first?.properties.isEmojiPresentation == true {
        let width = after.width(line, column)
        if column + width < run.upperBound { text += Self.place(line, column + width) }
      }
    }
  }

  private static func place(_ line: Int, _ column: Int) -> String {
    "\u{1B}[\(line + 1);\(column + 1)H"
  }

  /// Returns the columns to write; they contain whole glyphs of both lines.
  static func runs(from old: [Frame.Cell], to new: [Frame.Cell]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for column in new.indices where old[column] != new[column] {
      var (start, end) = (column, column + 1)
      while start > 0, new[start].text.isEmpty || old[start].text.isEmpty { start -= 1 }
      while end < new.count, new[end].text.isEmpty || old[end].text.isEmpty { end += 1 }
      if let last = runs.last, start <= last.upperBound + shortRun {
        runs[runs.count - 1] = last.lowerBound..<max(end, last.upperBound)
      } else {
        runs.append(start..<end)
      }
    }
    return runs
  }
}
