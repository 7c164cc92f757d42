import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What one answer proves, and what it does not: histories reduced by hand.
@Suite(.timeLimit(.minutes(5)))
struct EvidenceTests {
  @Test
  func `T3: a renewal that needs a second page asks for each page once`() {
    var history = History(
      Array(1...20),
      configuration: FeedConfiguration(pageSize: 4, prefetchDistance: 0, staleAfter: .seconds(10)))
    history.ask { $0.load(.refresh) }
    history.ask { $0.load(.next) }
    history.server.delete(6)
    history.time += 100
    history.begin { $0.willDisplay(7, at: $1) }
    history.answerOldest()
    history.server.insert(Post(id: 50), at: 4)
    history.settle()
    #expect(history.machine.value.outline == "1 2 3 4 5 7 8 9 10 11 12 13 14 15 16 17")
    let keys = history.server.requests.compactMap(\.key)
    #expect(Set(keys.dropFirst()).count == keys.count - 1)
    history.ask { $0.load(.refresh, scope: .all) }
    history.fill()
    history.checkConverged()
    #expect(history.violations == [])
  }

  @Test
  func `T2: rows known above a gap leave a gap where a load at the end takes them from`() {
    var history = History(
      Array(1...20), configuration: FeedConfiguration(pageSize: 3, refreshPages: 2))
    history.ask { $0.load(.refresh) }
    for id in 1...3 { history.server.delete(id) }
    history.server.move(20, to: 0)
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "20 4 5 6 7 8 | 1 2 3")
    history.server.insert(Post(id: 30), at: 1)
    history.ask { $0.load(.next) }
    #expect(history.machine.value.outline == "20 | 6 7 8 | 1 2 3 30 4 5")
    #expect(history.machine.value.state.failure == nil)
    history.fill()
    history.checkConverged()
    #expect(history.violations == [])
  }

  @Test
  func `T2: a row that moved up for certain leaves no gap`() {
    var history = History(Array(1...20), configuration: FeedConfiguration(pageSize: 5))
    history.ask { $0.load(.refresh) }
    history.ask { $0.load(.next) }
    history.server.move(8, to: 0)
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "8 1 2 3 4 5 6 7 9 10")
    #expect(history.violations == [])
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `T1: at rest no page key removes a row that moved past another`(paging: ScriptedPaging) {
    for (from, to) in [(1, 0), (0, 1), (3, 0), (0, 3), (2, 4), (4, 1)] {
      var history = History(Array(1...6), paging, configuration: FeedConfiguration(pageSize: 2))
      history.ask { $0.load(.refresh) }
      history.fill()
      history.server.move(history.server.items[from].id, to: to)
      history.ask { $0.load(.refresh, scope: .all) }
      history.fill()
      history.checkConverged()
      history.checkRest()
      #expect(history.violations == [])
    }
  }

  @Test
  func `T7: keys that were used before a list was replaced are not a loop`() {
    var history = History(
      Array(1...15), configuration: FeedConfiguration(pageSize: 3, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    for _ in 0..<3 { history.ask { $0.load(.next) } }
    for id in 3...12 { history.ask { $0.remove(id, at: $1) } }
    history.ask { $0.insert(Post(id: 99), after: 2, at: $1) }
    history.ask { $0.load(.refresh, scope: .all) }
    #expect(history.machine.value.outline == "1 2 3 4 5 6")
    history.ask { $0.load(.next) }
    #expect(history.machine.value.state.failure == nil)
    history.fill()
    history.checkConverged()
    #expect(history.violations == [])
  }

  @Test(arguments: [0, 1, 2])
  func `T1: a page above that shows the row below it elsewhere proves nothing above it`(to: Int) {
    var history = History(
      Array(1...8), startingAt: 4,
      configuration: FeedConfiguration(pageSize: 3, prefetchDistance: 0))
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "5 6 7")
    history.server.move(5, to: to)
    history.ask { $0.load(.previous) }
    history.ask { $0.load(.refresh, scope: .all) }
    history.fill()
    history.checkConverged()
    history.checkRest()
    #expect(history.violations == [])
  }

  @Test
  func `R2: a page is asked for again where an older load read on after it`() {
    var history = History(
      Array(1...9), configuration: FeedConfiguration(pageSize: 2, refreshPages: 3))
    history.ask { $0.load(.refresh) }
    history.ask { $0.load(.next) }
    for id in [12, 11, 10] { history.server.insert(Post(id: id), at: 0) }
    history.begin { $0.load(.refresh) }
    history.serve(0)
    history.begin { $0.load(.next) }
    history.serve(1)
    // The refresh reads on: what it finds from here on is newer than the page at the end.
    history.server.move(6, to: 3)
    history.settle()
    #expect(history.machine.value.outline == "10 11 12 6 1 2 3 4 5 7")
    #expect(history.violations == [])
  }

  @Test
  func `R2: news survive an older answer that shows their row for the first time`() {
    var history = History([1, 2], configuration: FeedConfiguration())
    history.begin { $0.load(.refresh) }
    history.serve(0)
    history.server.update(Post(id: 1, version: 7))
    history.begin { $0.follow(.upsert(Post(id: 1, version: 7)), token: 1, at: $1) }
    history.answerOldest()
    #expect(history.machine.value.outline == "1v7 2")
    #expect(history.violations == [])
  }

  @Test(arguments: [RefreshScope.visible, .all])
  func `T6: replacing reads as far as it is asked to where the head is what it was`(
    scope: RefreshScope
  ) {
    var history = History(
      Array(1...30),
      configuration: FeedConfiguration(pageSize: 5, refreshPolicy: .replace, prefetchDistance: 3))
    history.ask { $0.load(.refresh) }
    for _ in 0..<3 { history.ask { $0.load(.next) } }
    history.server.delete(8)
    history.ask { $0.willDisplay(9, at: $1) }
    history.ask { $0.load(.refresh, scope: scope) }
    #expect(!history.machine.value.items.contains { $0.id == 8 })
    #expect(history.machine.value.items.count >= 19)
    #expect(history.violations == [])
  }

  @Test
  func `T6: a row that was held for a load which is cancelled goes with the next answer`() {
    var history = History([1, 2, 3], configuration: FeedConfiguration())
    history.ask { $0.load(.refresh) }
    history.begin { $0.load(.refresh, waiter: 1) }
    history.waiting = [1]
    history.begin { $0.insert(Post(id: 9), after: 2, token: 1, at: $1) }
    history.begin { $0.confirm(1, at: $1) }
    history.begin { $0.cancel(waiter: 1, at: $1) }
    history.ask { $0.load(.refresh, scope: .all) }
    history.checkConverged()
    #expect(history.violations == [])
  }

  @Test
  func `R3: who waits to try a gap again hears when it closes, and nothing more is asked`() throws {
    let retry = RetryPolicy(attempts: 1, generator: SeededGenerator(seed: 1))
    var history = History(
      Array(1...4),
      configuration: FeedConfiguration(pageSize: 3, refreshPages: 1, retryPolicy: retry))
    history.ask { $0.load(.refresh) }
    for id in 10..<16 { history.server.insert(Post(id: id), at: 0) }
    history.ask { $0.load(.refresh) }
    let gap = try #require(history.machine.timeline.gaps.keys.first)
    history.waiting = [1]
    history.begin { $0.load(.gap(gap), waiter: 1) }
    let request = history.pending.removeFirst()
    let failure = FeedError.unreached
    history.begin { $0.receive(.failure(failure), for: request.ticket, at: $1) }
    #expect(history.pausing.count == 1)
    history.begin { $0.load(.refresh, scope: .all) }
    while !history.pending.isEmpty { history.answerOldest() }
    #expect(history.machine.timeline.gaps.isEmpty && history.waiting.isEmpty)
    #expect(history.outcomes == [1: .end])
    let requests = history.server.requests.count
    history.settle()
    #expect(history.server.requests.count == requests)
    #expect(history.violations == [])
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `T7: the key of a gap is looked for on disk where none is in memory`(
    paging: ScriptedPaging
  ) throws {
    var history = History(
      Array(1...12), paging, isCached: true,
      configuration: FeedConfiguration(pageSize: 3, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    history.fill()
    for id in 20..<34 { history.server.insert(Post(id: id), at: 0) }
    history.ask { $0.load(.refresh) }
    for _ in 0..<2 { history.ask { $0.load(.gap($0.timeline.gaps.keys.min() ?? 0)) } }
    let gap = try #require(history.machine.timeline.gaps.keys.first)
    let index = try #require(history.machine.timeline.index(ofGap: gap))
    // The rows right above the gap lose their key, those with one go to disk.
    let last = history.machine.timeline.rows[index - 1].item?.id
    history.begin { (machine: inout FeedMachine) in
      let change = machine.change(.edit, at: .distantPast) {
        var edit = TimelineEdit()
        if let last { $0.timeline.mark(last, &edit) { $0.next = nil } }
        return edit
      }
      machine.publish(change)
      machine.save(change)
    }
    history.begin { (machine: inout FeedMachine) in
      let far = (index - 4)..<(index - 1)
      machine.publish(
        machine.change(.cache, at: .distantPast) {
          $0.timeline.evict(far, isStored: true)
        })
    }
    history.ask { $0.load(.gap(gap)) }
    #expect(history.machine.value.state.failure == nil)
    history.fill()
    history.checkConverged()
    #expect(history.violations == [])
  }

  @Test(arguments: [Int.min, -1, 0, .max])
  func `no number in a configuration traps`(number: Int) {
    var configuration = FeedConfiguration(
      pageSize: number, refreshPages: number, prefetchDistance: number, maximumRows: number)
    configuration.pageSize = max(2, number)
    configuration.prefetchDistance = number
    configuration.maximumRows = number
    var history = History(Array(1...20), isCached: true, configuration: configuration)
    history.ask { $0.load(.refresh) }
    history.ask { $0.willDisplay(1, at: $1) }
    history.ask { $0.load(.next) }
    history.ask { $0.load(.refresh, scope: .visible) }
    #expect(history.machine.value.items.first?.id == 1)
  }

  @Test
  func `T3: a page from a clock that went ahead is asked for again`() throws {
    var machine = FeedMachine(
      configuration: FeedConfiguration(pageSize: 2, staleAfter: .seconds(60)),
      continuity: .stable, sectionedBy: nil)
    guard case .load(.fetch(let ticket, _))? = machine.effects(of: { $0.load(.refresh) }).first
    else { return }
    let ahead = Date(timeIntervalSince1970: 40_000_000)
    let page = Page<Post, PageKey>([Post(id: 0), Post(id: 1)], next: nil)
    machine.receive(.success(page), for: ticket, at: ahead)
    func asks(_ now: Date) -> Bool {
      var machine = machine
      return machine.effects(of: { $0.willDisplay(0, at: now) }).contains {
        if case .load(.fetch) = $0 { true } else { false }
      }
    }
    #expect(!asks(ahead + 50) && asks(ahead + 70) && asks(ahead - 10_000_000))
  }
}
