import FreshetTesting
import Testing

@testable import Freshet

/// What is asked for because of what is on screen, and not because a person wants it.
@Suite(.timeLimit(.minutes(5)))
struct LoadingAheadTests {
  @Test
  func `R4: what is on screen asks neither for what failed nor before its next attempt`() {
    var history = History.retrying(1)
    history.ask { $0.load(.refresh) }
    history.scroll(1)
    history.failOldest()
    // It waits for its next attempt, and whoever scrolls waits with it.
    history.scroll(2)
    #expect(history.pending.isEmpty && history.pausing.count == 1)
    history.waitIsOver()
    history.failOldest()
    #expect(history.machine.value.state.next.failure != nil)
    history.scroll(3)
    #expect(history.pending.isEmpty && history.pausing.isEmpty)
    // A person who asks is another matter.
    history.ask { $0.load(.next) }
    history.settle()
    #expect(history.machine.value.items.count == 10)
    history.begin { $0.load(.refresh) }
    history.failOldest()
    history.waitIsOver()
    history.failOldest()
    history.scroll(4)
    #expect(history.pending.isEmpty, "the head failed")
  }

  @Test
  func `rows that are wanted while others are read from disk are asked for once, after them`() {
    var history = History.retrying(0)
    history.ask { $0.load(.refresh) }
    let rows = history.stored()
    history.restart()
    history.begin { $0.restore(rows.first, at: $1) }
    history.scroll(1)
    history.scroll(2)
    #expect(history.pending.isEmpty && history.machine.value.state.next == .loading)
    history.begin { $0.restore(rows.rest, at: $1) }
    #expect(history.pending.count == 1)
    history.settle()
    #expect(history.machine.value.items.map(\.id) == Array(0..<10))
    #expect(history.outcomes == [1: .idle, 2: .idle] && history.violations == [])
  }

  @Test
  func `R3: who scrolls away while rows are read from disk has asked for nothing`() {
    var history = History.retrying(0)
    history.ask { $0.load(.refresh) }
    let rows = history.stored()
    history.restart()
    history.begin { $0.restore(rows.first, at: $1) }
    history.scroll(1)
    history.begin { $0.cancel(waiter: 1, at: $1) }
    history.begin { $0.restore(rows.rest, at: $1) }
    #expect(history.pending.isEmpty && history.outcomes[1] != nil && history.violations == [])
  }

  @Test
  func `R4: who scrolls while rows are read from disk waits with a request that waits`() {
    var history = History.retrying(1)
    history.begin { $0.load(.refresh) }
    history.failOldest()
    history.machine.beginRestoring()
    history.scroll(1)
    // Nothing is on disk: what follows the last row is the first page, for which a wait goes on.
    history.begin { $0.restore(CachedRows(), at: $1) }
    #expect(history.pending.isEmpty && history.pausing.count == 1)
    history.waitIsOver()
    #expect(history.pending.count == 1)
    history.settle()
    #expect(history.outcomes == [1: .idle] && history.machine.value.items.count == 5)
  }

  @Test
  func `R4: rows on disk behind the last one that could not be read are not asked for again`()
    throws
  {
    struct Unreadable: Error {}
    var history = History.retrying(1, isCached: true, maximumRows: 10)
    history.ask { $0.load(.refresh) }
    for _ in 0..<3 { history.ask { $0.load(.next) } }
    let first = try #require(history.cache?.loadFirst())
    history.restart()
    history.begin { $0.restore(first, at: $1) }
    // More is on disk than is to be in memory.
    #expect(history.machine.timeline.endGap?.isStored == true)
    history.scroll(1)
    #expect(history.reads.count == 1 && history.pending.isEmpty)
    let ticket = history.reads.removeFirst().ticket
    history.begin { $0.readBack(.failure(Unreadable()), for: ticket, at: $1) }
    #expect(history.outcomes[1] == .failed(.source(Unreadable())))
    #expect(history.machine.value.state.next == .failed(.source(Unreadable())))
    history.scroll(2)
    #expect(history.outcomes[2] == .failed(.source(Unreadable())))
    #expect(history.reads.isEmpty && history.pending.isEmpty)
    // A person who asks is another matter.
    history.wait(3) { $0.load(.next, waiter: $1) }
    history.settle()
    #expect(history.outcomes[3] == .idle && history.violations == [])
    #expect(history.machine.value.items.count > 5)
  }
}

extension History {
  /// The last row comes on screen.
  fileprivate mutating func scroll(_ waiter: Int) {
    wait(waiter) { $0.loadAhead(.next, waiter: $1) }
  }

  /// What would be on disk, in two parts.
  fileprivate func stored() -> (first: CachedRows<Post>, rest: CachedRows<Post>) {
    let rows = machine.timeline.rows.compactMap { row in
      row.item.map { CachedRows<Post>.Row.item($0.post, machine.timeline.marks[$0.id]) }
    }
    let state = CachedState(head: machine.timeline.head, tail: machine.timeline.tail)
    return (
      CachedRows(
        rows: Array(rows.prefix(2)), state: state, isComplete: false, count: rows.count),
      CachedRows(rows: Array(rows.dropFirst(2)), state: state)
    )
  }

  /// The app starts again, and reads what is on disk.
  fileprivate mutating func restart() {
    machine = Machine(
      configuration: machine.configuration, continuity: machine.planner.continuity,
      isCached: cache != nil,
      sectionedBy: nil)
    checker = BatchUpdateChecker()
    machine.beginRestoring()
  }
}
