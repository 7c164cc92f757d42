internal import Foundation
internal import Freshet

/// The redirections of a request, within limits.
///
/// Every request of a source is a `GET`, so 301, 302, 303, 307 and 308 mean the same (RFC 9110,
/// section 15.4).
struct Redirections {
  /// The largest number of redirections that are followed.
  static var limit: Int { 10 }
  /// The longest URL that is followed, in bytes.
  static var longestURL: Int { 16_384 }

  private var visited: [URL]

  init(from url: URL) { visited = [url.withoutFragment] }

  /// The URL to request next.
  var current: URL { visited[visited.count - 1] }

  /// Follows the redirection of a response; returns `false` if it is not a redirection.
  mutating func follow(_ response: HTTPResponse) throws(HTTPError) -> Bool {
    guard [301, 302, 303, 307, 308].contains(response.status) else { return false }
    guard let location = response.headers["Location"], !location.isEmpty else {
      throw .redirection(current, reason: "status \(response.status) names no location")
    }
    guard location.utf8.count <= Self.longestURL,
      let target = URL(string: location, relativeTo: current)?.absoluteURL.withoutFragment
    else { throw .redirection(current, reason: "its location is not a URL") }
    if current.scheme?.lowercased() == "https", target.scheme?.lowercased() == "http" {
      throw .foreignLink(target)
    }
    if visited.contains(target) {
      throw .redirection(current, reason: "it leads in a circle, back to \(LogText(target))")
    }
    if visited.count > Self.limit {
      throw .redirection(current, reason: "it is the \(visited.count). in a row")
    }
    visited.append(target)
    return true
  }
}

extension URL {
  /// The URL as it is requested: a fragment is not sent (RFC 9110, section 4.2.5).
  fileprivate var withoutFragment: URL {
    guard let hash = absoluteString.firstIndex(of: "#") else { return absoluteURL }
    return URL(string: String(absoluteString[..<hash])) ?? absoluteURL
  }
}
