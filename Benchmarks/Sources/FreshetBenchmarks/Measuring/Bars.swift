/// What is to be reached, and what was measured.
private struct Bar {
  enum Limit {
    /// At most so many milliseconds.
    case milliseconds(Double)
    /// At least so many times as fast as another one that took turns.
    case times(Double, as: String)
    /// At most so many times what another workload takes, or the same one with so many rows.
    case atMost(Double, timesOf: String, rows: Int)
  }

  let table: String
  let workload: String
  let rows: Int
  let limit: Limit

  init(_ table: String, _ workload: String, _ rows: Int, _ limit: Limit) {
    (self.table, self.workload, self.rows, self.limit) = (table, workload, rows, limit)
  }

  /// What the bar says, what was measured, and whether that meets it; `nil` where it was not
  /// measured.
  func result(in figures: [Figure]) -> (bar: String, measured: String, isMet: Bool)? {
    func figure(_ workload: String, _ rows: Int) -> Figure? {
      figures.first { $0.table == table && $0.workload == workload && $0.rows == rows }
    }
    guard let figure = figure(workload, rows) else { return nil }
    let ours = figure.ours
    switch limit {
    case .milliseconds(let most):
      return ("\(most) ms", "\(rounded(ours, 3)) ms", ours <= most)
    case .times(let least, let other):
      guard let theirs = figure.milliseconds[other] else { return nil }
      return ("\(least)x \(other)", "\(rounded(theirs / ours, 2))x", theirs / ours >= least)
    case .atMost(let most, let workload, let rows):
      guard
        let other = figures.first(where: {
          $0.table == table && $0.workload == workload && $0.rows == rows
        })
      else { return nil }
      let times = ours / other.ours
      return ("\(most)x of \(workload), \(rows)", "\(rounded(times, 2))x", times <= most)
    }
  }
}

/// Prints which bars are met, of what was measured.
func bars(of figures: [Figure]) {
  let results = all.compactMap { bar in bar.result(in: figures).map { (bar, $0) } }
  guard !results.isEmpty else { return }
  print("\n## The bars\n")
  print("| where | rows | bar | measured | met |")
  print("|---|---:|---|---:|---|")
  for (bar, result) in results {
    print(
      "| \(bar.workload) | \(bar.rows) | \(result.bar) | \(result.measured) "
        + "| \(result.isMet ? "yes" : "**no**") |")
  }
}

private let plain = "`difference(from:)` by `==`"
private let all: [Bar] = [
  Bar("A feed", "a page of 25", 100_000, .milliseconds(0.05)),
  Bar("A feed", "a page of 25", 1_000_000, .atMost(2, timesOf: "a page of 25", rows: 1_000)),
  Bar("A feed", "an event", 100_000, .milliseconds(0.025)),
  Bar("A feed", "an event, in sections", 100_000, .milliseconds(0.05)),
  Bar(
    "A feed", "an event, 500 rows deleted, 500 waiting", 100_000,
    .atMost(1.2, timesOf: "an event", rows: 100_000)),
  Bar("A feed", "1,000 rows that waited are shown, in sections", 100_000, .milliseconds(5)),
  Bar("A feed", "through merge, filter, separators, map, sections", 100_000, .milliseconds(0.1)),
  Bar("Reading", "a row of `items`", 100_000, .times(1 / 3, as: "`rows`")),
  Bar("Reading", "all of `items`", 100_000, .times(1 / 3, as: "`rows`")),
  Bar("A list that stays sorted", "one change", 100_000, .milliseconds(0.03)),
  Bar("A list that stays sorted", "100 changes", 100_000, .milliseconds(1.5)),
  Bar("A list that stays sorted", "100 changes", 1_000, .times(1, as: "sorting anew")),
  Bar("A list that stays sorted", "400 changes", 10_000, .times(1, as: "sorting anew")),
  Bar("A list that stays sorted", "1200 changes", 10_000, .times(1, as: "sorting anew")),
  Bar("A list that stays sorted", "10000 changes", 10_000, .times(1, as: "sorting anew")),
  Bar("A list that stays sorted", "another order", 100_000, .times(1.5, as: "sorting anew")),
  Bar("A list that stays sorted", "load", 100_000, .milliseconds(100)),
  Bar("A list that stays sorted", "load through the engine", 100_000, .milliseconds(200)),
  Bar(
    "A list that stays sorted", "load through the engine", 1_000_000,
    .atMost(11, timesOf: "load through the engine", rows: 100_000)),
  Bar("Live results of SQLite", "load", 100_000, .milliseconds(350)),
  Bar("A window of a large table", "the first rows", 1_000_000, .milliseconds(5)),
  Bar("A window of a large table", "a change in it", 1_000_000, .milliseconds(0.2)),
  Bar("A window of a large table", "a change elsewhere", 1_000_000, .milliseconds(0.2)),
  Bar(
    "A window of a large table", "a change elsewhere, in 200 windows", 1_000_000, .milliseconds(2)),
  Bar("Difference of two lists", "append 50", 100_000, .times(5, as: "Heckel")),
  Bar("Difference of two lists", "append 50", 100_000, .times(1, as: plain)),
  Bar("Difference of two lists", "prepend 50", 100_000, .times(5, as: "Heckel")),
  Bar("Difference of two lists", "prepend 50", 100_000, .times(1, as: plain)),
  Bar("Difference of two lists", "nothing changed", 100_000, .times(1, as: plain)),
  Bar("Difference of two lists", "1 % updated", 100_000, .times(5, as: "Heckel")),
  Bar("Difference of two lists", "shuffled", 100_000, .times(1.2, as: "Heckel")),
  Bar("Difference of two lists", "DifferenceKit's own, ids alone", 5_000, .times(8, as: "Heckel")),
  Bar(
    "Difference of two lists", "DifferenceKit's own, ids alone", 100_000,
    .times(12, as: "Heckel")),
  Bar(
    "On disk", "the first screen", 1_000_000,
    .atMost(2, timesOf: "the first screen", rows: 1_000)),
  Bar("On disk", "all rows", 1_000, .times(1, as: "one file of JSON")),
  Bar("On disk", "all rows", 10_000, .times(1, as: "one file of JSON")),
  Bar("On disk", "all rows", 100_000, .times(1, as: "one file of JSON")),
  Bar("On disk", "all rows", 1_000_000, .times(1, as: "one file of JSON")),
  Bar("On disk", "an edit is saved", 100_000, .milliseconds(0.3)),
  Bar(
    "On disk", "an edit is saved", 1_000_000, .atMost(4, timesOf: "an edit is saved", rows: 1_000)),
  Bar("Writes", "a write", 100_000, .milliseconds(0.01)),
  Bar("Writes", "the longest", 100_000, .milliseconds(5)),
  Bar("Shared items", "a change that 50 lists show", 100_000, .milliseconds(0.8)),
  Bar(
    "Shared items", "beside 1,000 lists without the item", 100_000,
    .atMost(1.2, timesOf: "a change that 50 lists show", rows: 100_000)),
  Bar("The outbox", "an edit", 100_000, .times(1, as: "SQLite")),
  Bar("The outbox", "an edit, beside 1,000 that wait", 100_000, .times(1, as: "SQLite")),
  Bar("The main actor", "`refresh(.all)` of 100000 rows", 100_000, .milliseconds(1)),
  Bar("The main actor", "100000 rows are read from disk", 100_000, .milliseconds(1)),
  Bar("The main actor", "`arrange(_:)` sorts 100000 results anew", 100_000, .milliseconds(1)),
]
