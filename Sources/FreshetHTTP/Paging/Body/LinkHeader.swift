/// The links in the `Link` headers of a response (RFC 8288).
///
/// A link may have several relation types, in any case. Its parameters may be in any order, and
/// quoted values may contain commas and semicolons. Several headers may be joined by commas.
/// Unreadable parts are skipped. A link is also skipped if it reports that its page is empty
/// (`results="false"`, as Sentry's).
struct LinkHeader: Sendable {
  /// A link: its target and its relation types.
  struct Link: Equatable, Sendable {
    /// The target as written, which may be relative to the URL of the response.
    let target: String
    /// The relation types, in lower case.
    let relations: [String]
  }

  /// The links, in their order.
  let links: [Link]

  /// Parses the value of a `Link` header.
  init(_ value: String) {
    var links: [Link] = []
    var rest = value[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: start)...]
      guard let end = rest.firstIndex(of: ">") else { break }
      let target = rest[..<end]
      rest = rest[rest.index(after: end)...]
      var relations: [String]?
      var hasResults = true
      while let (name, value) = Self.parameter(&rest) {
        // The first `rel` counts, as the RFC requires.
        if name == "rel", relations == nil {
          relations = value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        }
        if name == "results", value.lowercased() == "false" { hasResults = false }
      }
      guard hasResults else { continue }
      let url = target.filter { !$0.isWhitespace }
      links.append(Link(target: String(url), relations: relations ?? []))
    }
    self.links = links
  }

  /// Returns the target of the first link with a relation type.
  func target(_ relation: String) -> String? {
    links.first { $0.relations.contains(relation) }?.target
  }

  /// Removes one `; name=value` from the front and returns it; `nil` at the end of the link.
  private static func parameter(_ rest: inout Substring) -> (name: String, value: String)? {
    rest = rest.drop(while: \.isWhitespace)
    guard rest.first == ";" else { return nil }
    rest = rest.dropFirst().drop(while: \.isWhitespace)
    let name = rest.prefix { !"=;,".contains($0) && !$0.isWhitespace }
    rest = rest[name.endIndex...].drop(while: \.isWhitespace)
    guard rest.first == "=" else { return (name.lowercased(), "") }
    rest = rest.dropFirst().drop(while: \.isWhitespace)
    guard rest.first == "\"" else {
      let value = rest.prefix { !";,".contains($0) && !$0.isWhitespace }
      rest = rest[value.endIndex...]
      return (name.lowercased(), String(value))
    }
    rest = rest.dropFirst()
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let escaped = rest.popFirst() {
        value.append(escaped)
      } else {
        value.append(character)
      }
    }
    return (name.lowercased(), value)
  }
}
