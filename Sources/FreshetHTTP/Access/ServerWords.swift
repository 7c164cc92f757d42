internal import Foundation
internal import Freshet

/// What a server says about its refusal, in the JSON body of the answer: `detail`, `message`,
/// `error_description`, `error`, `title` (RFC 9457, RFC 6749, JSON:API and their likes).
struct ServerWords: Decodable {
  /// The longest body that is looked at, in bytes.
  static var bodyLimit: Int { 65_536 }

  private(set) var text: String?

  /// The words of an answer, escaped, bounded and without secrets; `nil` where it says none.
  ///
  /// - Parameter secrets: what the request carried; a server may quote it.
  static func words(of response: HTTPResponse, hiding secrets: HTTPHeaders = [:]) -> String? {
    guard response.body.count <= bodyLimit, let first = response.body.first(where: { $0 > 0x20 }),
      first == 0x7B || first == 0x5B,
      let found = try? JSONDecoder().decode(ServerWords.self, from: response.body),
      var text = found.text
    else { return nil }
    for field in secrets.fields {
      for part in [field.value] + field.value.split(separator: " ").map(String.init)
      where part.count >= 8 {
        text = text.replacingOccurrences(of: part, with: Secrets.mark)
      }
    }
    return LogText(text).description
  }

  init(from decoder: any Decoder) throws {
    text = Self.words(decoder, depth: 4)
  }

  private static let names = ["detail", "message", "error_description", "error", "title"]

  private static func words(_ decoder: any Decoder, depth: Int) -> String? {
    guard depth > 0 else { return nil }
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return text.isEmpty ? nil : text
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
