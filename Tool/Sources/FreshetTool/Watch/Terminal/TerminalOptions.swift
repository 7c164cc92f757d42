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

  @Flag(help: "Print lines in a terminal too, as into a pipe, instead of a full screen.")
  var plain = false
}
