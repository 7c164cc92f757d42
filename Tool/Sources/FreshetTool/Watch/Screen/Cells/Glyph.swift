/// A character as a terminal shows it, with the number of cells that it takes.
struct Glyph: Equatable {
  let text: String
  let width: Int

  static let space = Glyph(text: " ", width: 1)
  static let ellipsis = Glyph(text: "…", width: 1)

  /// Returns the glyphs of a text; invisible characters become visible escapes (rule N5).
  ///
  /// Joined emoji stay together: inside one, a joiner is harmless.
  static func glyphs(of text: String) -> [Glyph] {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) {
      return text.map { Glyph(text: String($0), width: 1) }
    }
    return text.flatMap { character -> [Glyph] in
      if EmojiSequence.isOne(character) { return [Glyph(text: String(character), width: 2)] }
      let visible = String(character).visible
      // Each character of an escape is a glyph.
      return visible.flatMap(plain)
    }
  }

  /// Returns how many cells a text takes.
  static func width(of text: String) -> Int { glyphs(of: text).reduce(0) { $0 + $1.width } }

  /// The most marks on one letter: no script needs more.
  ///
  /// More marks would run over the lines above and below.
  private static let marksLimit = 5
  /// The most scalars of one glyph: letters that are joined without end would fit into no line.
  private static let lengthLimit = 16

  /// Returns the glyphs of a character, which are as wide as its parts together.
  ///
  /// Vowel signs beside a letter and the letters of a conjunct are parts of one character.
  /// Terminals nevertheless give them cells of their own.
  private static func plain(_ character: Character) -> [Glyph] {
    let scalars = character.unicodeScalars
    if scalars.contains("\u{FE0F}"), scalars.first?.properties.isEmoji == true {
      return [Glyph(text: String(String.UnicodeScalarView(scalars.prefix(marksLimit))), width: 2)]
    }
    var glyphs: [Glyph] = []
    var (text, width, marks) = (String.UnicodeScalarView(), 0, 0)
    for scalar in scalars {
      let cells = scalar.cells
      marks = cells == 0 ? marks + 1 : 0
      if marks > marksLimit { continue }
      if text.count >= lengthLimit, cells > 0 {
        glyphs.append(Glyph(text: String(text), width: width))
        (text, width) = (String.UnicodeScalarView(), 0)
      }
      if text.isEmpty, scalar.isMark {
        text.append("◌")
        width = 1
      }
      text.append(scalar)
      width += cells
    }
    return glyphs + [Glyph(text: String(text), width: max(1, width))]
  }
}

extension Unicode.Scalar {
  /// Whether it is drawn on the character before it.
  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: false
    }
  }

  /// How many cells it takes after the other scalars of its character.
  ///
  /// A mark on or below a letter takes none. The same is true for the later letters of a Korean
  /// syllable.
  fileprivate var cells: Int {
    if isWide { return 2 }
    if 0x1160...0x11FF ~= value || 0xD7B0...0xD7FF ~= value { return 0 }
    return switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: 0
    case .spacingMark where properties.canonicalCombiningClass != .notReordered: 0
    default: value == 0xFE0F ? 0 : 1
    }
  }

  /// Whether it takes two cells: East Asian wide and full width characters, and emoji.
  fileprivate var isWide: Bool {
    if value < 0x1100 { return false }
    return properties.isEmojiPresentation
      || Self.wide[Self.wide.partitioningIndex(by: { $0.upperBound >= value })...].first?.contains(
        value)
        == true
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x2E99,
    0x2E9B...0x2EF3, 0x2F00...0x2FD5, 0x2FF0...0x303E, 0x3041...0x3096, 0x3099...0x30FF,
    0x3105...0x312F, 0x3131...0x318E, 0x3190...0x31E5, 0x31EF...0x321E, 0x3220...0x3247,
    0x3250...0xA48C, 0xA490...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE52, 0xFE54...0xFE66, 0xFE68...0xFE6B, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x16FE4, 0x16FF0...0x16FF6, 0x17000...0x18CD5, 0x18CFF...0x18D1E,
    0x18D80...0x18DF2, 0x1AFF0...0x1AFF3, 0x1AFF5...0x1AFFB, 0x1AFFD...0x1AFFE, 0x1B000...0x1B122,
    0x1B132...0x1B132, 0x1B150...0x1B152, 0x1B155...0x1B155, 0x1B164...0x1B167, 0x1B170...0x1B2FB,
    0x1D300...0x1D356, 0x1D360...0x1D376, 0x1F200...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248,
    0x1F250...0x1F251, 0x1F260...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}

extension Array {
  /// Returns the index of the first element for which a condition is true.
  ///
  /// The condition has to be true for all later elements too.
  fileprivate func partitioningIndex(by isBehind: (Element) -> Bool) -> Int {
    var range = indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isBehind(self[middle]) ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
    }
    return range.lowerBound
  }
}
