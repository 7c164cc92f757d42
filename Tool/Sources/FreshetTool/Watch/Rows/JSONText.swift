/// JSON in the form in which it is printed, stored and compared.
///
/// It has no white space, members are in the order of their names, and numbers are as they were
/// sent. It contains nothing that a terminal could take for more than text (rule N5).
enum JSONText {
  /// Returns the text of a value.
  static func text(_ value: JSONValue) -> String {
    var text = ""
    append(value, to: &text)
    return text
  }

  /// Returns a string as JSON, in quotes.
  static func quoted(_ string: String) -> String {
    var text = ""
    append(string, to: &text)
    return text
  }

  private static func append(_ value: JSONValue, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .number(let number): text += number
    case .string(let string): append(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        append(element, to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        append(member.name, to: &text)
        text += ":"
        append(member.value, to: &text)
      }
      text += "}"
    }
  }

  private static func append(_ string: String, to text: inout String) {
    if string.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }) {
      text += "\"\(string)\""
      return
    }
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        if scalar.isInvisible {
          for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          }
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}
