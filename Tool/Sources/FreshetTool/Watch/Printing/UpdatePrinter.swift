import Foundation
import Freshet

/// Prints what changes of a list, in the format asked for.
struct UpdatePrinter {
  let format: OutputFormat
  let output: StandardOutput
  /// How many times something was printed.
  private(set) var steps = 0
  private var shown: (list: ListSnapshot<WatchedItem>, state: WatchView.State)?
  private var table = TablePrinter()

  init(format: OutputFormat, output: StandardOutput = .output) {
    self.format = format
    self.output = output
  }

  /// Prints the step to a view, if there is one.
  mutating func show(_ view: WatchView, from origin: ListUpdate<WatchedItem>.Origin) throws {
    let update = ListUpdate(
      from: shown?.list ?? ListSnapshot(), to: view.list, origin: origin)
    let isNew = shown.map { !update.changes.isEmpty || $0.state != view.state } ?? true
    guard isNew else { return }
    let isFailure = view.list.isEmpty && view.state.refresh == "failed"
    switch format {
    case .jsonl: try write([UpdateLine.text(update, view.state)])
    case .table where (shown == nil && !isFailure) || !update.changes.isEmpty:
      try write(table.lines(for: update, at: Self.time, pushedOut: view.beyond))
    case .table: break
    }
    steps += update.changes.isEmpty && shown != nil ? 0 : 1
    if format == .table, isFailure { return }
    shown = (view.list, view.state)
  }

  /// Says that a refresh brought nothing, to whoever watches a terminal.
  mutating func unchanged() throws {
    if format == .table, output.isTerminal, shown != nil {
      try write([table.unchanged(at: Self.time)])
    }
  }

  /// Says how the list ends: in JSON lines the state says it.
  func end(_ line: String) throws {
    if format == .table { try write([line]) }
  }

  private func write(_ lines: [String]) throws {
    try output.write(lines.map { $0 + "\n" }.joined())
  }

  private static var time: String { Date().formatted(date: .omitted, time: .standard) }
}
