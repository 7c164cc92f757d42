public import struct Foundation.URL

/// Text from elsewhere as a log or a terminal may show it (rule N5).
///
/// User information and secrets in URLs are masked, characters that steer a terminal, turn the
/// reading direction or cannot be seen appear as escapes (`\u{1B}`, `\u{202E}`, `\n`), and it is
/// bounded.
///
/// ```swift
/// print("Loading \(LogText(url))")
/// ```
public struct LogText: Hashable, Sendable, CustomStringConvertible {
  /// The text as it may be shown.
  public let description: String

  /// Makes a text fit to be shown; what is longer than `limit` Unicode scalars ends in an ellipsis.
  public init(_ text: String, limit: Int = 300) {
    let limit = max(0, limit)
    // What cannot be shown is not looked at either: a server's text may be long.
    let scalars = text.unicodeScalars.prefix(limit &+ 4096)
    let masked = Secrets.masked(String(String.UnicodeScalarView(scalars))).unicodeScalars
    var result = ""
    for scalar in masked.prefix(limit) { result += Self.shown(scalar) }
    description = masked.count > limit ? result + "…" : result
  }

  /// Makes a URL fit to be shown.
  public init(_ url: URL) { self.init(url.absoluteString, limit: 2000) }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
      .surrogate:
      return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    default:
      // Letters that look like nothing.
      return scalar.properties.isDefaultIgnorableCodePoint
        ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
    }
  }
}
