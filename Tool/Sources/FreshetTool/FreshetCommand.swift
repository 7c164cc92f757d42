import ArgumentParser
import Foundation

/// The `freshet` command line.
struct FreshetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "freshet",
    abstract: "Lists that live somewhere else, kept true.",
    discussion: """
      EXAMPLES:
        freshet demo                     # a live list in the browser
        freshet watch https://api.example.com/posts --column title
        freshet inspect                  # what is kept on disk
      """,
    version: "0.1.0", subcommands: [DemoCommand.self, WatchCommand.self, InspectCommand.self])
}

@main
enum Main {
  static func main() async {
    // `COLUMNS` is the width of the help text: an invalid value would end the process.
    if let columns = ProcessInfo.processInfo.environment["COLUMNS"],
      Int(columns).map({ !(20...1000).contains($0) }) ?? true
    {
      _ = unsafe unsetenv("COLUMNS")
    }
    do {
      var command = try FreshetCommand.parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as WatchFailure {
      fail(failure.description, failure.code)
    } catch  where FreshetCommand.exitCode(for: error) == .validationFailure {
      var message = FreshetCommand.message(for: error)
      if let last = message.last, !".?!…".contains(last) { message += "." }
      let command = CommandLine.arguments.dropFirst().first {
        ["watch", "demo", "inspect"].contains($0)
      }
      fail("\(message) Try freshet \(command.map { $0 + " " } ?? "")--help.", .validationFailure)
    } catch {
      FreshetCommand.exit(withError: error)
    }
  }

  /// Ends the process with one line on standard error.
  private static func fail(_ message: String, _ code: ExitCode) -> Never {
    var line = message.split(separator: "\n").joined(separator: " ")
    if line.hasSuffix("..") { line.removeLast() }
    try? StandardOutput.error.write("Error: \(line.visible)\n")
    FreshetCommand.exit(withError: code)
  }
}
