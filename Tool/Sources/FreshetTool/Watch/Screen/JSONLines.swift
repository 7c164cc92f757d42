/// JSON formatted for people: one member a line, indented.
enum JSONLines {
  static func lines(of value: JSONValue) -> [String] {
    var lines: [String] = []
    append(value, to: &lines, prefix: "", indent: "", suffix: "")
    return lines
  }

  private static func append(
    _ value: JSONValue, to lines: inout [String], prefix: String, indent: String, suffix: String
  ) {
    func block(_ open: String, _ close: String, _ inner: [(String, JSONValue)]) {
      lines.append(indent + prefix + open)
      for (index, (name, value)) in inner.enumerated() {
        append(
          value, to: &lines, prefix: name, indent: indent + "  ",
          suffix: index == inner.count - 1 ? "" : ",")
      }
      lines.append(indent + close + suffix)
    }
    switch value {
    case .object(let members) where !members.isEmpty:
      block("{", "}", members.map { (JSONText.quoted($0.name) + ": ", $0.value) })
    case .array(let elements) where !elements.isEmpty:
      block("[", "]", elements.map { ("", $0) })
    default: lines.append(indent + prefix + JSONText.text(value) + suffix)
    }
  }

  /// Returns the lines broken at a width; the rest of each continues on the next line.
  static func wrapped(_ lines: [String], to width: Int) -> [String] {
    guard width > 1 else { return lines }
    return lines.flatMap { line -> [String] in
      var parts: [String] = []
      var (part, room) = ("", width)
      for glyph in Glyph.glyphs(of: line) {
        if glyph.width > room {
          parts.append(part)
          (part, room) = ("", width)
        }
        part += glyph.text
        room -= glyph.width
      }
      return parts + [part]
    }
  }
}
