import FreshetLists

/// Values: differences, and lists that stay sorted.
let listWorkloads: [Workload] = [
  difference("difference, append 50 to 5,000") { $0 + (5_000..<5_050).map { Post($0) } },
  difference("difference, prepend 50 to 5,000") { (5_000..<5_050).map { Post($0) } + $0 },
  difference("difference, 1 % of 5,000 changed, gone and new") { rows in
    rows.filter { $0.id % 100 != 7 }.map { $0.id % 100 == 3 ? Post($0.id, version: 1) : $0 }
      + (5_000..<5_050).map { Post($0) }
  },
  difference("difference, 5,000 shuffled") { rows in
    rows.map { ($0.id &* 7_919 % 5_003, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  },
  Workload("sorted list, load 10,000", repeats: 2) { repeats in
    let posts = (0..<10_000).map { Post($0) }
    for _ in 0..<repeats { _ = SortedList(posts, arrangement: .sorted(by: \.title)) }
  },
  changes(
    "sorted list, 1 change in 10,000", of: 10_000, each: 1, .sorted(by: \.title), repeats: 100),
  changes(
    "sorted list, 100 changes in 1,000", of: 1_000, each: 100, .sorted(by: \.title), repeats: 5),
  changes(
    "sorted list, 1,200 changes in 10,000", of: 10_000, each: 1_200, .sorted(by: \.title),
    repeats: 2),
  Workload("sorted list, another order of 10,000", repeats: 2) { repeats in
    var list = SortedList((0..<10_000).map { Post($0) }, arrangement: .sorted(by: \.title))
    for round in 0..<repeats { list.arrange(.sorted(by: round % 2 == 0 ? \.author : \.title)) }
  },
  changes(
    "sections, 1 change in 10,000", of: 10_000, each: 1,
    .sorted(by: \.title).sectioned(by: \.author), repeats: 100),
]

private func difference(
  _ name: String, to change: @escaping @Sendable ([Post]) -> [Post]
) -> Workload {
  Workload(name, repeats: 2) { repeats in
    // Decoded anew, as an app has them; as many for every number of repeats.
    let pairs = (0..<4).map { _ in
      let before = (0..<5_000).map { Post($0) }
      return (ListSnapshot(before), ListSnapshot(change(before).map { Post($0.id, like: $0) }))
    }
    for (before, after) in pairs.prefix(repeats) { _ = after.changes(from: before) }
  }
}

private func changes(
  _ name: String, of count: Int, each size: Int, _ arrangement: Arrangement<Post>, repeats: Int
) -> Workload {
  Workload(name, repeats: repeats) { repeats in
    var list = SortedList((0..<count).map { Post($0) }, arrangement: arrangement)
    for round in 0..<repeats {
      list.change(
        upserting: (0..<size).map {
          Post((round &* 104_729 &+ $0 &* 7_919) % count, version: round + 1)
        })
    }
  }
}

extension Post {
  /// A copy that shares no text.
  init(_ id: Int, like other: Post) {
    self.id = id
    author = String(decoding: Array(other.author.utf8), as: UTF8.self)
    title = String(decoding: Array(other.title.utf8), as: UTF8.self)
  }
}
