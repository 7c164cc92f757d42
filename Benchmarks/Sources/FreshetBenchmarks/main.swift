// make bench: all of it; make bench ARGUMENTS="lists": what begins so.

let wanted = CommandLine.arguments.dropFirst()
let benchmarks: [(name: String, run: () async throws -> Void)] = [
  ("memory", memory), ("difference", differences), ("lists", liveLists), ("stores", stores),
]
for (name, run) in benchmarks where wanted.isEmpty || wanted.contains(where: name.hasPrefix) {
  try await run()
}
