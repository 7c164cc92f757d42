import Foundation
import FreshetLists

/// A row as an app decodes it: a text id and three texts.
struct Row: ListItem {
  let id: String
  var title: String
  var author: String
  var body: String

  init(_ number: Int) {
    let digits = String(number &* 2_654_435_761 & 0xffff_ffff, radix: 16)
    id = "\(digits)-0000-4000-8000-\(number)"
    title = "title number \(number) of many"
    author = "author \(number % 97), some name"
    body = "a longer body text for row \(number)"
  }
}

func rows(_ numbers: some Sequence<Int>) -> [Row] { numbers.map(Row.init) }

/// The medians of two actions that take turns.
func medians(
  rounds: Int = 7, _ first: () -> Void, _ second: () -> Void
) -> (first: Duration, second: Duration) {
  let clock = ContinuousClock()
  var times: [(Duration, Duration)] = []
  for _ in 0..<rounds { times.append((clock.measure(first), clock.measure(second))) }
  return (
    times.map(\.0).sorted()[rounds / 2], times.map(\.1).sorted()[rounds / 2]
  )
}

func milliseconds(_ duration: Duration) -> String {
  let value =
    Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1e3
  return "\((value * 1000).rounded() / 1000)"
}

let count = 100_000
let before = rows(0..<count)
let snapshot = ListSnapshot(before)
var updated = rows(0..<count)
for index in stride(from: 3, to: count, by: 100) { updated[index].title += "!" }

let workloads: [(name: String, after: [Row])] = [
  ("nothing changed", rows(0..<count)),
  ("prepend 50", rows(count..<(count + 50)) + rows(0..<count)),
  ("append 50", rows(0..<(count + 50))),
  ("1 % deleted", rows((0..<count).filter { $0 % 100 != 7 })),
  ("1 % updated", updated),
]

print("Difference of two lists of \(count) rows, freshly decoded; medians in milliseconds.\n")
print("| workload | Freshet | `difference(from:)` by `==` | ratio |")
print("|---|---:|---:|---:|")
for (name, after) in workloads {
  let shown = ListSnapshot(after)
  let (ours, theirs) = medians(
    { _ = shown.changes(from: snapshot) }, { _ = after.difference(from: before) })
  let ratio = (theirs / ours * 10).rounded() / 10
  print("| \(name) | \(milliseconds(ours)) | \(milliseconds(theirs)) | \(ratio)x |")
}

print("\nA list that stays sorted, by one change and by a hundred; medians in milliseconds.\n")
print("| rows | changes | Freshet | sort and `difference(from:)` | ratio |")
print("|---:|---:|---:|---:|---:|")
for count in [1_000, 10_000, 100_000, 1_000_000] {
  var sorted = rows(0..<count).sorted { $0.title < $1.title }
  var list = ArrangedList(sorted, arrangement: .sorted(by: \.title))
  for changes in [1, 100] {
    var round = 0
    func changed() -> [Row] {
      round += 1
      return (0..<changes).map { change in
        var row = sorted[(change * 7919 + round * 104_729) % count]
        row.title = "title \(round) \(change)"
        return row
      }
    }
    let repeats = 50
    // Sorting anew finds what changed by id: the standard library's difference of whole rows would
    // take minutes.
    let (ours, theirs) = medians(
      rounds: count > 100_000 ? 3 : 7,
      { for _ in 0..<repeats { list.change(upserting: changed()) } },
      {
        let changed = Dictionary(changed().map { ($0.id, $0) }) { $1 }
        let before = sorted.map(\.id)
        for index in sorted.indices {
          if let row = changed[sorted[index].id] { sorted[index] = row }
        }
        sorted.sort { $0.title < $1.title }
        _ = sorted.map(\.id).difference(from: before)
      })
    let each = ours / repeats
    let ratio = Int(theirs / each)
    print(
      "| \(count) | \(changes) | \(milliseconds(each)) | \(milliseconds(theirs)) | \(ratio)x |")
  }
}

let (loading, sorting) = medians(
  rounds: 3, { _ = ArrangedList(rows(0..<count), arrangement: .sorted(by: \.title)) },
  { _ = rows(0..<count).sorted { $0.title < $1.title } })
print(
  "\nInitial load of \(count) rows: \(milliseconds(loading)) ms; decoding and sorting them \(milliseconds(sorting)) ms."
)
