import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The terminal of the process, as a separate screen whose keys are read one by one.
final class Terminal {
  private let output: TerminalOutput
  private let settings: termios
  private let hasColour: Bool
  private var shown: Frame?

  /// The sequence that enters the alternate screen, hides the cursor and turns wrapping off.
  private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leaving = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Creates the terminal of the process; `nil` if it has none that can be drawn on.
  init?(environment: [String: String]) {
    var settings = termios()
    guard StandardOutput.output.isTerminal, !["", "dumb"].contains(environment["TERM"] ?? ""),
      unsafe tcgetattr(STDIN_FILENO, &settings) == 0
    else { return nil }
    self.settings = settings
    output = TerminalOutput(STDOUT_FILENO)
    hasColour = environment["NO_COLOR"]?.isEmpty ?? true
  }

  /// Shows the alternate screen.
  ///
  /// Keys such as Control-C keep sending their signals.
  func enter() {
    var raw = settings
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    output.skip()
    try? output.write(Self.entering)
    shown = nil
  }

  /// Restores the terminal as it was, without waiting until pending output is read.
  func leave() {
    var settings = settings
    output.skip()
    try? output.write(Self.leaving)
    _ = tcflush(STDIN_FILENO, TCIFLUSH)
    _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Shows a frame by writing the cells that differ from the frame on display.
  ///
  /// A terminal that supports synchronized updates shows all of them at once. If the terminal has
  /// not accepted the previous frame yet, this frame is skipped in favour of the next.
  func show(_ frame: Frame) throws {
    try output.resume()
    guard output.isDone else { return }
    let text = FrameChange(before: shown, after: frame, hasColour: hasColour).text
    if !text.isEmpty { try output.write("\u{1B}[?2026h\(text)\u{1B}[?2026l") }
    shown = frame
  }

  /// The current size of the terminal.
  static var size: ScreenSize {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return ScreenSize() }
    return ScreenSize(width: Int(size.ws_col), height: Int(size.ws_row))
  }
}
