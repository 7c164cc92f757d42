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

  /// How many characters of a line are shown.
  private static let longestLine = 10_000

  init(_ item: WatchedItem) {
    self.item = item
    let value = try? JSONReader.value(of: item.text.utf8)
    json = (value.map(JSONLines.lines) ?? [item.text]).map { line in
      let start = line.prefix(Self.longestLine)
      return start.endIndex == line.endIndex ? line : start + "…"
    }
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
