import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The output to a terminal, without a long wait if the terminal does not read it.
///
/// It opens a file of its own. Whether writes block is a setting of an open file, and the process
/// shares its file with the shell.
final class TerminalOutput {
  private let file: Int32
  private var waiting: ArraySlice<UInt8> = []

  /// How long a write may wait for the terminal to accept more text, in milliseconds.
  private static let patience: Int32 = 200

  /// Opens the terminal of a file descriptor.
  ///
  /// If that fails, it uses the descriptor itself, whose writes may block.
  init(_ descriptor: Int32) {
    let name = unsafe ttyname(descriptor)
    let opened =
      unsafe name.map { unsafe open($0, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) } ?? -1
    file = opened < 0 ? descriptor : opened
  }

  /// Whether all text is written.
  var isDone: Bool { waiting.isEmpty }

  /// Appends a text to the pending output, and writes as much as the terminal accepts.
  ///
  /// The rest is kept until `resume()` writes it.
  ///
  /// - Throws: a failure with exit code 74 if the text cannot be written.
  func write(_ text: String) throws(WatchFailure) {
    waiting += Array(text.utf8)
    try resume()
  }

  /// Writes pending output until the terminal accepts no more.
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

  /// Discards pending output in favour of newer output.
  func skip() { waiting = [] }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
