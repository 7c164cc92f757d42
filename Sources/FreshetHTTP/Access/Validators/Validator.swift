internal import Foundation
internal import Freshet

/// What names a version of one answer: its `ETag`, or else its `Last-Modified` (RFC 9110, section 8.8).
///
/// It goes back as it came, and to the URL that answered with it only.
struct Validator: Hashable, Sendable {
  private enum Kind: String {
    case tag = "etag"
    case date = "date"
  }

  private let kind: Kind
  private let value: String
  /// A number for the URL, and for how its answers are read.
  private let place: UInt64

  /// The validator of an answer; `nil` where it has none that proves anything.
  ///
  /// - Parameter reading: how the body is read: a validator does not stand for the same body read
  ///   otherwise.
  init?(_ response: HTTPResponse, from url: URL, reading: String) {
    guard response.status == 200, response.headers["Vary"]?.contains("*") != true else {
      return nil
    }
    if let tag = response.headers["ETag"], Self.isTag(tag) {
      (kind, value) = (.tag, tag)
    } else if let date = response.headers["Last-Modified"],
      Self.isOld(date, at: response.headers["Date"])
    {
      (kind, value) = (.date, date)
    } else {
      return nil
    }
    place = Self.place(url, reading)
  }

  /// Reads a validator back from its text; `nil` where it is none of ours.
  init?(text: String) {
    let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
    guard parts.count == 3, let kind = Kind(rawValue: parts[0]),
      let place = UInt64(parts[1], radix: 16),
      kind == .tag ? Self.isTag(parts[2]) : Self.date(parts[2]) != nil
    else { return nil }
    (self.kind, self.place, value) = (kind, place, parts[2])
  }

  /// The validator as a page has it: kind, place and value.
  var text: String { "\(kind.rawValue) \(String(place, radix: 16)) \(value)" }

  /// The header field that asks for the body only if it is another one (RFC 9110, section 13.1); `nil`
  /// for another URL.
  func condition(for url: URL, reading: String) -> (name: String, value: String)? {
    guard place == Self.place(url, reading) else { return nil }
    return (kind == .tag ? "If-None-Match" : "If-Modified-Since", value)
  }

  /// Whether a text is one entity tag, in quotes or, as some servers send them, without: no list, no
  /// `*`, nothing that a header field must not have.
  private static func isTag(_ text: String) -> Bool {
    let tag = (text.hasPrefix("W/") ? text.dropFirst(2) : text[...]).utf8
    guard tag.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return false }
    let quote = UInt8(ascii: "\"")
    if tag.count >= 2, tag.first == quote, tag.last == quote {
      return !tag.dropFirst().dropLast().contains(quote)
    }
    return !tag.isEmpty
      && !tag.contains { [quote, UInt8(ascii: ","), UInt8(ascii: "*")].contains($0) }
  }

  /// Whether what was changed last at a date could not change again within that second, before it was
  /// sent (RFC 9110, section 8.8.2.2).
  private static func isOld(_ modified: String, at sent: String?) -> Bool {
    guard let modified = date(modified), let sent = sent.flatMap(date) else { return false }
    return sent.seconds - modified.seconds >= 1
  }

  /// A date as HTTP writes it now (RFC 9110, section 5.6.7); the obsolete forms prove nothing.
  private static func date(_ text: String) -> HTTPDate? {
    guard text.utf8.count == 29, text.hasSuffix(" GMT"), !text.contains("-") else { return nil }
    return HTTPDate(text, now: 0)
  }

  /// Keeps the URL itself out of what is stored.
  private static func place(_ url: URL, _ reading: String) -> UInt64 {
    XXHash64.hash(Data("\(url.absoluteString)\n\(reading)".utf8))
  }
}

/// The reading of one page, by one request or several, on the condition that it changed.
///
/// A page has a validator where it is one answer: then an answer of 304 says that the page is the one
/// that had it.
final class ConditionalRead: Sendable {
  /// The page is the one that had the validator.
  struct Unchanged: Error {}

  private let sent: Validator?
  private let reading: String
  private let answers = Locked<(count: Int, validator: Validator?)>((0, nil))

  /// - Parameters:
  ///   - validator: the validator that the feed handed back.
  ///   - reading: how bodies are read.
  init(_ validator: String?, reading: String) {
    sent = validator.flatMap(Validator.init(text:))
    self.reading = reading
  }

  /// Adds the condition to the fields of a request, if the validator came from its URL.
  func addCondition(to headers: inout HTTPHeaders, for url: URL) {
    guard let condition = sent?.condition(for: url, reading: reading) else { return }
    headers[condition.name] = condition.value
  }

  /// Notes an answer that is to be read.
  ///
  /// - Throws: `Unchanged` where there is nothing to read, because the server was asked so.
  func note(_ response: HTTPResponse, from url: URL) throws {
    if response.status == 304, sent?.condition(for: url, reading: reading) != nil {
      throw Unchanged()
    }
    let validator = Validator(response, from: url, reading: reading)
    answers.withLock { $0 = ($0.count + 1, validator) }
  }

  /// The validator of the page that was read.
  var validator: String? {
    answers.withLock { $0.count == 1 ? $0.validator?.text : nil }
  }
}
