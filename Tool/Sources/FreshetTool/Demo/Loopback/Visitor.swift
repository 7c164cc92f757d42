import FlyingFox
import Foundation

/// The check of requests to a server on loopback: only local programs and its own page may ask.
///
/// A page of any site can send requests to loopback, and can point a host name of its own there
/// (DNS rebinding). So the host of a request has to be a name of loopback. A request from a page
/// has to be from the page of that host.
enum Visitor {
  /// Checks a request, and throws a refusal if it is from elsewhere.
  static func check(_ request: HTTPRequest) throws(Refusal) {
    guard let host = request.headers[.host]?.lowercased(), isLoopback(host) else {
      throw Refusal(
        .forbidden, "This server answers to 127.0.0.1, localhost and [::1] only. Ask one of them.")
    }
    let origin = request.headers[HTTPHeader("Origin")]?.lowercased()
    let site = request.headers[HTTPHeader("Sec-Fetch-Site")]?.lowercased()
    let mode = request.headers[HTTPHeader("Sec-Fetch-Mode")]?.lowercased()
    // A link on another site may lead here: it changes nothing, and that site cannot read the
    // response. Its scripts may not ask.
    let isLink = request.method == .GET && mode != "no-cors" && mode != "cors"
    let isForeign = site != nil && site != "same-origin" && site != "none"
    guard origin == nil || origin == "http://\(host)", isLink || !isForeign else {
      throw Refusal(
        .forbidden, "A page of another site may not ask this. Open http://\(host)/ instead.")
    }
  }

  /// Returns whether the value of a `Host` header names loopback, with or without a port.
  static func isLoopback(_ host: String) -> Bool {
    guard let name = ["127.0.0.1", "localhost", "[::1]"].first(where: host.hasPrefix) else {
      return false
    }
    let port = host.dropFirst(name.count)
    return port.isEmpty
      || port.first == ":" && port.dropFirst().utf8.allSatisfy { 48...57 ~= $0 }
        && UInt16(port.dropFirst()) != nil
  }
}
