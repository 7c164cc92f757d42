import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a signal does.
private typealias SignalAction = (@convention(c) (Int32) -> Void)?

/// The pipe that a signal's handler writes to: all that such a handler may do.
///
/// It is set before any handler is there, and never again.
private nonisolated(unsafe) var signalPipe: (read: Int32, write: Int32) = (-1, -1)

/// Keys and signals, as one thread reads them.
enum TerminalInput: Sendable {
  case keys([Key])
  case signal(Int32)
  /// Nobody types any more.
  case ended

  /// What a terminal has to know of: its size, and whoever asks the process to end or to stop.
  private static let signals = [SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT]

  /// Begins to read; once for a process.
  static func read(_ take: @escaping @Sendable (TerminalInput) -> Void) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return take(.ended) }
    unsafe signalPipe = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    for signal in signals { catchSignal(signal) }
    let signals = ends[0]
    Thread.detachNewThread { readAll(signals, take) }
  }

  /// Lets a signal do what it does by itself: ends or stops the process.
  static func obey(_ number: Int32) {
    _ = systemSignal(number, SIG_DFL)
    // Threads of a pool let others take the signals.
    var set = sigset_t()
    _ = unsafe sigemptyset(&set)
    _ = unsafe sigaddset(&set, number)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    _ = raise(number)
  }

  /// Notes a signal instead of what it does by itself.
  static func catchSignal(_ number: Int32) {
    _ = systemSignal(number) { number in
      let code = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = unsafe write(signalPipe.write, &byte, 1)
      errno = code
    }
  }

  private static func readAll(_ signals: Int32, _ take: (TerminalInput) -> Void) {
    var keys = KeyReader()
    while true {
      var files = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&files, 2, -1) >= 0 else {
        if errno == EINTR { continue }
        return take(.ended)
      }
      if files[1].revents != 0 {
        for byte in bytes(of: signals) ?? [] { take(.signal(Int32(byte))) }
      }
      if files[0].revents != 0 {
        guard let bytes = bytes(of: STDIN_FILENO) else { return take(.ended) }
        take(.keys(keys.keys(in: bytes)))
      }
    }
  }

  /// What can be read now; `nil` at the end.
  private static func bytes(of file: Int32) -> ArraySlice<UInt8>? {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = unsafe systemRead(file, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? bytes[..<count] : nil
  }
}

private func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  unsafe read(file, bytes, count)
}

private func systemSignal(_ number: Int32, _ action: SignalAction) -> SignalAction {
  signal(number, action)
}
