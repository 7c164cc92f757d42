import FreshetTesting
import Synchronization
import Testing

@testable import Freshet

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

  /// What a step costs in a feed of so many rows, with so much pending.
  func cost(
    pending: Int, _ begin: (Feed<Counted>, Counted.ID) async -> Void,
    of step: (Feed<Counted>, Counter) async throws -> Void
  ) async throws -> Int {
    try await cost(20_000) { feed, counter in
      for number in 0..<pending { await begin(feed, .init(number: number, counter: counter)) }
      let before = counter.value
      try await step(feed, counter)
      throw Measured(cost: counter.value - before)
    }
  }

  struct Measured: Error {
    let cost: Int
  }

  @Test
  func `C4: an event looks at as few rows with many edits and deletions pending as with few`()
    async throws
  {
    let begins: [(Feed<Counted>, Counted.ID) async -> Void] = [
      { feed, id in feed.receive(.delete(id)) },
      { feed, id in feed.perform { $0.update(id, token: -id.number - 1, at: $1) { $0.version = 1 } }
      },
      { feed, id in feed.perform { $0.delete(id, token: -id.number - 1, at: $1) } },
      { feed, id in
        let new = Counted(id: .init(number: -id.number - 1, counter: id.counter))
        feed.perform { $0.insert(new, after: nil, token: -id.number - 1, at: $1) }
      },
    ]
    for begin in begins {
      var costs: [Int] = []
      for pending in [10, 10_000] {
        do {
          _ = try await cost(pending: pending, begin) { feed, counter in
            feed.receive(
              .upsert(Counted(id: .init(number: 15_000, counter: counter), version: 2)))
            feed.receive(.delete(.init(number: 15_001, counter: counter)))
            try await feed.update(
              .init(number: 15_002, counter: counter), optimistically: { $0.version = 1 }
            ) {}
            #expect(feed.path(of: .init(number: 15_003, counter: counter)) != nil)
          }
        } catch let measured as Measured {
          costs.append(measured.cost)
        }
      }
      // A larger table has longer collisions.
      #expect(costs[1] < 2 * costs[0] + 100 && costs[1] < 1_000, "\(costs)")
    }
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
