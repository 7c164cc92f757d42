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

let workloads: [Workload] = listWorkloads + feedWorkloads + composedWorkloads
