import Freshet

// What is said above the state, where there is room: it hides nothing that the state says.
extension WatchScreen {
  /// How many lines a screen needs to give some away.
  private static let leastHeight = 10
  /// How many lines one thing may take.
  private static let linesLimit = 3

  /// The lines to show: what happened while a request waits or something failed, and why it failed
  /// and what to try, as it is printed in lines.
  var noted: [String] {
    guard size.height >= Self.leastHeight, wait != nil || failure != nil else { return [] }
    let advice = failure.map { WatchFailure($0, isPartial: false).description }
    // The same is not said twice.
    let texts = [message?.text, advice].compactMap(\.self)
    let isRepeated = texts.count == 2 && texts[0].hasSuffix(texts[1])
    return texts.dropFirst(isRepeated ? 1 : 0).flatMap {
      Glyph.lines(of: $0, width: size.width - 2, limit: Self.linesLimit)
    }
  }

  /// What went wrong, for good or with something that is asked for again by itself.
  var failure: FeedError? { list.loads.failure ?? list.loads.retrying }

  func drawNotes(_ frame: inout Frame) {
    for (index, text) in notes.enumerated() {
      frame.write(text, line: tableHeight + 2 + index, column: 2)
    }
  }
}

extension Glyph {
  /// A text in lines that break between words, the last of which is cut where there are too many.
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
