import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The action of a signal.
private typealias SignalAction = (@convention(c) (Int32) -> Void)?

/// The end of the pipe that signal handlers write to; such a handler may do no more than that.
///
/// It is set before the first handler is installed, and never again.
private nonisolated(unsafe) var writeEnd: Int32 = -1

/// The pipe that records signals in place of their default actions; one per process.
struct SignalPipe: Sendable {
  /// The file to read from; each signal that arrived is one byte in it.
  let file: Int32

  /// The pipe of the process; `nil` if no file can be opened any more.
  static let shared: SignalPipe? = {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    unsafe writeEnd = ends[1]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    return SignalPipe(file: ends[0])
  }()

  /// Records these signals from now on.
  func note(_ signals: [Int32]) {
    for number in signals {
      _ = systemSignal(number) { number in
        let code = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(writeEnd, &byte, 1)
        errno = code
      }
    }
  }

  /// Restores the default actions of these signals.
  ///
  /// It also unblocks them on this thread, which may wait: the threads of a pool block signals and
  /// leave them to other threads.
  func forget(_ signals: [Int32]) {
    var set = sigset_t()
    _ = unsafe sigemptyset(&set)
    for number in signals {
      _ = systemSignal(number, SIG_DFL)
      _ = unsafe sigaddset(&set, number)
    }
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Performs the default action of a signal, which ends or stops the process.
  func obey(_ number: Int32) {
    forget([number])
    _ = raise(number)
  }

  /// Returns the bytes that can be read from a file now; `nil` at its end or after an error.
  static func bytes(of file: Int32) -> ArraySlice<UInt8>? {
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
