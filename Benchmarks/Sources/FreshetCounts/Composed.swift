import Freshet

/// Lists made of lists, and live results.
let composedWorkloads: [Workload] = [
  composed(of: 5_000, repeats: 100), composed(of: 20_000, repeats: 100),
  Workload("live results, load 10,000", repeats: 2) { repeats in
    let store = MemoryStore((0..<10_000).map { Post($0) })
    for _ in 0..<repeats {
      await LiveResults(store: store, arrangement: .sorted(by: \.title)).fetch(.all)
    }
  },
  Workload("live results, a change in 10,000", repeats: 200) { repeats in
    let store = MemoryStore((0..<10_000).map { Post($0) })
    let results = LiveResults(store: store, arrangement: .sorted(by: \.title), window: .zero)
    await results.fetch(.all)
    var updates = results.updates.makeAsyncIterator()
    _ = await updates.next()
    for round in 0..<repeats {
      var batch = ChangeBatch<Post>()
      batch.add(Post(round &* 7_919 % 10_000, version: round + 1), as: .update)
      try? await store.write(batch)
      _ = await updates.next()
    }
  },
  Workload("store in memory, a write beside a live query of 10,000", repeats: 2_000) { repeats in
    let store = MemoryStore((0..<10_000).map { Post($0) })
    // Nobody lays the items out: it is the writer's work that counts.
    let (told, continuation) = AsyncStream<Void>.makeStream()
    let query = DataStoreQuery<Post, MemoryStore<Post>.Request>(.all, window: .seconds(1_000)) {
      _, status in
      if status.isComplete { continuation.finish() }
    }
    let running = Task { try await store.execute(query) }
    for await _ in told {}
    for round in 0..<repeats {
      var batch = ChangeBatch<Post>()
      batch.add(Post(round &* 7_919 % 10_000, version: round + 1), as: .update)
      try? await store.write(batch)
    }
    running.cancel()
  },
]

/// The start of a day, say.
struct Divider: ListItem {
  let id: Int
}

/// What a view shows of a row.
struct RowModel: ListItem {
  let id: SeparatedRow<Post, Divider>.ID
  let number: Int
  let text: String

  init(_ row: SeparatedRow<Post, Divider>) {
    id = row.id
    switch row {
    case .item(let post): (number, text) = (post.id, post.title)
    case .separator(let divider, _): (number, text) = (divider.id * 100, "from \(divider.id)")
    }
  }
}

/// A change in a list that is made of two feeds.
private func composed(of count: Int, repeats: Int) -> Workload {
  let size = count == 5_000 ? "5,000" : "20,000"
  return Workload(
    "merge, filter, separators, map and sections, a change in \(size)", repeats: repeats
  ) {
    repeats in
    let first = await list(of: count / 2) { $0 * 2 }
    let second = await list(of: count / 2) { $0 * 2 + 1 }
    let list = first.merged(with: second, sortedBy: \.id)
      .filter { $0.id % 10 != 3 }
      .separated { above, below in
        above.map { $0.id / 100 == below.id / 100 } ?? false ? nil : Divider(id: below.id / 100)
      }
      .map { RowModel($0) }
      .sectioned { "\($0.number / 1_000)" }
    var updates = list.updates.makeAsyncIterator()
    _ = await updates.next()
    for round in 0..<repeats {
      first.receive(.upsert(Post(round * 20 % count, version: round + 1)))
      _ = await updates.next()
    }
  }
}

private func list(
  of count: Int, _ id: @escaping @Sendable (Int) -> Int
) async -> Feed<Post> {
  let feed = Feed<Post> { (_: PageRequest<Int>) in
    Page((0..<count).map { Post(id($0)) }, next: nil)
  }
  await feed.refresh()
  return feed
}
