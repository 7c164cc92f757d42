/// One row, as it was when it was opened: its JSON, and why it is where it is.
struct RowView: Equatable {
  let item: WatchedItem
  var trace = "…"
  var top = 0
  /// Its JSON, read once; very long texts end early.
  private let json: [String]
  /// The lines of it, as they were wrapped last.
  private(set) var lines: [String] = []

  var id: RowID { item.id }

  /// How many code points of a line are shown, and how many of all lines.
  private static let (longestLine, most) = (10_000, 100_000)

  init(_ item: WatchedItem) {
    self.item = item
    let value = try? JSONReader.value(of: item.text.utf8)
    var room = Self.most
    var shown: [String] = []
    for line in value.map(JSONLines.lines) ?? [item.text] {
      guard room > 0 else {
        shown.append("…")
        break
      }
      let cut = line.cut(to: Self.longestLine)
      room -= cut.utf8.count + 1
      shown.append(cut)
    }
    json = shown
  }

  /// Wraps the lines to a width: for another one, or another trace.
  mutating func wrap(to width: Int) {
    lines = JSONLines.wrapped(["Here by \(trace)", ""] + json, to: width)
  }

  /// Shows no less of it than there is room for.
  mutating func scroll(to line: Int, height: Int) {
    top = max(0, min(line, lines.count - height))
  }
}

extension String {
  /// The text, or as many of its code points as are wanted, with an ellipsis for the others.
  ///
  /// - Complexity: O(`count`): one character may be of any number of code points.
  func cut(to count: Int) -> String {
    guard utf8.count > count else { return self }
    let start = unicodeScalars.prefix(count)
    return start.endIndex == endIndex ? self : String(String.UnicodeScalarView(start)) + "…"
  }
}
