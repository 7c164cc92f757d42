/// The time-outs of a transport.
///
/// Each is at least a millisecond and at most a day, even if another value is set.
///
/// ```swift
/// let patient = HTTPConfiguration(transport: .standard(timeouts: HTTPTimeouts(idle: .seconds(60))))
/// ```
public struct HTTPTimeouts: Hashable, Sendable {
  /// The longest time to make a connection: name lookup, socket and TLS.
  public var connect: Duration
  /// The longest time without receiving a byte, counted from when the request was sent.
  ///
  /// `URLSession` counts from when it started.
  public var idle: Duration
  /// The longest time for one response, from the request to its last byte.
  ///
  /// It also ends a response that arrives steadily but slowly.
  public var total: Duration

  /// Creates limits for the time that a request may take.
  ///
  /// The defaults are 15 seconds to connect, 30 seconds without a byte, and five minutes in all.
  public init(
    connect: Duration = .seconds(15), idle: Duration = .seconds(30), total: Duration = .seconds(300)
  ) {
    self.connect = connect
    self.idle = idle
    self.total = total
  }
}

extension HTTPTimeouts {
  /// The time-outs, limited to the allowed range.
  var bounded: HTTPTimeouts {
    func bounded(_ wait: Duration) -> Duration {
      min(max(.milliseconds(1), wait), .seconds(86_400))
    }
    return HTTPTimeouts(connect: bounded(connect), idle: bounded(idle), total: bounded(total))
  }
}

extension Duration {
  /// The whole milliseconds, for durations within the range of `HTTPTimeouts`.
  var milliseconds: Int {
    Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
