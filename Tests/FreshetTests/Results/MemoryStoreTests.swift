import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct MemoryStoreTests {
  typealias Query = DataStoreQuery<Post, MemoryStore<Post>.Request>

  @Test
  func `a query that begins holds no writer up`() async throws {
    let store = MemoryStore((0..<10).map { Post(id: $0) })
    let shown = Locked<[Int: Post]>([:])
    let isComplete = AsyncStream<Void>.makeStream()
    // The condition writes: it would never return if the store were not free meanwhile.
    let writes = Locked(0)
    let request = MemoryStore<Post>.Request { post in
      let number = writes.withLock { writes in
        writes += 1
        return writes
      }
      if number == 1 { write() }
      return post.version != 2
    }
    @Sendable func write() {
      var changes = ChangeBatch<Post>()
      changes.add(Post(id: 0, version: 2), as: .update)
      changes.add(Post(id: 5, version: 3), as: .update)
      changes.addDeletion(of: 7)
      changes.add(Post(id: 20), as: .insert)
      store.put(changes)
    }
    let query = Query(request, window: .zero) { changes, status in
      shown.withLock { shown in for change in changes.all { shown[change.id] = change.item } }
      if status.isComplete { isComplete.continuation.finish() }
    }
    let task = Task { try await store.execute(query) }
    for await _ in isComplete.stream {}
    #expect(shown.withLock { $0.keys.sorted() } == [1, 2, 3, 4, 5, 6, 8, 9, 20])
    #expect(shown.withLock { $0[5]?.version } == 3)
    try await store.write(updating: [Post(id: 0, version: 4)])
    #expect(shown.withLock { $0[0]?.version } == 4)
    task.cancel()
    try await task.value
  }

  @Test
  func `items keep the order in which they came`() async throws {
    let store = MemoryStore([3, 1, 2].map { Post(id: $0) } + [Post(id: 1, version: 1)])
    #expect(store.items == [Post(id: 3), Post(id: 1, version: 1), Post(id: 2)])
    try await store.write(inserting: [Post(id: 0), Post(id: 2, version: 5)], deleting: [3, 9])
    #expect(store.items == [Post(id: 1, version: 1), Post(id: 2, version: 5), Post(id: 0)])
    #expect(try await store.items(withIDs: [0, 3, 1]).map(\.id) == [0, 1])
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `a change is told as it is asked for, whatever the batch`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var batch = ChangeBatch<Post>()
    var model: [Int: Post?] = [:]
    for version in 0..<60 {
      let id = Int.random(in: 0..<15, using: &random)
      if random.oneIn(3) {
        batch.addDeletion(of: id)
        model[id] = .some(nil)
      } else {
        batch.add(Post(id: id, version: version), as: .update)
        model[id] = Post(id: id, version: version)
      }
      let seen = batch.seen { $0.version % 2 == 0 }
      #expect(seen.all.map(\.id) == batch.all.map(\.id), "seed \(seed)")
      for change in seen.all {
        let wanted = model[change.id].flatMap(\.self).flatMap { $0.version % 2 == 0 ? $0 : nil }
        #expect(change.item == wanted, "seed \(seed)")
        #expect((change.kind == .delete) == (wanted == nil), "seed \(seed)")
      }
    }
  }

  @Test
  func `whoever is told of a change, or asked whether it counts, can look at the store`()
    async throws
  {
    let store = MemoryStore((0..<3).map { Post(id: $0) })
    let counts = Locked<[Int]>([])
    let isComplete = AsyncStream<Void>.makeStream()
    let request = MemoryStore<Post>.Request { $0.id < 100 || store.items.isEmpty }
    let query = Query(request, window: .zero) { _, status in
      counts.withLock { $0.append(store.items.count) }
      if status.isComplete { isComplete.continuation.finish() }
    }
    let task = Task { try await store.execute(query) }
    for await _ in isComplete.stream {}
    try await store.write(inserting: [Post(id: 9), Post(id: 100)])
    #expect(counts.withLock { $0.last } == 5)
    task.cancel()
    try await task.value
  }

  @Test
  func `writers at once are told in the order in which the store took them`() async throws {
    let store = MemoryStore<Post>()
    let shown = Locked<[Int: Post]>([:])
    let query = Query(.all, window: .zero) { changes, _ in
      shown.withLock { shown in for change in changes.all { shown[change.id] = change.item } }
    }
    let task = Task { try await store.execute(query) }
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for version in 0..<500 {
            try? await store.write(updating: [Post(id: version % 5, version: version * 4 + writer)])
          }
        }
      }
    }
    let items = Dictionary(uniqueKeysWithValues: store.items.map { ($0.id, $0) })
    #expect(await eventually { shown.withLock({ $0 }) == items })
    task.cancel()
    try await task.value
  }

  /// An item that counts how often its id is hashed.
  struct HashedItem: ListItem {
    struct ID: Hashable, Sendable {
      let number: Int
      let hashes: Hashes
      static func == (first: ID, second: ID) -> Bool { first.number == second.number }
      func hash(into hasher: inout Hasher) {
        hashes.count.withLock { $0 += 1 }
        hasher.combine(number)
      }
    }

    final class Hashes: Sendable { let count = Locked(0) }

    let id: ID
    static func == (first: HashedItem, second: HashedItem) -> Bool { first.id == second.id }
  }

  @Test
  func `few of many items take little room, and packing them costs O(1) for each that went`() {
    let hashes = HashedItem.Hashes()
    var items = InsertionOrderedItems<HashedItem>()
    let all = (0..<64_000).map { HashedItem(id: .init(number: $0, hashes: hashes)) }
    for item in all { items.put(item) }
    hashes.count.withLock { $0 = 0 }
    for item in all where item.id.number % 64 != 7 { items.remove(item.id) }
    let left = items.snapshot.items.map(\.id.number)
    #expect(left == Array(stride(from: 7, to: 64_000, by: 64)))
    #expect(items.slots <= 4 * left.count)
    #expect(hashes.count.withLock { $0 } < 4 * all.count)
    #expect(left.allSatisfy { items[all[$0].id] == all[$0] })
  }
}
