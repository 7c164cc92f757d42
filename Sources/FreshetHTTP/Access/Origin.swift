internal import Foundation
internal import Freshet

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The scheme, host and port that credentials are for, compared as browsers do (RFC 6454).
///
/// Foundation converts a name that is not ASCII to punycode (IDNA) when it creates a URL. A URL
/// that two parsers could read differently is rejected. Examples are user information, escapes in
/// the host, a number that is not a plain IPv4 address, zones, and control characters. A host with
/// a dot at its end is another host.
struct Origin: Hashable, Sendable {
  let scheme: String
  let host: String
  let port: Int

  /// Creates the origin of an HTTP URL without user information; `nil` for all others.
  init?(_ url: URL) {
    guard let parts = Parts(url) else { return nil }
    self = parts.origin
  }

  /// Returns the URL rebuilt from its origin, path and query, without a fragment.
  ///
  /// A transport then requests exactly what was checked.
  static func address(of url: URL) -> String? {
    guard let parts = Parts(url) else { return nil }
    let origin = parts.origin
    let port = origin.port == (origin.scheme == "https" ? 443 : 80) ? "" : ":\(origin.port)"
    return "\(origin.scheme)://\(origin.host)\(port)\(parts.target)"
  }

  private init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host
    self.port = port
  }
}

extension Origin {
  /// The parts of a URL, split at its ASCII characters.
  private struct Parts {
    let origin: Origin
    /// The path and the query.
    let target: Substring

    init?(_ url: URL) {
      let text = url.absoluteString
      guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }),
        let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://")
      else { return nil }
      let scheme = text[..<colon].lowercased()
      guard scheme == "http" || scheme == "https" else { return nil }
      let rest = text[colon...].dropFirst(3)
      let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
      guard let (host, port) = Self.split(authority) else { return nil }
      origin = Origin(scheme: scheme, host: host, port: port ?? (scheme == "https" ? 443 : 80))
      let target = rest[authority.endIndex...].prefix { $0 != "#" }
      self.target = target.hasPrefix("/") ? target : "/\(target)"
    }

    private static func split(_ authority: Substring) -> (host: String, port: Int?)? {
      let isLiteral = authority.first == "["
      let end =
        isLiteral
        ? authority.firstIndex(of: "]").map { authority.index(after: $0) }
        : authority.firstIndex(of: ":") ?? authority.endIndex
      guard let end, let host = isLiteral ? address(authority[..<end]) : name(authority[..<end])
      else { return nil }
      let port = authority[end...]
      if port.isEmpty || port == ":" { return (host, nil) }
      let digits = port.dropFirst()
      guard port.first == ":", digits.utf8.count <= 5, digits.utf8.allSatisfy(isDigit),
        let number = UInt16(digits), number > 0
      else { return nil }
      return (host, Int(number))
    }

    /// Returns a name or an IPv4 address in lower case.
    private static func name(_ text: Substring) -> String? {
      let host = text.lowercased()
      var labels = host.split(separator: ".", omittingEmptySubsequences: false)
      let isRooted = labels.count > 1 && labels.last == ""
      if isRooted { labels.removeLast() }
      guard host.utf8.count <= 255,
        labels.allSatisfy({ (1...63).contains($0.utf8.count) && $0.utf8.allSatisfy(isOfName) })
      else { return nil }
      // Some parsers read a name that ends in a number as an address (`127.1`, `0x7f.1`). Only the
      // plain form is accepted.
      if let last = labels.last, last.utf8.allSatisfy(isDigit) || last.hasPrefix("0x") {
        let isPlain = labels.allSatisfy { label in UInt8(label).map { "\($0)" == label } == true }
        guard labels.count == 4, isPlain, !isRooted else { return nil }
      }
      return host
    }

    /// Returns an IPv6 address in brackets, in the one canonical form (RFC 5952).
    private static func address(_ text: Substring) -> String? {
      var bytes = in6_addr()
      var plain = [CChar](repeating: 0, count: 64)
      let isAddress = unsafe inet_pton(AF_INET6, String(text.dropFirst().dropLast()), &bytes) == 1
      guard isAddress, unsafe inet_ntop(AF_INET6, &bytes, &plain, socklen_t(plain.count)) != nil
      else { return nil }
      return
        "[\(String(decoding: plain.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))]"
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
      isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
  }
}

/// The policy for a link to another origin than the list's own.
@nonexhaustive
public enum ForeignLinks: Sendable {
  /// The link is not followed, and the load fails with `HTTPError.foreignLink`.
  case refused
  /// The link is followed without credentials; links from `https` to `http` are still refused.
  case withoutCredentials
}

/// The policy that decides which links are followed, and with which fields (rule N1).
///
/// A link is data from the server: it never decides who receives the credentials.
struct LinkPolicy: Sendable {
  let origin: Origin
  let foreignLinks: ForeignLinks

  /// Returns whether a request to this URL may carry credentials; throws if it must not be sent.
  func allowsCredentials(to url: URL) throws(HTTPError) -> Bool {
    guard let target = Origin(url) else { throw .foreignLink(url) }
    if target == origin { return true }
    let isDowngrade = origin.scheme == "https" && target.scheme == "http"
    guard foreignLinks == .withoutCredentials, !isDowngrade else { throw .foreignLink(url) }
    return false
  }
}
