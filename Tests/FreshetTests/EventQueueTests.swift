import FreshetTesting
import Testing

@testable import Freshet

/// Events of an engine: in order, none lost, and nobody waits.
@Suite(.timeLimit(.minutes(5)))
struct EventQueueTests {
  struct Entry: Sendable {
    var poster: Int
    var number: Int
  }

  struct Engine: Sendable {
    var entries: [Entry] = []
  }

  final class Tally: Sendable {
    let count = Locked(0)
    func add() { count.withLock { $0 += 1 } }
  }

  /// Posts an event of one of several callers.
  private static func post(
    _ entry: Entry, to eventQueue: EventQueue<Engine>, _ afterwards: Tally,
    _ random: inout SeededGenerator
  ) {
    let (isLong, posts) = (random.oneIn(3), random.oneIn(8))
    eventQueue.post(asTaskIf: { _ in isLong }) { engine in
      engine.entries.append(entry)
      // The code of users may call back while their event happens.
      if posts {
        eventQueue.post { engine in
          engine.entries.append(Entry(poster: -1, number: 0))
          return {}
        }
      }
      return { afterwards.add() }
    }
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `events happen once each, in the order in which each caller posted them`(seed: Int) async {
    let eventQueue = EventQueue(Engine())
    let afterwards = Tally()
    let (posters, events) = (6, 400)
    await withTaskGroup(of: Void.self) { group in
      for poster in 0..<posters {
        group.addTask {
          var random = SeededGenerator(seed: seed * 100 + poster)
          for number in 0..<events {
            Self.post(Entry(poster: poster, number: number), to: eventQueue, afterwards, &random)
            if random.oneIn(20) { await Task.yield() }
          }
        }
      }
    }
    // What the last events posted is behind the first question.
    _ = await eventQueue.ask { _ in }
    let entries = await eventQueue.ask { $0.entries }
    for poster in 0..<posters {
      let numbers = entries.filter { $0.poster == poster }.map(\.number)
      if numbers != Array(0..<events) { Issue.record("seed \(seed): poster \(poster)") }
    }
    #expect(afterwards.count.withLock { $0 } == posters * events)
  }

  @Test
  func `what finds the engine at rest has happened on return, unless it is long`() async {
    let eventQueue = EventQueue(0)
    let seen = Locked(0)
    for number in 1...100 {
      eventQueue.post { engine in
        engine += 1
        seen.withLock { $0 = number }
        return {}
      }
      #expect(seen.withLock { $0 } == number)
    }
    let gate = Gate()
    gate.shut()
    eventQueue.post(asTaskIf: { $0 == 100 }) { engine in
      gate.pass()
      engine = 0
      seen.withLock { $0 = 0 }
      return {}
    }
    #expect(seen.withLock { $0 } == 100)
    gate.open()
    #expect(await eventQueue.ask { $0 } == 0)
    #expect(!gate.hasGivenUp)
  }

  @Test
  func `who performed an event does not go on with what others posted meanwhile`() async {
    let eventQueue = EventQueue([Int]())
    let gate = Gate()
    gate.shut()
    // As if another thread posted while the first event happens.
    eventQueue.post { engine in
      engine.append(1)
      eventQueue.post { engine in
        gate.pass()
        engine.append(2)
        return {}
      }
      return {}
    }
    eventQueue.post { engine in
      engine.append(3)
      return {}
    }
    gate.open()
    #expect(await eventQueue.ask { $0 } == [1, 2, 3])
    #expect(!gate.hasGivenUp)
  }

  @Test
  func `who is resumed finds the engine at rest`() async {
    let eventQueue = EventQueue(0)
    let seen = Locked(0)
    for number in 1...1000 {
      _ = await eventQueue.ask { _ in }
      eventQueue.post { engine in
        engine += 1
        seen.withLock { $0 = number }
        return {}
      }
      #expect(seen.withLock { $0 } == number)
    }
  }
}
