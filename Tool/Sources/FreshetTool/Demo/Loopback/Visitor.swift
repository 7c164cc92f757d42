import FlyingFox
import Foundation

/// Who may ask a server on loopback: programs of this machine, and the page it serves itself.
///
/// A page of any site can send requests to loopback, and can let a name of its own lead there (DNS
/// rebinding). So the name that was asked for has to be one of loopback's, and what a page asks for
/// has to come from the page of that name.
enum Visitor {
  /// Throws where the request comes from elsewhere.
  static func check(_ request: HTTPRequest) throws(Refusal) {
    guard let host = request.headers[.host]?.lowercased(), isLoopback(host) else {
      throw Refusal(
        .forbidden, "This server answers to 127.0.0.1, localhost and [::1] only. Ask one of them.")
    }
    let origin = request.headers[HTTPHeader("Origin")]?.lowercased()
    let site = request.headers[HTTPHeader("Sec-Fetch-Site")]?.lowercased()
    // A link from elsewhere may lead here; it changes nothing, and elsewhere cannot read the
    // answer.
    let isForeign = site != nil && site != "same-origin" && site != "none"
    guard origin == nil || origin == "http://\(host)", request.method == .GET || !isForeign else {
      throw Refusal(
        .forbidden, "A page of another site may not ask this. Open http://\(host)/ instead.")
    }
  }

  /// Whether the value of a `Host` header names loopback, with or without a port.
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
