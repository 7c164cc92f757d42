/// How a web API is asked.
///
/// ```swift
/// let patient = HTTPConfiguration(transport: .standard(timeouts: HTTPTimeouts(idle: .seconds(60))))
/// ```
public struct HTTPConfiguration: Sendable {
  /// What becomes of a page with an item that does not decode.
  @nonexhaustive
  public enum InvalidItems: Sendable {
    /// The load fails with an error that says where.
    case failPage
    /// The page comes without it; `ListValue.diagnostics` counts such rows, and says what was wrong
    /// with the first of the last page that had any.
    case skipInvalid
  }

  /// Header fields of every request, wherever it goes: `User-Agent`, `Accept`, which is JSON of any
  /// kind unless you say otherwise.
  ///
  /// Secrets belong into `HTTPCredentials`. A field that cannot be sent fails each load with
  /// `HTTPError.invalidHeader`.
  public var headers: HTTPHeaders = [:]
  /// What to do with a next link to another origin.
  public var foreignLinks = ForeignLinks.refused
  /// What becomes of a page with an item that does not decode.
  public var invalidItems = InvalidItems.failPage
  /// The longest body to accept, in bytes after it is unpacked; 16 MB unless you say otherwise, at
  /// least one byte, and at most 1 GB.
  ///
  /// A body may hold one value for each 12 bytes of it, and always 100,000: what a decoder makes of
  /// it takes about 8 times the limit at most.
  public var bodyLimit = 16 << 20 { didSet { bodyLimit = Self.clamped(bodyLimit, to: 1 << 30) } }
  /// How many requests may be on their way to one origin, all sources of the process together: at
  /// least one and at most 64.
  public var requestsAtOnce = 4 {
    didSet { requestsAtOnce = Self.clamped(requestsAtOnce, to: 64) }
  }
  /// What keeps requests to an origin few; the one of the process unless a test makes its own.
  public var rateLimiter = RateLimiter.shared
  /// What fetches; `nil` for libcurl on Linux and `URLSession` elsewhere.
  public var transport: (any HTTPTransport)?

  /// Creates the default, changed where an argument says so.
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
