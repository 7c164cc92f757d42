internal import Foundation
internal import Freshet

/// Keeps the secrets that the user wrote into the query of a list's URL out of page keys, which are
/// stored: a mark stands for each, and makes way for the secret when the page is asked for (rule N5).
///
/// So a key is the same after the secret was changed, too.
struct LinkSecrets: Sendable {
  private let origin: Origin?
  /// The secret parameters, by their unescaped names.
  private let values: [String: (raw: String, value: String)]

  init(of url: URL) {
    origin = Origin(url)
    var values: [String: (raw: String, value: String)] = [:]
    for member in Self.members(of: url.absoluteString).members {
      guard let (name, raw) = Self.parts(of: member), Secrets.isSecret(name), !raw.isEmpty else {
        continue
      }
      values[name] = (String(raw), Self.unescaped(raw))
    }
    self.values = values
  }

  /// A link with marks in place of the secrets.
  func marked(_ link: String) -> String {
    change(link) { $0.value == Self.unescaped($1) ? Secrets.mark : nil }
  }

  /// A link with the secrets in place of their marks.
  ///
  /// To another origin they do not go.
  func restored(_ link: String) -> String {
    guard let url = URL(string: link), let target = Origin(url), target == origin else {
      return link
    }
    return change(link) { $1 == Secrets.mark ? $0.raw : nil }
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
