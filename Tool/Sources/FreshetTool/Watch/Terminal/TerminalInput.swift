import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The keys and signals that one thread reads.
enum TerminalInput: Sendable {
  case keys([Key])
  case signal(Int32)
  /// No more input can be read.
  case ended

  /// The signals to observe: a new size, and requests to end, stop or continue the process.
  static let signals = [SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT]

  /// How long the rest of a key may take, in milliseconds.
  ///
  /// A network may split bytes that a terminal sends together.
  private static let keyWait: Int32 = 50
  /// How often to check whether the process is in the foreground again, in milliseconds.
  private static let look: Int32 = 100

  /// Starts reading; call it once per process.
  static func read(_ take: @escaping @Sendable (TerminalInput) -> Void) {
    guard let pipe = SignalPipe.shared else { return take(.ended) }
    pipe.note(signals)
    Thread.detachNewThread { readAll(pipe.file, take) }
  }

  private static func readAll(_ signals: Int32, _ take: (TerminalInput) -> Void) {
    var keys = KeyReader()
    while true {
      // Keys typed while a shell is in the foreground are not for this process.
      let isOurs = Foreground.isOurs
      var files = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isOurs ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&files, 2, isOurs ? (keys.isWaiting ? keyWait : -1) : look)
      guard count >= 0 else {
        if errno == EINTR { continue }
        return take(.ended)
      }
      if count == 0, keys.isWaiting { take(.keys(keys.endWaiting())) }
      if files[0].revents != 0 {
        for byte in SignalPipe.bytes(of: signals) ?? [] { take(.signal(Int32(byte))) }
      }
      if files[1].revents != 0, Foreground.isOurs {
        guard let bytes = SignalPipe.bytes(of: STDIN_FILENO) else {
          if Foreground.isOurs { return take(.ended) }
          continue
        }
        take(.keys(keys.keys(in: bytes)))
      }
    }
  }
}
