import FreshetTesting
import Testing

@testable import Freshet

/// What failed at the source, and rows on disk beside it: these come back by themselves.
@Suite(.timeLimit(.minutes(5)))
struct WindowFailureTests {
  /// The first page of sixty rows, with few of them in memory and all of them on disk.
  static func history(_ paging: ScriptedPaging = .keyset) -> History {
    var history = History(
      Array(0..<60), paging, isCached: true,
      configuration: FeedConfiguration(
        pageSize: 5, refreshPages: 1, prefetchDistance: 2, maximumRows: 20))
    history.ask { $0.load(.refresh) }
    return history
  }

  /// Rows that were asked for come from disk, and what they ask for.
  static func read(_ history: inout History) {
    while !history.reads.isEmpty {
      let (ticket, rows) = history.reads.removeFirst()
      history.begin { $0.readBack(rows, for: ticket, at: $1) }
    }
  }

  /// The oldest request fails.
  static func fail(_ history: inout History) {
    let ticket = history.pending.removeFirst().ticket
    history.begin { $0.receive(.failure(.source(ScriptedFailure())), for: ticket, at: $1) }
  }

  /// Scrolls to the last row that is loaded, and loads more, so many times.
  static func scrollDown(_ pages: Int, _ history: inout History) {
    for _ in 0..<pages {
      let last = history.machine.value.items.last?.id ?? 0
      history.begin { $0.willDisplay(last, at: $1) }
      history.begin { $0.load(.next) }
      while !history.pending.isEmpty { history.answerOldest() }
    }
  }

  /// Scrolls up, row by row, until something is so.
  static func scrollUp(_ history: inout History, until isThere: (History.Machine) -> Bool) {
    var id = history.machine.value.items.last?.id ?? 0
    for _ in 0..<100 where !isThere(history.machine) {
      history.begin { $0.willDisplay(id, at: $1) }
      read(&history)
      let ids = history.machine.value.items.map(\.id)
      guard let index = ids.firstIndex(of: id), index > 0 else { return }
      id = ids[index - 1]
    }
  }

  @Test
  func `a gap that failed is read by itself once it stands for rows on disk`() throws {
    var history = Self.history()
    for id in 100..<120 { history.server.insert(Post(id: id), at: 0) }
    history.ask { $0.load(.refresh) }
    let gap = try #require(history.machine.value.state.gaps.keys.first)
    history.begin { $0.load(.gap(gap)) }
    Self.fail(&history)
    #expect(history.machine.value.state.gaps[gap]?.failure != nil)
    Self.scrollDown(6, &history)
    #expect(history.machine.timeline.evicted.runs[gap] != nil)
    #expect(history.machine.value.state.gaps[gap] == .idle)
    Self.scrollUp(&history) { $0.value.items.contains { $0.id == 0 } }
    #expect(history.machine.value.items.contains { $0.id == 0 })
    #expect(history.violations == [])
  }

  @Test
  func `rows on disk behind the last one are read, whatever failed beyond them`() throws {
    var history = Self.history()
    Self.scrollDown(6, &history)
    history.begin { $0.load(.next) }
    Self.fail(&history)
    #expect(history.machine.value.state.next.failure != nil)
    Self.scrollUp(&history) { $0.timeline.endGap != nil }
    let end = try #require(history.machine.timeline.endGap)
    let stored = try #require(history.machine.timeline.evicted.runs[end.id]?.count)
    #expect(history.machine.value.state.next == .idle)
    // Who looks ahead gets them too.
    history.lastWaiter = 2
    history.waiting = [1, 2]
    history.begin { $0.loadAhead(.next, waiter: 1) }
    #expect(history.reads.count == 1 && history.machine.value.state.next == .loading)
    Self.read(&history)
    #expect(history.machine.timeline.evicted.runs[end.id]?.count == stored - 5)
    #expect(history.outcomes[1] == .idle)
    // Who asks hears how that went, and not what was before.
    for _ in 0..<10 where history.machine.timeline.endGap != nil {
      history.waiting = [2]
      history.begin { $0.load(.next, waiter: 2) }
      #expect(history.machine.value.state.next == .loading)
      Self.read(&history)
      #expect(history.outcomes[2] == .idle)
    }
    #expect(history.machine.value.items.last?.id == 34)
    #expect(history.violations == [])
  }

  @Test
  func `R4: what failed beyond rows on disk stays so for who looks ahead`() throws {
    var history = Self.history()
    Self.scrollDown(6, &history)
    history.begin { $0.load(.next) }
    Self.fail(&history)
    Self.scrollUp(&history) { $0.timeline.endGap != nil }
    for waiter in 1..<10 where history.machine.timeline.endGap != nil {
      history.waiting = [waiter]
      history.begin { $0.loadAhead(.next, waiter: waiter) }
      Self.read(&history)
    }
    #expect(history.machine.value.state.next.failure != nil)
    history.waiting = [10]
    history.begin { $0.loadAhead(.next, waiter: 10) }
    #expect(history.pending.isEmpty && history.outcomes[10]?.failure != nil)
    #expect(history.violations == [])
  }

  @Test
  func `while paused, what is on disk is read, and the source is not asked`() {
    var history = Self.history()
    Self.scrollDown(6, &history)
    // What leads to the end is known on disk alone.
    history.machine.rows.timeline.forget(nil)
    history.begin { $0.pause() }
    history.begin { $0.load(.next) }
    #expect(history.reads.count == 1)
    Self.read(&history)
    #expect(history.pending.isEmpty && history.machine.value.state.next == .loading)
    history.begin { $0.resume() }
    #expect(history.pending.count == 1)
    for _ in 0..<20 where !history.pending.isEmpty { history.answerOldest() }
    #expect(history.machine.value.items.contains { $0.id == 35 })
    #expect(history.violations == [])
  }
}
