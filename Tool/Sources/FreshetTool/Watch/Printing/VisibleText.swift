extension Unicode.Scalar {
  /// Whether it is invisible, or changes how other characters are shown.
  ///
  /// Such are control characters, terminal escapes, marks of direction, characters without width
  /// and line separators.
  var isInvisible: Bool {
    if value < 0x7F { return value < 0x20 }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: properties.isDefaultIgnorableCodePoint
    }
  }
}

extension String {
  /// The text with a visible escape, `\u{1B}`, for each invisible character (rule N5).
  ///
  /// The selectors for the coloured form of an emoji are kept.
  var visible: String {
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
    var text = ""
    var previous: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      let choosesEmoji =
        scalar == "\u{FE0F}" && previous.value > 0x7F && previous.properties.isEmoji
      if scalar.isInvisible, !choosesEmoji {
        text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      } else {
        text.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return text
  }
}
