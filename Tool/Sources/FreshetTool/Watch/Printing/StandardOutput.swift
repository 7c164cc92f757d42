import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A stream of the process to which each text is written at once.
struct StandardOutput: Sendable {
  private let descriptor: Int32

  static let output = StandardOutput(descriptor: STDOUT_FILENO)
  static let error = StandardOutput(descriptor: STDERR_FILENO)

  init(descriptor: Int32) { self.descriptor = descriptor }

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Writes the whole text.
  ///
  /// If the reader of a pipe has closed it, the process ends as other tools do: by `SIGPIPE`,
  /// without a message.
  ///
  /// - Throws: a failure with exit code 74 if the text cannot be written.
  func write(_ text: String) throws(WatchFailure) {
    var rest = ArraySlice(Array(text.utf8))
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes { bytes in
        unsafe systemWrite(descriptor, bytes.baseAddress, bytes.count)
      }
      guard written < 0 else {
        rest = rest.dropFirst(written)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&state, 1, -1)
      case EPIPE: try endByBrokenPipe()
      case let code: throw Self.failure(code)
      }
    }
  }

  /// Ends the process as `write(_:)` does, if the reader of a pipe has closed it.
  func checkReader() throws(WatchFailure) {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    guard unsafe poll(&state, 1, 0) > 0, state.revents & Int16(POLLERR | POLLHUP) != 0 else {
      return
    }
    try endByBrokenPipe()
  }

  private func endByBrokenPipe() throws(WatchFailure) {
    _ = signal(SIGPIPE, SIG_DFL)
    _ = raise(SIGPIPE)
    throw Self.failure(EPIPE)
  }

  static func failure(_ code: Int32) -> WatchFailure {
    WatchFailure(
      unsafe "Cannot write the output: \(String(cString: strerror(code))).",
      code: WatchFailure.output)
  }

  /// Makes writes to a pipe or a socket without a reader fail instead of ending the process.
  static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
