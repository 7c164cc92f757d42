/// The links of an answer, as RFC 8288 writes them into `Link` headers.
///
/// Types may be several and in any case, parameters come in any order, quoted values may hold
/// commas and semicolons, and several headers may come, joined by commas. What cannot be read is
/// passed over, and so is a link that says that nothing is there (`results="false"`, as Sentry's).
struct LinkHeader: Sendable {
  /// One link: where it leads, and what it is.
  struct Link: Equatable, Sendable {
    /// The target as written: it may be relative to the URL of the answer.
    let target: String
    /// The relation types, in lower case.
    let relations: [String]
  }

  /// The links, in their order.
  let links: [Link]

  /// Reads the value of a `Link` header.
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
        // The first `rel` counts, as the RFC says.
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

  /// The target of the first link of a relation type.
  func target(_ relation: String) -> String? {
    links.first { $0.relations.contains(relation) }?.target
  }

  /// Takes one `; name=value` off the front; `nil` where the link ends.
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
