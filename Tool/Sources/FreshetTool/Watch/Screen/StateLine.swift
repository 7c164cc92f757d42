/// What the last line says: where there is no room for all of it, the least important goes first.
struct StateLine {
  /// What parts are about, the least important first.
  enum Subject: Int, CaseIterable {
    case gaps, more, help, age, wayBack, filter, standing

    /// Whether it stands at the right.
    var isRight: Bool { self == .help || self == .wayBack }
  }

  private var parts: [(subject: Subject, text: String)] = []

  mutating func say(_ text: String, about subject: Subject) { parts.append((subject, text)) }

  /// The parts that a line has room for, at its left and at its right; one is left in any case.
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

  /// What stands at the right has a space on either side.
  private var width: Int {
    Glyph.width(of: left) + (right.isEmpty ? 0 : Glyph.width(of: right) + 2)
  }
}
