// Where the transport of every source that names none is chosen.

#if os(Linux)
  /// What fetches unless you say otherwise: libcurl on Linux, `URLSession` on Apple's systems.
  public typealias StandardTransport = CurlTransport
#else
  /// What fetches unless you say otherwise: libcurl on Linux, `URLSession` on Apple's systems.
  public typealias StandardTransport = URLSessionTransport
#endif

extension HTTPTransport where Self == StandardTransport {
  /// The transport of every source that names none: they share its connections.
  public static var standard: StandardTransport { .shared }

  /// A transport of its own, with connections of its own.
  public static func standard(timeouts: HTTPTimeouts) -> StandardTransport {
    StandardTransport(timeouts: timeouts)
  }
}
