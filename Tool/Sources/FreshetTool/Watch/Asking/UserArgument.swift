import ArgumentParser
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The argument of `--user name`, `--user name:password` or `--user @file`.
struct UserArgument: Equatable {
  let name: String
  let password: String

  /// Creates a user from an argument.
  ///
  /// If it contains no password, `FRESHET_PASSWORD` is used, or else the result of `ask`.
  init(
    _ argument: String, environment: [String: String], ask: (_ user: String) -> String?
  ) throws {
    var text = argument
    if argument.hasPrefix("@") {
      let lines = try SecretFile.lines(argument, of: "--user")
      guard lines.count == 1 else {
        throw ValidationError("--user needs a file with one line, name:password.")
      }
      text = lines[0]
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    guard !name.isEmpty else { throw ValidationError("--user needs a name.") }
    if parts.count == 2 {
      password = String(parts[1])
    } else if let password = environment["FRESHET_PASSWORD"] ?? ask(name) {
      self.password = password
    } else {
      throw ValidationError(
        "--user needs a password: in FRESHET_PASSWORD, in a file (--user @file), or typed at a terminal."
      )
    }
  }

  /// Asks the user at the terminal for the password; `nil` if none can be read.
  static func ask(_ user: String) -> String? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1, Foreground.wait() else {
      return nil
    }
    return PasswordPrompt("Password of \(user.visible): ").ask()
  }
}
