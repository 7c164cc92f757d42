internal import Foundation
internal import Freshet

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Who credentials are for: scheme, host and port, compared as browsers do (RFC 6454).
///
/// Foundation has made a name that is not ASCII into its punycode (IDNA) by the time there is a
/// URL. What two parsers could read in two ways is refused: user information, escapes in the host,
/// a number that is no plain IPv4 address, zones, control characters. A host with a dot at its end
/// is another host.
struct Origin: Hashable, Sendable {
  let scheme: String
  let host: String
  let port: Int

  /// The origin of an HTTP URL without user information; `nil` for all others.
  init?(_ url: URL) {
    guard let parts = Parts(url) else { return nil }
    self = parts.origin
  }

  /// The URL again, made of the origin and of what follows it, without a fragment: what a transport
  /// asks for is what was checked.
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
  /// A URL taken apart at its ASCII characters.
  private struct Parts {
    let origin: Origin
    /// Path and query.
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

    /// A name or an IPv4 address, in lower case.
    private static func name(_ text: Substring) -> String? {
      let host = text.lowercased()
      var labels = host.split(separator: ".", omittingEmptySubsequences: false)
      let isRooted = labels.count > 1 && labels.last == ""
      if isRooted { labels.removeLast() }
      guard host.utf8.count <= 255,
        labels.allSatisfy({ (1...63).contains($0.utf8.count) && $0.utf8.allSatisfy(isOfName) })
      else { return nil }
      // What ends in a number is an address to some (`127.1`, `0x7f.1`): only the plain form is.
      if let last = labels.last, last.utf8.allSatisfy(isDigit) || last.hasPrefix("0x") {
        let isPlain = labels.allSatisfy { label in UInt8(label).map { "\($0)" == label } == true }
        guard labels.count == 4, isPlain, !isRooted else { return nil }
      }
      return host
    }

    /// An IPv6 address in brackets, in the form that each address has only one of (RFC 5952).
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

/// What to do with a link that leads to another origin than the list's own.
@nonexhaustive
public enum ForeignLinks: Sendable {
  /// Do not follow it: the load fails with `HTTPError.foreignLink`.
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
  func allowsCredentials(to url: URL) throws(HTTPError) -> Bool {
    guard let target = Origin(url) else { throw .foreignLink(url) }
    if target == origin { return true }
    let isDowngrade = origin.scheme == "https" && target.scheme == "http"
    guard foreignLinks == .withoutCredentials, !isDowngrade else { throw .foreignLink(url) }
    return false
  }
}
