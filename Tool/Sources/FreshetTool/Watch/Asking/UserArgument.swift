import ArgumentParser
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `--user name`, `--user name:password` or `--user @file`.
struct UserArgument: Equatable {
  let name: String
  let password: String

  /// Reads an argument; where it holds no password, `FRESHET_PASSWORD` does, or `ask` does.
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

  /// Asks whoever sits at the terminal, if somebody does.
  static func ask(_ user: String) -> String? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1, Foreground.wait() else {
      return nil
    }
    return PasswordPrompt("Password of \(user.visible): ").ask()
  }
}
