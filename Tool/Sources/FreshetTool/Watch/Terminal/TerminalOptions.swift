import ArgumentParser

/// The options for how the list looks in a terminal.
struct TerminalOptions: ParsableArguments {
  @Option(
    name: .customLong("column"),
    help: ArgumentHelp(
      "A member of an item to show in a column of its own, repeatable; the id and the title unless you say so.",
      valueName: "name|/pointer"),
    transform: { try RowColumn(argument: $0) })
  var columns: [RowColumn] = []

  @Option(
    help: ArgumentHelp(
      "The folder of an app's outbox: rows with edits that it did not send yet are marked in a terminal.",
      valueName: "path"),
    completion: .directory)
  var outbox: String?

  @Flag(help: "Print lines in a terminal too, as into a pipe, instead of a full screen.")
  var plain = false
}
