import Freshet
import FreshetTesting
import Synchronization
import Testing

/// Rule C4, by counting how often rows are looked at.
@Suite(.timeLimit(.minutes(15)))
struct CostTests {
  final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func increment() { count.add(1, ordering: .relaxed) }
  }

  /// A row that counts each time its id or its contents are looked at.
  struct Counted: ListItem {
    struct ID: Hashable, Sendable {
      let number: Int
      let counter: Counter

      static func == (first: ID, second: ID) -> Bool {
        first.counter.increment()
        return first.number == second.number
      }

      func hash(into hasher: inout Hasher) {
        counter.increment()
        hasher.combine(number)
      }
    }

    let id: ID
    var version = 0
  }

  /// What a step costs in a feed of so many rows, once it has settled.
  func cost(
    _ count: Int, of step: (Feed<Counted>, Counter) async throws -> Void
  ) async throws -> Int {
    let counter = Counter()
    let feed = Feed(
      ClosureSource { (request: PageRequest<Int>) in
        let start = request.key ?? 0
        let end = request.key == nil ? count : start + 25
        return Page(
          (start..<end).map { Counted(id: .init(number: $0, counter: counter)) }, next: end)
      })
    await feed.refresh()
    await feed.loadNext()
    let before = counter.value
    try await step(feed, counter)
    return counter.value - before
  }

  func expectFlat(_ step: (Feed<Counted>, Counter) async throws -> Void) async throws {
    let (short, long) = (try await cost(500, of: step), try await cost(20_000, of: step))
    #expect(long < 2 * short + 500 && long < 5_000, "\(short), \(long)")
  }

  @Test
  func `C4: a page behind a long list looks at as few rows as behind a short one`() async throws {
    try await expectFlat { feed, _ in await feed.loadNext() }
  }

  @Test
  func `C4: an edit and news in a long list look at as few rows as in a short one`() async throws {
    try await expectFlat { feed, counter in
      try await feed.update(
        .init(number: 100, counter: counter), optimistically: { $0.version = 1 }
      ) {}
      feed.receive(.upsert(Counted(id: .init(number: 200, counter: counter), version: 2)))
      feed.receive(.insert(Counted(id: .init(number: -1, counter: counter))))
      await feed.flush()
    }
  }
}
