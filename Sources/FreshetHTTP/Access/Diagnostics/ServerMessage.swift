internal import Foundation
internal import Freshet

/// The server's message in a refusal.
///
/// It is a plain text body, or a member of a JSON body. The member is `detail`, `message`,
/// `error_description`, `error`, `title` or `msg` (RFC 9457, RFC 6749, JSON:API, FastAPI and
/// similar).
struct ServerMessage: Decodable {
  /// The longest body that is searched for a message, in bytes.
  static var bodyLimit: Int { 65_536 }

  private(set) var text: String?

  /// The longest part of a message that is processed; less of it is shown.
  private static var wordLimit: Int { 4096 }

  /// Returns the message, escaped, bounded and without secrets; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - response: the response.
  ///   - secrets: the secrets that requests carry; a server may quote one.
  static func words(
    of response: HTTPResponse, hiding secrets: SentSecrets = SentSecrets()
  ) -> String? {
    guard response.body.count <= bodyLimit, var text = text(of: response) else { return nil }
    let scalars = text.unicodeScalars
    if scalars.count > wordLimit {
      text = String(String.UnicodeScalarView(scalars.prefix(wordLimit))) + "…"
    }
    return LogText(secrets.hidden(in: text)).description
  }

  private static func text(of response: HTTPResponse) -> String? {
    guard let first = response.body.first(where: { $0 > 0x20 }) else { return nil }
    if first == 0x7B || first == 0x5B {
      return (try? JSONDecoder().decode(ServerMessage.self, from: response.body))?.text
    }
    // A plain text is a message, unless it is an HTML page after all.
    guard first != 0x3C, let text = String(validUTF8: response.body),
      response.headers["Content-Type"]?.lowercased().hasPrefix("text/plain") == true
    else { return nil }
    return oneLine(text)
  }

  private static func oneLine(_ text: String) -> String? {
    let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.isEmpty ? nil : text
  }

  init(from decoder: any Decoder) throws {
    text = Self.words(decoder, depth: 4)
  }

  private static let names = ["detail", "message", "error_description", "error", "title", "msg"]

  private static func words(_ decoder: any Decoder, depth: Int) -> String? {
    guard depth > 0 else { return nil }
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      return oneLine(text)
    }
    if let object = try? decoder.container(keyedBy: Name.self) {
      for name in names + ["errors"] where object.contains(Name(name)) {
        if let inner = try? object.superDecoder(forKey: Name(name)),
          let text = words(inner, depth: depth - 1)
        {
          return text
        }
      }
      return nil
    }
    guard var array = try? decoder.unkeyedContainer() else { return nil }
    var found: [String] = []
    while !array.isAtEnd, found.count < 3, let element = try? array.superDecoder() {
      if let text = words(element, depth: depth - 1) { found.append(text) }
    }
    return found.isEmpty ? nil : found.joined(separator: "; ")
  }
}
