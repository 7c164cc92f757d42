public import struct Foundation.URL

/// Text from elsewhere in a form that a log or a terminal can show (rule N5).
///
/// User information and secrets in URLs are masked. Characters that control a terminal, change the
/// reading direction or are invisible are escaped (`\u{1B}`, `\u{202E}`, `\n`). The length is
/// bounded.
///
/// ```swift
/// print("Loading \(LogText(url))")
/// ```
public struct LogText: Hashable, Sendable, CustomStringConvertible {
  /// The text, with each secret masked and control characters escaped.
  public let description: String

  /// Makes a text safe to show; text beyond `limit` Unicode scalars is replaced by an ellipsis.
  public init(_ text: String, limit: Int = 300) {
    let limit = max(0, limit)
    // The rest of a long text is not searched for secrets, because it is not shown.
    let scalars = text.unicodeScalars.prefix(limit &+ 4096)
    let masked = Secrets.masked(String(String.UnicodeScalarView(scalars))).unicodeScalars
    var result = ""
    for scalar in masked.prefix(limit) { result += Self.shown(scalar) }
    description = masked.count > limit ? result + "…" : result
  }

  /// Makes a URL safe to show.
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
      // Letters that are invisible.
      return scalar.properties.isDefaultIgnorableCodePoint
        ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
    }
  }
}
