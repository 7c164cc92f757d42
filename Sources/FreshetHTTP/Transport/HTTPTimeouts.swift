/// How long a transport waits for a server.
///
/// Each wait is at least a millisecond and at most a day, whatever is asked for.
///
/// ```swift
/// let patient = HTTPConfiguration(transport: .standard(timeouts: HTTPTimeouts(idle: .seconds(60))))
/// ```
public struct HTTPTimeouts: Hashable, Sendable {
  /// How long a connection may take to be made: name, socket and TLS.
  public var connect: Duration
  /// The longest time without receiving a byte, counted from when the request was sent.
  ///
  /// `URLSession` counts from when it started.
  public var idle: Duration
  /// How long one answer may take from the request to its last byte, however steadily it drips.
  public var total: Duration

  /// Creates time-outs: 15 seconds to connect, 30 without a byte, five minutes in all, unless you
  /// say otherwise.
  public init(
    connect: Duration = .seconds(15), idle: Duration = .seconds(30), total: Duration = .seconds(300)
  ) {
    self.connect = connect
    self.idle = idle
    self.total = total
  }
}

extension HTTPTimeouts {
  /// The waits within their bounds.
  var bounded: HTTPTimeouts {
    func bounded(_ wait: Duration) -> Duration {
      min(max(.milliseconds(1), wait), .seconds(86_400))
    }
    return HTTPTimeouts(connect: bounded(connect), idle: bounded(idle), total: bounded(total))
  }
}

extension Duration {
  /// Whole milliseconds, for durations within the bounds of `HTTPTimeouts`.
  var milliseconds: Int {
    Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
