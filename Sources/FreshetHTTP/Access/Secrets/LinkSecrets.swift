internal import Foundation
internal import Freshet

/// Keeps secrets out of page keys, which are stored: a mark stands for each, and makes way for the
/// secret when the page is asked for (rule N5).
///
/// So a key is the same after the secret was changed, too. A secret of the list's own query is
/// `***` where a link has it under its own name. Elsewhere a mark says which one it is and how it
/// is written: `***q.api_key.w***`.
struct LinkSecrets: Sendable {
  private let origin: Origin?
  /// The secret parameters, by their unescaped names.
  private let values: [String: (raw: String, value: String)]
  /// All that requests carry.
  private(set) var sent = SentSecrets()

  /// - Parameters:
  ///   - url: the list's own.
  ///   - headers: what goes with every request; some of it may be secret.
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

  /// The values of secret parameters, however short, in the order of their names.
  var queryValues: [String] { values.sorted { $0.key < $1.key }.map(\.value.value) }

  /// These secrets and others.
  func adding(_ secrets: [SentSecret]) -> LinkSecrets {
    var result = self
    result.sent.add(secrets)
    return result
  }

  /// A link with marks in place of the secrets.
  func marked(_ link: String) -> String {
    // In a link elsewhere it has no place of its own.
    let isOwn = URL(string: link).flatMap(Origin.init) == origin
    let link =
      isOwn ? change(link) { $0.value == Self.unescaped($1) ? Secrets.mark : nil } : link
    return sent.replacing(sent.places(in: link), in: link) { Self.mark($0.secret, $0.code) }
  }

  /// A link with the secrets in place of their marks.
  ///
  /// To another origin they do not go.
  func restored(_ link: String) -> String {
    guard link.contains(Secrets.mark), let url = URL(string: link), let target = Origin(url),
      target == origin
    else { return link }
    return filled(change(link) { $1 == Secrets.mark ? $0.raw : nil })
  }

  /// A text that is no link with marks in place of the secrets.
  func markedText(_ text: String) -> String {
    sent.replacing(sent.places(in: text), in: text) { Self.mark($0.secret, $0.code) }
  }

  /// A text with the secrets in place of their marks.
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

  /// Whether a text has a mark of a header field's secret, which may have to be asked for.
  static func needsFields(_ text: String) -> Bool { text.contains("\(Secrets.mark)h.") }

  /// Whether a text has a mark that says which secret it stands for.
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

  /// What stands before the query, its members, and what stands behind it.
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
