// make soak: an hour of a busy list and of a large table, as fast as the machine goes.
//
//   FreshetSoak [MINUTES] [SEED]
//
// A window of a table of a million rows of SQLite follows a thousand changes a second of simulated
// time, while its reader scrolls and jumps. Each minute it has to show what the table has, and it
// may take 30 MB of memory.
//
// Then a thousand events a second reach a feed of 100,000 rows that is kept on disk, while its
// reader scrolls, edits and launches the app again each minute. At the end, and after each launch,
// the feed has to show what the server has; memory must not grow, and 99.9 % of the events must be
// shown within 8 ms.

import Foundation

let minutes = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 60
let seed = CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) ?? .random(in: 0...9_999)
say("\(minutes) minutes, seed \(seed).")
// The window is first: its memory is compared with that of an empty process.
var failures = try await WindowSoak.run(minutes: minutes, seed: seed)
failures += await Soak.run(rows: 100_000, minutes: minutes, seed: seed)
for failure in failures { print("FAILED: \(failure)") }
exit(failures.isEmpty ? 0 : 1)

/// Prints at once, into a file or a pipe too.
func say(_ text: String) {
  print(text)
  fflush(nil)
}
