import Foundation
import Freshet

/// A printer of the changes of a list, in the chosen format.
struct UpdatePrinter {
  let format: OutputFormat
  let output: StandardOutput
  /// The number of steps so far: the first one, and those that changed rows.
  private(set) var steps = 0
  private var shown: Shown?
  /// Whether a refresh confirmed the rows from disk, and no line reports it yet.
  private var isConfirmed = false
  private var table = TablePrinter()

  init(format: OutputFormat, output: StandardOutput = .output) {
    self.format = format
    self.output = output
  }

  typealias Step = ListStep<WatchView.Row>

  private struct Shown {
    let list: ListSnapshot<WatchView.Row>
    let state: WatchView.State
    let origin: ListOrigin
  }

  /// Prints the first rows of a list that may have more; `show` prints the others.
  mutating func begin(_ view: WatchView) throws {
    switch format {
    case .jsonl: try show(view, from: .cache)
    case .table: try write(table.begin(view.list))
    }
  }

  /// Prints the step to a view, if the rows, the state or the origin changed.
  ///
  /// Rows that a failed refresh did not change keep their origin.
  ///
  /// - Parameter step: the feed's own step, if it leads from the last view to this one. Without it
  ///   the lists are compared.
  mutating func show(
    _ view: WatchView, from origin: ListOrigin, by step: Step? = nil
  ) throws {
    var update = update(to: view.list, from: origin, by: step)
    if let shown, update.changes.isEmpty, view.state.refresh == "failed" {
      update = ListStep(from: shown.list, to: view.list, origin: shown.origin)
    }
    let isNew =
      shown.map {
        !update.changes.isEmpty || $0.state != view.state || $0.origin != update.origin
      } ?? true
    guard isNew else { return }
    let isFailure = view.list.isEmpty && view.state.refresh == "failed"
    switch format {
    case .jsonl: try write([UpdateLine.text(update, view.state)])
    case .table where (shown == nil && !isFailure) || !update.changes.isEmpty:
      try write(table.lines(for: update, at: Self.time, pushedOut: view.beyond))
    case .table: break
    }
    if let shown, update.changes.isEmpty {
      isConfirmed = isConfirmed || shown.origin != update.origin
    } else {
      steps += 1
      isConfirmed = false
    }
    if format == .table, isFailure { return }
    shown = Shown(list: view.list, state: view.state, origin: update.origin)
  }

  /// Returns the step from the last printed list to another one.
  ///
  /// - Complexity: O(*k*) for a step of *k* rows, else O(*n*).
  private func update(
    to list: ListSnapshot<WatchView.Row>, from origin: ListOrigin, by step: Step?
  ) -> Step {
    let before = shown?.list ?? ListSnapshot()
    if let step, !step.changes.isEmpty, step.before == before, step.after == list {
      return Step(before: before, after: list, changes: step.changes, origin: origin)
    }
    return Step(from: before, to: list, origin: origin)
  }

  /// Prints that a refresh changed nothing, in the table format.
  ///
  /// It always prints in a terminal. Elsewhere it prints once, if the rows were from disk.
  mutating func unchanged() throws {
    if format == .table, output.isTerminal || isConfirmed, shown != nil {
      try write([table.unchanged(at: Self.time)])
    }
    isConfirmed = false
  }

  /// Prints how the list ends; in JSON lines the state already reports it.
  func end(_ line: String) throws {
    if format == .table { try write([line]) }
  }

  private func write(_ lines: [String]) throws {
    try output.write(lines.map { $0 + "\n" }.joined())
  }

  private static var time: String { Date().formatted(date: .omitted, time: .standard) }
}
