/// What was measured: one workload at one size, by each of those that take turns.
struct Figure: Codable {
  /// The table it stands in.
  var table: String
  var workload: String
  var rows: Int
  /// Medians in milliseconds, by who did it; the first one of `order` is Freshet.
  var milliseconds: [String: Double]
  var order: [String]

  init(_ table: String, _ workload: String, rows: Int, _ durations: [(who: String, Duration)]) {
    self.table = table
    self.workload = workload
    self.rows = rows
    milliseconds = Dictionary(
      uniqueKeysWithValues: durations.map { ($0.who, $0.1 / .milliseconds(1)) })
    order = durations.map(\.who)
  }

  var ours: Double { milliseconds[order[0]]! }
}

/// Prints a table of figures, each as it is measured.
struct Table {
  let name: String
  private(set) var figures: [Figure] = []

  /// - Parameters:
  ///   - text: what is measured, and against what.
  ///   - columns: who takes turns, Freshet first.
  init(_ name: String, _ text: String, _ columns: [String]) {
    self.name = name
    print("\n## \(name)\n\n\(text)\n")
    print("| workload | rows | " + columns.joined(separator: " | ") + " | ratio |")
    print("|---|---:|" + String(repeating: "---:|", count: columns.count + 1))
  }

  /// Adds a row; a baseline that was not run is left out by its `nil`.
  mutating func add(_ workload: String, rows: Int, _ durations: [(who: String, Duration?)]) {
    let cells = durations.map { $0.1.map(milliseconds) ?? "–" }
    let ours = durations[0].1!
    let ratios = durations.dropFirst().map { $0.1.map { ratio($0, ours) } ?? "–" }
    print(
      "| \(workload) | \(rows) | \(cells.joined(separator: " | ")) "
        + "| \(ratios.joined(separator: ", ")) |")
    figures.append(
      Figure(
        name, workload, rows: rows, durations.compactMap { who, time in time.map { (who, $0) } }))
  }
}
