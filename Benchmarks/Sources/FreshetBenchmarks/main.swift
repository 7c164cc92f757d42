// make bench: all of it, in some minutes. make bench ARGUMENTS="lists": what begins so. With
// --figures FILE, what charts are drawn from is written there.

import Foundation

var wanted = Array(CommandLine.arguments.dropFirst())
var file: String?
if let option = wanted.firstIndex(of: "--figures"), option + 1 < wanted.count {
  file = wanted[option + 1]
  wanted.removeSubrange(option...(option + 1))
}
let benchmarks: [(name: String, run: () async throws -> [Figure])] = [
  ("memory", memory), ("difference", differences), ("lists", liveLists), ("feeds", feeds),
  ("screens", screens), ("caches", caches), ("stores", stores), ("windows", windows),
  ("writes", writes),
  ("holding", holding), ("shared", sharedItems), ("outbox", outboxes),
]
var figures: [Figure] = []
for (name, run) in benchmarks where wanted.isEmpty || wanted.contains(where: name.hasPrefix) {
  figures += try await run()
}
growth(of: figures)
bars(of: figures)
if let file { try JSONEncoder().encode(figures).write(to: URL(filePath: file)) }
