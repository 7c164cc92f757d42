internal import Foundation
internal import Freshet

/// The secrets that are kept out of stored page keys (rule N5).
///
/// A mark replaces each secret in a key. When the page is requested, the secret replaces the mark.
/// So a key stays the same when a secret changes.
///
/// A secret of the list's own query is marked `***` if a link has it under its own name. Elsewhere
/// the mark names the secret and the form in which it is written: `***q.api_key.w***`.
struct LinkSecrets: Sendable {
  private let origin: Origin?
  /// The secret query parameters, by their unescaped names.
  private let values: [String: (raw: String, value: String)]
  /// All secrets that requests carry.
  private(set) var sent = SentSecrets()

  /// - Parameters:
  ///   - url: the list's own URL.
  ///   - headers: the fields of every request; some may be secret.
  init(of url: URL, headers: HTTPHeaders = [:]) {
    origin = Origin(url)
    var values: [String: (raw: String, value: String)] = [:]
    for member in Self.members(of: url.absoluteString).members {
      guard let (name, raw) = Self.parts(of: member), Secrets.isSecret(name), !raw.isEmpty else {
        continue
      }
      values[name] = (String(raw), Self.unescaped(raw))
    }
    self.values = values
    sent.add(
      values.sorted { $0.key < $1.key }.compactMap {
        SentSecret("q.\($0.key)", $0.value.value, written: $0.value.raw)
      })
    sent.add(SentSecret.telling(in: headers))
  }

  /// The values of secret parameters of any length, sorted by the names of the parameters.
  var queryValues: [String] { values.sorted { $0.key < $1.key }.map(\.value.value) }

  /// Returns these secrets and others.
  func adding(_ secrets: [SentSecret]) -> LinkSecrets {
    var result = self
    result.sent.add(secrets)
    return result
  }

  /// Returns a link with marks in place of its secrets.
  func marked(_ link: String) -> String {
    // A link to another origin does not have the list's own parameters.
    let isOwn = URL(string: link).flatMap(Origin.init) == origin
    let link =
      isOwn ? change(link) { $0.value == Self.unescaped($1) ? Secrets.mark : nil } : link
    return sent.replacing(sent.places(in: link), in: link) { Self.mark($0.secret, $0.code) }
  }

  /// Returns a link with the secrets in place of their marks.
  ///
  /// A link to another origin is returned as it is.
  func restored(_ link: String) -> String {
    guard link.contains(Secrets.mark), let url = URL(string: link), let target = Origin(url),
      target == origin
    else { return link }
    return filled(change(link) { $1 == Secrets.mark ? $0.raw : nil })
  }

  /// Returns a text that is not a link, with marks in place of its secrets.
  func markedText(_ text: String) -> String {
    sent.replacing(sent.places(in: text), in: text) { Self.mark($0.secret, $0.code) }
  }

  /// Returns a text with the secrets in place of their marks.
  func filled(_ text: String) -> String {
    guard text.contains(Secrets.mark) else { return text }
    var text = text
    for secret in sent.all {
      let start = Self.start(secret)
      guard text.contains(start) else { continue }
      for code in secret.codes {
        guard let written = secret.text(code) else { continue }
        text = text.replacing("\(start)\(code)\(Secrets.mark)", with: written)
      }
    }
    return text
  }

  /// Returns whether a text has a mark for a secret from a header field.
  ///
  /// The credentials may have to be requested for it.
  static func needsFields(_ text: String) -> Bool { text.contains("\(Secrets.mark)h.") }

  /// Returns whether a text has a mark that names its secret.
  static func isMarked(_ text: String) -> Bool {
    needsFields(text) || text.contains("\(Secrets.mark)q.")
  }

  private static func mark(_ secret: SentSecret, _ code: String) -> String {
    "\(start(secret))\(code)\(Secrets.mark)"
  }

  private static func start(_ secret: SentSecret) -> String {
    let name = secret.name.addingPercentEncoding(withAllowedCharacters: .unreserved)
    return "\(Secrets.mark)\(name ?? secret.name)."
  }

  private func change(
    _ link: String, _ replacement: (_ secret: (raw: String, value: String), Substring) -> String?
  ) -> String {
    guard !values.isEmpty else { return link }
    let (start, members, end) = Self.members(of: link)
    guard !members.isEmpty else { return link }
    let changed = members.map { member -> String in
      guard let (name, raw) = Self.parts(of: member), let secret = values[name],
        let new = replacement(secret, raw)
      else { return String(member) }
      return "\(member[..<raw.startIndex])\(new)"
    }
    return start + changed.joined(separator: "&") + end
  }

  /// Splits a link into the part before its query, the query's members, and the part after it.
  private static func members(
    of link: String
  ) -> (start: String, members: [Substring], end: String) {
    let end = link.firstIndex(of: "#") ?? link.endIndex
    guard let mark = link[..<end].firstIndex(of: "?") else { return (link, [], "") }
    let start = link.index(after: mark)
    return (
      String(link[..<start]),
      link[start..<end].split(separator: "&", omittingEmptySubsequences: false),
      String(link[end...])
    )
  }

  private static func parts(of member: Substring) -> (name: String, raw: Substring)? {
    guard let equals = member.firstIndex(of: "=") else { return nil }
    return (unescaped(member[..<equals]), member[member.index(after: equals)...])
  }

  private static func unescaped(_ text: Substring) -> String {
    let text = text.replacing("+", with: " ")
    return text.removingPercentEncoding ?? String(text)
  }
}
