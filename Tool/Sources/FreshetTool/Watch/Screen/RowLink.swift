import Foundation

extension JSONValue {
  /// The link to the row for a browser.
  ///
  /// It is the first member with a usual name that is a web address, or else any such member.
  var link: URL? {
    let names = ["html_url", "web_url", "permalink", "html", "url", "link", "href", "alternate"]
    let inside = ["links", "_links", "properties", "attributes"]
    let places = names.map { [$0] } + inside.flatMap { outer in names.map { [outer, $0] } }
    let named = places.lazy.compactMap { self[$0]?.webAddress ?? self[$0 + ["href"]]?.webAddress }
    if let first = named.first { return first }
    guard case .object(let members) = self else { return nil }
    return members.lazy.compactMap(\.value.webAddress).first
  }

  /// The text as an address for a browser: `http` or `https`, with a host.
  private var webAddress: URL? {
    guard case .string(let text) = self, let url = URL(string: text),
      ["http", "https"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false
    else { return nil }
    return url
  }
}
