/// The contents of the last line; if it is too narrow, the least important parts are left out.
struct StateLine {
  /// The subjects of the parts, the least important first.
  enum Subject: Int, CaseIterable {
    case gaps, more, help, age, unsent, wayBack, filter, standing

    /// Whether its part is at the right end of the line.
    var isRight: Bool { self == .help || self == .wayBack }
  }

  private var parts: [(subject: Subject, text: String)] = []

  mutating func say(_ text: String, about subject: Subject) { parts.append((subject, text)) }

  /// Returns the parts that fit into a line, at its left and right; at least one part is kept.
  func fitting(_ width: Int) -> (left: String, right: String) {
    var line = self
    for subject in Subject.allCases where line.width > width {
      let rest = line.parts.filter { $0.subject != subject }
      if !rest.isEmpty { line.parts = rest }
    }
    return (line.left, line.right)
  }

  private var left: String { texts { !$0.isRight }.joined(separator: " · ") }
  private var right: String { texts(where: \.isRight).joined(separator: "  ") }

  private func texts(where isWanted: (Subject) -> Bool) -> [String] {
    parts.filter { isWanted($0.subject) }.map(\.text)
  }

  /// The width of all parts; there is a space on either side of the parts at the right.
  private var width: Int {
    Glyph.width(of: left) + (right.isEmpty ? 0 : Glyph.width(of: right) + 2)
  }
}
