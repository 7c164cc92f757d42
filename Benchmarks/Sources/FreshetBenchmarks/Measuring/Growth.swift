import Foundation

/// How the time of each workload grows with the rows: the exponent of the line through its smallest
/// and its largest size, beside what is to be expected.
///
/// 0 does not depend on the rows, 1 is proportional to them. A logarithm is about 0.1 over three
/// decades, and what no longer fits into the processor's caches grows by another 0.1 to 0.2.
func growth(of figures: [Figure]) {
  let groups = Dictionary(grouping: figures) { "\($0.table): \($0.workload)" }
  let lines = groups.compactMap { name, figures -> (String, Figure, Figure, Double)? in
    guard let least = figures.min(by: { $0.rows < $1.rows }),
      let most = figures.max(by: { $0.rows < $1.rows }), most.rows >= least.rows * 10
    else { return nil }
    let exponent = log(most.ours / least.ours) / log(Double(most.rows) / Double(least.rows))
    return (name, least, most, exponent)
  }
  guard !lines.isEmpty else { return }
  print("\n## Growth\n")
  print("The exponent of the rows between the smallest and the largest list: 0 is independent of")
  print("them, 1 proportional.\n")
  print("| workload | from | to | exponent | expected |")
  print("|---|---:|---:|---:|---:|")
  for (name, least, most, exponent) in lines.sorted(by: { $0.0 < $1.0 }) {
    let expected = linear.contains { name.contains($0) } ? "1" : "0"
    print("| \(name) | \(least.rows) | \(most.rows) | \(rounded(exponent, 2)) | \(expected) |")
  }
}

/// What reads every row.
private let linear = ["Difference", "load", "order", "all rows"]
