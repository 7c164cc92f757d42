import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Whether the terminal is the process's to draw on and to read from, or its shell's.
enum Foreground {
  /// Whether it is the process's; where there is none to ask, nobody else uses it.
  static var isOurs: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// Stops the process until its shell puts it in front, as editors do; signals have to do
  /// meanwhile what they do by themselves.
  ///
  /// - Returns: whether it is in front: where no shell looks after it any more, nobody can put it
  ///   there.
  static func wait() -> Bool {
    while !isOurs {
      // The kernel stops whoever sets a terminal from behind, and says where that would be for
      // ever.
      SignalPipe.shared?.forget([SIGTTOU])
      var settings = termios()
      guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
      if unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings) != 0, errno != EINTR { return isOurs }
    }
    return true
  }
}
