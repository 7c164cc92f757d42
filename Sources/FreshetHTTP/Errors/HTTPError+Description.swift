internal import struct Foundation.URL
internal import struct Foundation.URLError
internal import Freshet

extension HTTPError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The error, its place and what to try, for a log.
  ///
  /// It is one line. Secrets are masked, and the server's texts are escaped and bounded (rule N5).
  public var description: String {
    switch self {
    case .status(let status, let url, let retryAfter, let message):
      "GET \(LogText(url)) answered with status \(status)\(Self.words(message)). \(Self.advice(status, retryAfter))"
    case .heldBack(let url, let retryAfter, let reason):
      "GET \(LogText(url)) was held back, because the server asked to be left alone: \(LogText(reason)). \(Self.advice(429, retryAfter))"
    case .invalidURL(let url):
      "\(LogText(url)) is not the URL of a web API: it needs http or https, a host, and no user name or password. Give those as credentials, .basic(user:password:), or take them from the URL with .userInformation."
    case .invalidHeader(let name, let reason):
      "The header field \(LogText(name, limit: 80)) cannot be sent: \(LogText(reason)). Correct it where the source is made."
    case .foreignLink(let url) where !["http", "https"].contains(url.scheme?.lowercased()):
      "The server's link or redirection leads to \(LogText(url)), which is no address of the web. It is never followed: check the server."
    case .foreignLink(let url) where url.user != nil:
      "The server's link or redirection leads to \(LogText(url)), with a user name in it. It is never followed: ask the server for links without one."
    case .foreignLink(let url) where url.scheme?.lowercased() == "http":
      "The server's link or redirection leads to \(LogText(url)), which is not encrypted. From https that is never followed: ask the server for https. From http to another origin, allow it with foreignLinks if you trust it; it never gets your credentials."
    case .foreignLink(let url):
      "The server's link or redirection leads to another origin, \(LogText(url)). Allow it with foreignLinks if you trust it; it never gets your credentials."
    case .secretInLink(let url):
      "The server's link or redirection leads to another origin, \(LogText(url)), and holds a secret that you gave for the list's own. It is not followed: ask the server for links without it."
    case .redirection(let url, let reason):
      "GET \(LogText(url)) was redirected: \(LogText(reason)). Check the address."
    case .tooLarge(let limit):
      "The answer is longer than \(limit) bytes. Ask for smaller pages or raise the limit."
    case .unreachable(let url, let code, let reason):
      "GET \(LogText(url)) \(Self.ending(code)): \(LogText(reason)) (\(code.rawValue)). Check the address and the connection, then retry."
    }
  }

  /// The same text as `description`, so that debug output shows no secret either.
  public var debugDescription: String { description }

  /// Returns words for how a request without a response ended.
  private static func ending(_ code: URLError.Code) -> String {
    switch AlertText(code) {
    case .lost: "lost its connection"
    case .slow: "got no answer in time"
    case .insecure: "found no secure connection"
    case .unreadable: "got an answer that cannot be read"
    default: "did not reach the server"
    }
  }

  private static func words(_ message: String?) -> String {
    guard let message, !message.isEmpty else { return "" }
    return " and says “\(LogText(message))”"
  }

  private static func advice(_ status: Int, _ retryAfter: Duration?) -> String {
    if let retryAfter {
      let (whole, part) = retryAfter.components
      let seconds = part > 0 && whole < .max ? whole + 1 : whole
      return "Try again in \(seconds) \(seconds == 1 ? "second" : "seconds")."
    }
    return switch status {
    case 304:
      "Nothing was asked on the condition that it changed: the server is wrong, or a cache on the way. Try again later."
    case 300..<400: "Check the address: it is one that only points elsewhere."
    case 400, 422: "Check the address and how the server counts pages."
    case 401, 403: "Check the credentials."
    case 404, 410: "Check the address."
    case 406: "Check the Accept field: the server has no such format."
    case 408, 425, 429, 500...: "Try again later."
    default: "Check the address and what the server expects."
    }
  }
}
