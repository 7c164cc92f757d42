internal import Foundation
internal import Freshet

/// Who credentials are for: scheme, host and port (RFC 6454).
struct Origin: Hashable, Sendable {
  let scheme: String
  let host: String
  let port: Int

  /// The origin of an HTTP URL without user information; `nil` for all others.
  init?(_ url: URL) {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil, parts.password == nil
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = parts.port ?? (scheme == "https" ? 443 : 80)
  }
}

/// What to do with a link that leads to another origin than the list's own.
public enum ForeignLinks: Sendable {
  /// Fail with `FeedError.foreignLink`.
  case refused
  /// Follow it without credentials. Links from `https` to `http` are refused all the same.
  case withoutCredentials
}

/// Decides which links are followed, and with what (rule N1).
///
/// A link is data from the server: it never decides who gets the credentials.
struct LinkPolicy: Sendable {
  let origin: Origin
  let foreignLinks: ForeignLinks

  /// Whether a request to this URL may carry credentials; throws where it may not be made.
  func allowsCredentials(to url: URL) throws(FeedError) -> Bool {
    guard let target = Origin(url) else { throw .foreignLink(url) }
    if target == origin { return true }
    let isDowngrade = origin.scheme == "https" && target.scheme == "http"
    guard foreignLinks == .withoutCredentials, !isDowngrade else { throw .foreignLink(url) }
    return false
  }
}
