internal import Foundation

extension CharacterSet {
  /// The characters that need no escape anywhere in a URL (RFC 3986, section 2.3).
  static let unreserved = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
}

extension URL {
  /// Returns the URL with query parameters set to these values.
  func settingQuery(_ parameters: [String: String]) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
    func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? text
    }
    // The user's own parameters keep their escapes: a plus may mean a space.
    var items = (parts.percentEncodedQueryItems ?? []).filter {
      parameters[$0.name.removingPercentEncoding ?? $0.name] == nil
    }
    items += parameters.sorted { $0.key < $1.key }.map {
      URLQueryItem(name: encoded($0.key), value: encoded($0.value))
    }
    parts.percentEncodedQueryItems = items
    return parts.url ?? self
  }
}
