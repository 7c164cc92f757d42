import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A prompt for a line that is not shown while it is typed.
///
/// Signals that end or stop the process keep their effect. The terminal then shows again what is
/// typed.
struct PasswordPrompt {
  private let prompt: String
  private let settings: termios

  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

  init(_ prompt: String) {
    self.prompt = prompt
    var settings = termios()
    _ = unsafe tcgetattr(STDIN_FILENO, &settings)
    self.settings = settings
  }

  /// Returns the line that the user types; `nil` if no line can be read.
  func ask() -> String? {
    guard let pipe = SignalPipe.shared else { return nil }
    begin(pipe)
    defer { end(pipe) }
    var typed: [UInt8] = []
    while true {
      var files = [
        pollfd(fd: pipe.file, events: Int16(POLLIN), revents: 0),
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&files, 2, -1) >= 0 || errno == EINTR else { return nil }
      if files[0].revents != 0 {
        for signal in SignalPipe.bytes(of: pipe.file) ?? [] {
          end(pipe)
          pipe.obey(Int32(signal))
          // The process was stopped, and continues.
          guard Foreground.wait() else { return nil }
          typed = []
          begin(pipe)
        }
      } else if files[1].revents != 0 {
        guard let bytes = SignalPipe.bytes(of: STDIN_FILENO) else { return nil }
        typed += bytes
        guard let end = typed.firstIndex(of: 0x0A) else { continue }
        return String(decoding: typed[..<end], as: UTF8.self)
      }
    }
  }

  private func begin(_ pipe: SignalPipe) {
    pipe.note(Self.signals)
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    try? StandardOutput.error.write(prompt)
  }

  private func end(_ pipe: SignalPipe) {
    var settings = settings
    _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    pipe.forget(Self.signals)
    try? StandardOutput.error.write("\n")
  }
}
