internal import Foundation
internal import Freshet

/// The message in a refusal: a plain text body, or in a JSON body `detail`, `message`,
/// `error_description`, `error`, `title` or `msg` (RFC 9457, RFC 6749, JSON:API, FastAPI and
/// similar).
struct ServerMessage: Decodable {
  /// The longest body that is looked at, in bytes.
  static var bodyLimit: Int { 65_536 }

  private(set) var text: String?

  /// How much of the words is looked at; less is shown.
  private static var wordLimit: Int { 4096 }

  /// The words of an answer, escaped, bounded and without secrets; `nil` where it says none.
  ///
  /// - Parameters:
  ///   - response: the answer.
  ///   - secrets: what requests carry; a server may quote it.
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
    // A plain text is one, unless it is a page after all.
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
