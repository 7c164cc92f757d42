/// The look of a cell, in the terminal's own colours, which suit dark and light themes.
struct CellStyle: Equatable {
  enum Colour: Int {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  var colour: Colour?
  var isBold = false
  var isDim = false
  var isReverse = false

  static let plain = CellStyle()
  static let bold = CellStyle(isBold: true)
  static let dim = CellStyle(isDim: true)
  static let bar = CellStyle(isReverse: true)
  static func coloured(_ colour: Colour) -> CellStyle { CellStyle(colour: colour) }

  /// Returns the escape sequence that selects this style.
  func sequence(hasColour: Bool) -> String {
    var codes = ["0"]
    if isBold { codes.append("1") }
    if isDim { codes.append("2") }
    if isReverse { codes.append("7") }
    if let colour, hasColour { codes.append("\(colour.rawValue)") }
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }
}
