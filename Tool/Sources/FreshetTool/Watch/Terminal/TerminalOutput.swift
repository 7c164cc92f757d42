import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What is written to a terminal, without waiting for long where nobody reads.
///
/// It writes to a file of its own: whether a file waits is a matter of all who share it, and the
/// shell does.
final class TerminalOutput {
  private let file: Int32
  private var waiting: ArraySlice<UInt8> = []

  /// How long a terminal that is read may take for some text, in milliseconds.
  private static let patience: Int32 = 200

  /// Opens the terminal of a file; the file itself, which may wait, where that has no name.
  init(_ descriptor: Int32) {
    let name = unsafe ttyname(descriptor)
    let opened =
      unsafe name.map { unsafe open($0, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) } ?? -1
    file = opened < 0 ? descriptor : opened
  }

  /// Whether all is written.
  var isDone: Bool { waiting.isEmpty }

  /// Writes a text behind what waits; what is not taken at once waits for `resume()`.
  ///
  /// - Throws: why it cannot be written, exit code 74.
  func write(_ text: String) throws(WatchFailure) {
    waiting += Array(text.utf8)
    try resume()
  }

  /// Writes what waits, as much of it as is taken.
  func resume() throws(WatchFailure) {
    while !waiting.isEmpty {
      let count = unsafe waiting.withUnsafeBytes { bytes in
        unsafe systemWrite(file, bytes.baseAddress, bytes.count)
      }
      if count >= 0 {
        waiting = waiting.dropFirst(count)
      } else if errno == EAGAIN {
        var state = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        if unsafe poll(&state, 1, Self.patience) == 0 { return }
      } else if errno != EINTR {
        throw StandardOutput.failure(errno)
      }
    }
    waiting = []
  }

  /// Forgets what waits: what comes next is more important.
  func skip() { waiting = [] }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
