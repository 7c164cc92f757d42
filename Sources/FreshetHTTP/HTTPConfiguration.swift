/// How a web API is asked.
public struct HTTPConfiguration: Sendable {
  /// What becomes of a page with an item that does not decode.
  public enum InvalidItems: Sendable {
    /// The load fails with an error that says where.
    case failPage
    /// The page comes without it.
    case skipInvalid
  }

  /// Header fields of every request, wherever it goes: `Accept`, `User-Agent`.
  ///
  /// Secrets belong into `HTTPCredentials`.
  public var headers: HTTPHeaders = [:]
  /// What to do with a next link to another origin.
  public var foreignLinks = ForeignLinks.refused
  /// What becomes of a page with an item that does not decode.
  public var invalidItems = InvalidItems.failPage
  /// The longest body to accept, in bytes after it is unpacked; 16 MB unless you say otherwise.
  public var bodyLimit = 16 << 20
  /// How many requests may be on their way to one origin, all sources of the process together.
  public var requestsAtOnce = 4
  /// What fetches; `nil` for libcurl on Linux and `URLSession` elsewhere.
  public var transport: (any HTTPTransport)?

  /// Creates the default, changed where an argument says so.
  public init(
    headers: HTTPHeaders = [:], foreignLinks: ForeignLinks = .refused,
    invalidItems: InvalidItems = .failPage, bodyLimit: Int = 16 << 20, requestsAtOnce: Int = 4,
    transport: (any HTTPTransport)? = nil
  ) {
    self.headers = headers
    self.foreignLinks = foreignLinks
    self.invalidItems = invalidItems
    self.bodyLimit = bodyLimit
    self.requestsAtOnce = requestsAtOnce
    self.transport = transport
  }
}
