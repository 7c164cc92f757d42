internal import Foundation
internal import Freshet

/// A description of why a body cannot be decoded (rule N2).
///
/// It names the format of the body if that is not JSON, or else the wrong value and its place.
enum DecodingDiagnostics {
  /// Returns the error for a body; the source masks secrets in it.
  static func error(
    _ error: DecodingError, in response: HTTPResponse, from url: URL
  ) -> FeedError {
    let (path, expected, found) = diagnosis(error, response)
    return .decoding(path: pointer(path), expected: expected, found: found, url: url)
  }

  private static func diagnosis(
    _ error: DecodingError, _ response: HTTPResponse
  ) -> (path: [any CodingKey], expected: String, found: String) {
    switch error {
    case .typeMismatch(let type, let context):
      return (context.codingPath, name(of: type), foundValue(context.debugDescription))
    case .valueNotFound(let type, let context):
      return (context.codingPath, name(of: type), "null")
    case .keyNotFound(let key, let context):
      return (context.codingPath + [key], "a value", "nothing")
    case .dataCorrupted(let context):
      if let found = foreign(response) { return ([], "JSON", found) }
      let number = number(in: context.debugDescription)
      let scan = JSONLocator(response.body, under: context.codingPath.map(text), seeking: number)
      if let problem = scan.problem { return (scan.problemPath.map { Name($0) }, "JSON", problem) }
      let isAboutNumber =
        number != nil || context.codingPath.isEmpty
        || context.debugDescription.contains("not valid JSON")
      guard isAboutNumber else {
        return (context.codingPath, "another value", context.debugDescription)
      }
      // The document is JSON although the decoder rejects it, so the cause is a number.
      if let number = scan.numbers.first {
        return (number.path.map { Name($0) }, "a number that its type can hold", number.text)
      }
      return (context.codingPath, "numbers that their types can hold", "one that does not fit")
    @unknown default: return ([], "JSON", "\(error)")
    }
  }

  /// Returns a description of a body that is not JSON at all; `nil` if it may be JSON.
  static func foreign(_ response: HTTPResponse) -> String? {
    let body = response.body
    guard let first = body.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      return "an empty body"
    }
    if body.starts(with: [0x1F, 0x8B]) { return "compressed bytes (gzip)" }
    let type = response.headers["Content-Type"]?.lowercased() ?? ""
    let start = String(decoding: body.prefix(1024), as: UTF8.self).lowercased()
    if first == 0x3C || start.hasPrefix("\u{FEFF}<") {
      return type.contains("html") || start.contains("<html") || start.contains("<!doctype html")
        ? "an HTML page, perhaps a login page" : "XML, perhaps a feed (RSS or Atom)"
    }
    if isWide(body) { return "text in UTF-16 or UTF-32, which is no encoding of JSON" }
    if let charset = type.split(separator: "charset=").dropFirst().first,
      String(validUTF8: body) == nil
    {
      return "text in \(LogText(String(charset))), which is no encoding of JSON"
    }
    if type.contains("event-stream")
      || ["data:", "event:", "id:", "retry:"].contains(where: start.hasPrefix)
    {
      return "an event stream, which is no page of a list"
    }
    if isLines(body) { return "a JSON value on each line (NDJSON), which is no array" }
    let isJSONType = type.isEmpty || type.contains("json") || type.contains("text/plain")
    if !isJSONType, first != 0x7B, first != 0x5B {
      return "\(LogText(type, limit: 80))"
    }
    return nil
  }

  /// Returns whether each of the first two lines is a JSON object or array.
  private static func isLines(_ body: Data) -> Bool {
    let lines = body.prefix(1 << 20).split(separator: 0x0A, maxSplits: 2).prefix(2)
    return lines.count == 2
      && lines.allSatisfy { line in
        [0x7B, 0x5B].contains(line.first) && JSONLocator(Data(line)).problem == nil
      }
  }

  /// Returns whether a body is UTF-16 or UTF-32, which Foundation would decode.
  static func isWide(_ body: Data) -> Bool {
    body.starts(with: [0xFE, 0xFF]) || body.starts(with: [0xFF, 0xFE])
      || body.prefix(4).contains(0)
  }

  /// Returns the number that caused an error of Foundation's decoder, if the error names it.
  private static func number(in description: String) -> String? {
    guard description.contains("numberIsNotRepresentable"),
      let start = description.range(of: "parsed: \"")?.upperBound,
      let end = description[start...].firstIndex(of: "\"")
    else { return nil }
    return String(description[start..<end])
  }

  static func pointer(_ path: [any CodingKey]) -> String {
    JSONPointer(tokens: path.map(text)).description
  }

  private static func text(_ key: any CodingKey) -> String {
    key.intValue.map(String.init) ?? key.stringValue
  }

  private static func name(of type: Any.Type) -> String {
    switch "\(type)" {
    case let name where name.hasPrefix("Dictionary"): "an object"
    case let name where name.hasPrefix("Array"): "an array"
    case "String": "a text"
    case let name: name
    }
  }

  /// Returns the found value in an error of Foundation's decoder, from "but found … instead".
  private static func foundValue(_ description: String) -> String {
    guard let start = description.range(of: "but found ")?.upperBound,
      let end = description.range(of: " instead")?.lowerBound, start < end
    else { return description }
    return switch description[start..<end] {
    case "a dictionary": "an object"
    case "a string", "a string/data": "a text"
    case let found: String(found)
    }
  }
}
