import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The process's access to the terminal: only in the foreground may it draw and read keys.
enum Foreground {
  /// Whether the process is in the foreground of its terminal.
  ///
  /// It is also true if there is no terminal to ask: no other process uses it then.
  static var isOurs: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// Stops the process until its shell moves it to the foreground, as editors do.
  ///
  /// Meanwhile signals must have their default actions.
  ///
  /// - Returns: whether the process is in the foreground. If no shell controls it any more, nothing
  ///   can move it there.
  static func wait() -> Bool {
    while !isOurs {
      // The kernel stops a background process that sets the terminal. If no shell could continue
      // the process, `tcsetattr` fails instead.
      SignalPipe.shared?.forget([SIGTTOU])
      var settings = termios()
      guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
      if unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings) != 0, errno != EINTR { return isOurs }
    }
    return true
  }
}
