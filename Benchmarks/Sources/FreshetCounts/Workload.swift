/// A piece of work to be counted, that is prepared once and done as often as is asked for.
struct Workload: Sendable {
  let name: String
  /// How many repeats are enough to count one.
  let repeats: Int
  let run: @Sendable (_ repeats: Int) async -> Void

  init(_ name: String, repeats: Int, _ run: @escaping @Sendable (_ repeats: Int) async -> Void) {
    self.name = name
    self.repeats = repeats
    self.run = run
  }
}

/// The first one is the standard library's alone: how this machine counts.
let workloads: [Workload] = [control] + listWorkloads + feedWorkloads + composedWorkloads

private let control = Workload("control: texts sorted and counted", repeats: 4) { repeats in
  for round in 0..<repeats {
    let texts = (0..<2_000).map { "text \($0 &* 7_919 % 2_003 + round)" }.sorted()
    var counts: [Substring: Int] = [:]
    for text in texts { counts[text.suffix(3), default: 0] += 1 }
    precondition(counts.count > 0)
  }
}
