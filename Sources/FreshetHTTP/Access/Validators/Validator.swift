internal import Foundation
internal import Freshet

/// The validator of one response: its `ETag`, or else its `Last-Modified` (RFC 9110, section 8.8).
///
/// It is sent back unchanged, and only with a request equal to the one it belongs to, by the same
/// sender.
struct Validator: Hashable, Sendable {
  private enum Kind: String {
    case tag = "etag"
    case date = "date"
  }

  private let kind: Kind
  private let value: String
  /// The digest of the request, and the salt it was made with.
  private let digest: String
  private let salt: String

  /// The salt for the digests of this process.
  private static let salt = String(UInt64.random(in: 0...UInt64.max), radix: 36)

  /// Creates the validator of a response; `nil` if the response has none that proves anything.
  init?(_ response: HTTPResponse, to request: RequestIdentity) {
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
    salt = Self.salt
    digest = request.digest(salt: salt)
  }

  /// Creates a validator from its text; `nil` if the text is not a validator of this library.
  init?(text: String) {
    let parts = text.split(separator: " ", maxSplits: 3).map(String.init)
    guard parts.count == 4, let kind = Kind(rawValue: parts[0]), parts[2].utf8.count == 32,
      kind == .tag ? Self.isTag(parts[3]) : Self.date(parts[3]) != nil
    else { return nil }
    (self.kind, salt, digest, value) = (kind, parts[1], parts[2], parts[3])
  }

  /// The validator as a page holds it: kind, salt, digest and value.
  var text: String { "\(kind.rawValue) \(salt) \(digest) \(value)" }

  /// Returns the header field for a conditional request; `nil` for another request.
  ///
  /// It requests the body only if it changed (RFC 9110, section 13.1).
  ///
  /// - Parameter key: the key of the process.
  func condition(
    for request: RequestIdentity, key: [UInt8] = RequestIdentity.processKey
  ) -> (name: String, value: String)? {
    guard digest == request.digest(salt: salt, key: key) else { return nil }
    return (kind == .tag ? "If-None-Match" : "If-Modified-Since", value)
  }

  /// Returns whether a text is one entity tag, in quotes or, as some servers send it, without.
  ///
  /// A list, `*` and characters that a header field must not have are rejected.
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

  /// Returns whether a modification date proves the version that was sent.
  ///
  /// The response must be at least a second newer. Within the same second the resource could
  /// change again (RFC 9110, section 8.8.2.2).
  private static func isOld(_ modified: String, at sent: String?) -> Bool {
    guard let modified = date(modified), let sent = sent.flatMap(date) else { return false }
    return sent.seconds - modified.seconds >= 1
  }

  /// Returns a date in HTTP's current form; obsolete forms prove nothing.
  ///
  /// See RFC 9110, section 5.6.7.
  private static func date(_ text: String) -> HTTPDate? {
    guard text.utf8.count == 29, text.hasSuffix(" GMT"), !text.contains("-") else { return nil }
    return HTTPDate(text, now: 0)
  }
}
