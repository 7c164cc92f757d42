import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Rule C4, by counting how often rows are looked at.
@Suite(.timeLimit(.minutes(5)))
struct CostTests {
  final class Counter: Sendable {
    private let count = Locked(0)
    var value: Int { count.withLock { $0 } }
    func increment() { count.withLock { $0 += 1 } }
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

  /// What it costs to ask where items are, while the engine is at work.
  func lookUpCost(
    _ list: some LiveList<Counted>, _ id: Counted.ID, atWork hold: (Gate) -> Void
  ) async -> Int {
    let gate = Gate()
    gate.shut()
    hold(gate)
    let before = id.counter.value
    #expect(list.path(of: id) != nil)
    #expect(await list.item(withID: id) != nil)
    let cost = id.counter.value - before
    gate.open()
    #expect(!gate.hasGivenUp)
    return cost
  }

  @Test
  func `C4: where an item is can be asked of any list at work, without a look at its rows`()
    async throws
  {
    let cost = Locked(0)
    _ = try await self.cost(20_000) { feed, counter in
      let id = Counted.ID(number: 15_000, counter: counter)
      let ofFeed = await lookUpCost(feed, id) { gate in
        feed.engine.eventQueue.post(asTaskIf: { _ in true }) { _ in
          gate.pass()
          return {}
        }
      }
      let derived = feed.filter { $0.id.number > 10 }
      let subscription = derived.publisher.steps.subscribe(to: .states).0
      await derived.list.eventQueue.ask { _ in }
      let ofDerived = await lookUpCost(derived, id) { gate in
        derived.list.eventQueue.post(asTaskIf: { _ in true }) { _ in
          gate.pass()
          return {}
        }
      }
      withExtendedLifetime(subscription) {}
      cost.withLock { $0 = ofFeed + ofDerived }
    }
    #expect(cost.withLock { $0 } < 20)
  }

  typealias Edits = PendingEdits

  /// What news, an edit and a look cost while something is pending for so many items.
  func cost(
    pending: Int, _ begin: @escaping @Sendable (inout FeedMachine, Counted.ID) -> Void
  ) async throws -> Int {
    let cost = Locked(0)
    _ = try await self.cost(20_000) { feed, counter in
      feed.engine.perform { machine, now in
        for number in 0..<pending { begin(&machine, .init(number: number, counter: counter)) }
        machine.publish(machine.change(.edit, at: now))
      }
      let before = counter.value
      feed.receive(.upsert(Counted(id: .init(number: 15_000, counter: counter), version: 2)))
      feed.receive(.delete(.init(number: 15_001, counter: counter)))
      try await feed.update(
        .init(number: 15_002, counter: counter), optimistically: { $0.version = 1 }
      ) {}
      #expect(feed.path(of: .init(number: 15_003, counter: counter)) != nil)
      cost.withLock { $0 = counter.value - before }
    }
    return cost.withLock { $0 }
  }

  @Test
  func `C4: an event looks at as few rows with many edits and deletions pending as with few`()
    async throws
  {
    @Sendable func edit(_ id: Counted.ID, _ change: Edits.Change, isPlaced: Bool = false)
      -> Edits.Edit
    {
      .init(token: -id.number - 1, change: change, isPlaced: isPlaced, since: 0, cause: .edit)
    }
    @Sendable func row(_ id: Counted.ID) -> RowID { RowID(id, of: Counted.self) }
    let begins: [@Sendable (inout FeedMachine, Counted.ID) -> Void] = [
      { machine, id in
        let change = Edits.Change.update { row in
          var item = Counted._item(of: row.row)
          item.version = 1
          row = AnyItem(item)
        }
        machine.rows.presentation.overlay.edits.begin(edit(id, change), of: row(id))
      },
      { machine, id in machine.rows.presentation.overlay.edits.begin(edit(id, .delete), of: row(id))
      },
      { machine, id in
        machine.rows.presentation.overlay.edits.begin(edit(id, .delete), of: row(id))
        machine.rows.presentation.overlay.edits.confirm(
          -id.number - 1, after: 9, until: .distantFuture)
      },
      { machine, id in
        let new = Counted(id: .init(number: -id.number - 1, counter: id.counter))
        machine.rows.presentation.overlay.place(row(new.id), at: .top)
        machine.rows.presentation.overlay.edits.begin(
          edit(id, .put(AnyItem(new)), isPlaced: true), of: row(new.id))
      },
    ]
    for begin in begins {
      let costs = (try await cost(pending: 10, begin), try await cost(pending: 10_000, begin))
      // A larger table has longer collisions; to look at all that is pending is 10,000 looks.
      #expect(costs.1 < 2 * costs.0 + 500 && costs.1 < 1_500, "\(costs)")
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
