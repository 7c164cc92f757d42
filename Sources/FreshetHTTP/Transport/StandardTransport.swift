// The choice of the transport for every source that does not specify one.

#if os(Linux)
  /// The default transport: libcurl on Linux, `URLSession` on Apple's systems.
  public typealias StandardTransport = CurlTransport
#else
  /// The default transport: libcurl on Linux, `URLSession` on Apple's systems.
  public typealias StandardTransport = URLSessionTransport
#endif

extension HTTPTransport where Self == StandardTransport {
  /// The shared transport, used with its connections by every source that does not specify one.
  public static var standard: StandardTransport { .shared }

  /// Returns a separate transport with its own connections.
  public static func standard(timeouts: HTTPTimeouts) -> StandardTransport {
    StandardTransport(timeouts: timeouts)
  }
}
