import Freshet

// The notes above the state line, shown if there is room; they hide nothing of the state.
extension WatchScreen {
  /// The least number of lines of a screen that has room for notes.
  private static let leastHeight = 10
  /// The most lines that one note may take.
  private static let linesLimit = 3

  /// The lines to show while a request waits or after something failed.
  ///
  /// They are the last message, and the error with advice in the words that are printed in lines.
  var noted: [String] {
    guard size.height >= Self.leastHeight, wait != nil || failure != nil else { return [] }
    let advice = failure.map { WatchFailure($0, isPartial: false).description }
    // The same text is not shown twice.
    let texts = [message?.text, advice].compactMap(\.self)
    let isRepeated = texts.count == 2 && texts[0].hasSuffix(texts[1])
    return texts.dropFirst(isRepeated ? 1 : 0).flatMap {
      Glyph.lines(of: $0, width: size.width - 2, limit: Self.linesLimit)
    }
  }

  /// The error of a load that failed for good, or that is retried automatically.
  var failure: FeedError? { list.loads.failure ?? list.loads.retrying }

  func drawNotes(_ frame: inout Frame) {
    for (index, text) in notes.enumerated() {
      frame.write(text, line: tableHeight + 2 + index, column: 2)
    }
  }
}

extension Glyph {
  /// Returns a text in lines that break between words.
  ///
  /// If there are too many lines, the last one holds the rest, which is cut when it is drawn.
  static func lines(of text: String, width: Int, limit: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, Glyph.width(of: last) + 1 + Glyph.width(of: String(word)) <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else if lines.count == limit {
        lines[limit - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
