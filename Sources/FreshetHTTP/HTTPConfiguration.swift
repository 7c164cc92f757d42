/// The settings for requests to a web API.
///
/// ```swift
/// let patient = HTTPConfiguration(transport: .standard(timeouts: HTTPTimeouts(idle: .seconds(60))))
/// ```
public struct HTTPConfiguration: Sendable {
  /// The policy for a page with an item that cannot be decoded.
  @nonexhaustive
  public enum InvalidItems: Sendable {
    /// The load fails with an error that names the place.
    case failPage
    /// The page is loaded without the item.
    ///
    /// `ListValue.diagnostics` counts such rows. It also has the error of the first one, from the
    /// last page that had any.
    case skipInvalid
  }

  /// The header fields of every request to any origin, such as `User-Agent` and `Accept`.
  ///
  /// `Accept` is JSON of any kind by default. Put secrets into `HTTPCredentials`. A field that
  /// cannot be sent fails each load with `HTTPError.invalidHeader`.
  public var headers: HTTPHeaders = [:]
  /// The policy for a next link to another origin.
  public var foreignLinks = ForeignLinks.refused
  /// The policy for a page with an item that cannot be decoded.
  public var invalidItems = InvalidItems.failPage
  /// The longest body to accept, in bytes after decompression; 16 MB by default.
  ///
  /// It is at least one byte and at most 1 GB. A body may hold one value for each 12 bytes of the
  /// limit, and always 100,000. So the decoded values take at most about 8 times the limit.
  public var bodyLimit = 16 << 20 { didSet { bodyLimit = Self.clamped(bodyLimit, to: 1 << 30) } }
  /// The largest number of running requests to one origin.
  ///
  /// It covers all sources of the process together. It is at least one and at most 64.
  public var requestsAtOnce = 4 {
    didSet { requestsAtOnce = Self.clamped(requestsAtOnce, to: 64) }
  }
  /// The limiter for requests to an origin; shared by the process unless a test creates its own.
  public var rateLimiter = RateLimiter.shared
  /// The transport; `nil` for libcurl on Linux and `URLSession` elsewhere.
  public var transport: (any HTTPTransport)?

  /// Creates a configuration; every argument has a default.
  public init(
    headers: HTTPHeaders = [:], foreignLinks: ForeignLinks = .refused,
    invalidItems: InvalidItems = .failPage, bodyLimit: Int = 16 << 20, requestsAtOnce: Int = 4,
    rateLimiter: RateLimiter = .shared, transport: (any HTTPTransport)? = nil
  ) {
    self.headers = headers
    self.foreignLinks = foreignLinks
    self.invalidItems = invalidItems
    self.bodyLimit = Self.clamped(bodyLimit, to: 1 << 30)
    self.requestsAtOnce = Self.clamped(requestsAtOnce, to: 64)
    self.rateLimiter = rateLimiter
    self.transport = transport
  }

  private static func clamped(_ number: Int, to most: Int) -> Int { min(max(1, number), most) }
}
