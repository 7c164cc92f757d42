import ArgumentParser

/// The `freshet` command line.
@main
struct FreshetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "freshet",
    abstract: "Lists that live somewhere else, kept true.",
    subcommands: [DemoCommand.self, WatchCommand.self])
}
