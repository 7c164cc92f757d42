/// A row as it was when the user opened it: its JSON, and the trace of why it is there.
struct RowView: Equatable {
  let item: WatchedItem
  var trace = "…"
  var top = 0
  /// The lines of its JSON, read once; very long texts are cut.
  private let json: [String]
  /// The lines as they were last wrapped.
  private(set) var lines: [String] = []

  var id: RowID { item.id }

  /// The most code points shown of a line, and roughly the most bytes shown of all lines.
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

  /// Wraps the lines to a width; it is called again for another width or another trace.
  mutating func wrap(to width: Int) {
    lines = JSONLines.wrapped(["Here by \(trace)", ""] + json, to: width)
  }

  /// Scrolls to a line, at most until the last line is at the bottom.
  mutating func scroll(to line: Int, height: Int) {
    top = max(0, min(line, lines.count - height))
  }
}

extension String {
  /// Returns the text cut to a number of code points, with an ellipsis for the rest.
  ///
  /// - Complexity: O(`count`): one character may be of any number of code points.
  func cut(to count: Int) -> String {
    guard utf8.count > count else { return self }
    let start = unicodeScalars.prefix(count)
    return start.endIndex == endIndex ? self : String(String.UnicodeScalarView(start)) + "…"
  }
}
