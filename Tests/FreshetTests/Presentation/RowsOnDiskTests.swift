import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What happens to rows that are on disk and not in memory while the list is edited.
@Suite(.timeLimit(.minutes(5)))
struct RowsOnDiskTests {
  /// A list of forty rows, twelve of them in memory around one that is scrolled to.
  func history(
    scrolledTo id: Int? = nil, sortedBy order: (@Sendable (Post, Post) -> Bool)? = nil
  ) -> History {
    var history = History(
      Array(0..<40), sortedBy: order, isCached: true,
      configuration: FeedConfiguration(
        pageSize: 4, refreshPages: 1, prefetchDistance: 2, maximumRows: 12))
    history.ask { $0.load(.refresh) }
    if let id { history.scroll(from: 0, to: id) }
    return history
  }

  // MARK: - Rows that go

  @Test
  func `a deletion decided far away costs no row on disk beside it`() {
    var history = history()
    history.begin { $0.delete(3, token: 1, at: $1) }
    history.scroll(from: 0, to: 8)
    history.begin { $0.delete(6, token: 2, at: $1) }
    history.scroll(from: 8, to: 30)
    history.ask { $0.willDisplay(30, at: $1) }
    let requests = history.server.requests.count
    for (id, token) in [(3, 1), (6, 2)] {
      history.server.delete(id)
      history.begin { $0.confirm(token, at: $1) }
    }
    #expect(
      history.scroll(from: 30, to: 0) == (0...30).reversed().filter { ![3, 6].contains($0) })
    #expect(history.server.requests.count == requests)
    #expect(history.violations == [])
  }

  @Test
  func `T2: where all rows between two gaps on disk go, no row behind them is skipped`() {
    var history = history(scrolledTo: 8)
    history.begin { $0.delete(6, token: 1, at: $1) }
    history.scroll(from: 8, to: 30)
    for (token, id) in [5, 7, 6].enumerated() {
      history.server.delete(id)
      if id == 6 {
        history.begin { $0.confirm(1, at: $1) }
      } else {
        history.begin { $0.follow(.delete(id), token: 10 + token, at: $1) }
      }
    }
    history.readAll()
    history.fill()
    #expect(history.machine.value.items.map(\.id) == Array(0..<5) + Array(8..<40))
    #expect(history.violations == [])
  }

  // MARK: - Older copies

  @Test(arguments: [true, false])
  func `R6: a row that came again and went does not come back from disk`(isTold: Bool) {
    var history = history(scrolledTo: 30)
    history.bump(9)
    #expect(history.machine.value.items.first == Post(id: 9, version: 1))
    history.server.delete(9)
    if isTold {
      history.begin { $0.follow(.delete(9), token: 1, at: $1) }
    } else {
      history.begin { $0.remove(9, at: $1) }
    }
    // Slow answers are not waited for any more.
    history.time += 100
    history.ask { $0.load(.refresh) }
    #expect(history.scroll(from: 30, to: 0) == (0...30).reversed().filter { $0 != 9 })
    #expect(history.violations == [])
  }

  @Test
  func `L1: a row that came again is where it came last, however far that is by now`() {
    var history = history(scrolledTo: 30)
    history.bump(9)
    for id in 100..<112 {
      history.server.insert(Post(id: id), at: 0)
      history.ask { $0.load(.refresh) }
    }
    history.scroll(from: 30, to: 34)
    let expected = (100..<112).reversed() + [9] + Array(0..<9) + Array(10...34)
    #expect(history.scroll(from: 34, to: 111) == expected.reversed())
    #expect(history.machine.value.items.allSatisfy { $0.id != 9 || $0.version == 1 })
    #expect(history.violations == [])
  }

  // MARK: - What was made

  @Test
  func `P5: what was made and what came is stored, though rows on disk were not read`() {
    var history = history(scrolledTo: 39)
    history.launch()
    #expect(!history.machine.timeline.evicted.runs.isEmpty)
    history.begin { $0.insert(Post(id: -1), after: nil, token: 1, at: $1) }
    history.server.insert(Post(id: 100), at: 0)
    history.begin { $0.confirm(1, as: Post(id: 100), at: $1) }
    history.server.insert(Post(id: 101), at: 0)
    history.begin { $0.follow(.insert(Post(id: 101)), token: 2, at: $1) }
    #expect(history.stored.prefix(3) == [101, 100, 0])
    #expect(history.violations == [])
  }

  @Test(arguments: [true, false])
  func `R6: an item that is made keeps behind the row it was put behind`(isTaken: Bool) {
    var history = history(scrolledTo: 8)
    history.begin { $0.insert(Post(id: -1), after: 6, token: 1, at: $1) }
    history.scroll(from: 8, to: 30)
    history.ask { $0.willDisplay(30, at: $1) }
    let requests = history.server.requests.count
    if isTaken {
      history.server.insert(Post(id: 100), at: 7)
      history.begin { $0.confirm(1, as: Post(id: 100), at: $1) }
    }
    let expected = Array(0...6) + [isTaken ? 100 : -1] + Array(7...30)
    #expect(history.scroll(from: 30, to: 0) == expected.reversed())
    #expect(history.server.requests.count == requests)
    #expect(history.violations == [])
  }

  @Test
  func `rows around an item that is made and on display stay, and are refreshed`() throws {
    var history = history(scrolledTo: 30)
    history.begin { $0.insert(Post(id: -1), after: 30, token: 1, at: $1) }
    history.ask { $0.willDisplay(-1, at: $1) }
    // What was loaded last is far away.
    let gap = try #require(history.machine.value.rows.compactMap(\.gap).first)
    history.ask { $0.load(.gap(gap.id)) }
    #expect(history.machine.value.items.contains { $0.id == 28 })
    history.server.update(Post(id: 29, version: 1))
    history.ask { $0.load(.refresh, scope: .visible) }
    #expect(history.machine.value.items.contains(Post(id: 29, version: 1)))
    #expect(history.violations == [])
  }

  // MARK: - What is on disk

  @Test
  func `R4: rows are not let go to a disk that was cleared, whatever fails`() {
    var history = history(scrolledTo: 30)
    history.readAll()
    let rows = history.machine.value.items
    #expect(rows.count > 30)
    // What is checked at each step counts the rows on disk: there are none.
    var machine = history.machine
    machine.forgetStored(at: history.now)
    machine.configuration.maximumRows = 12
    machine.willDisplay(rows[0].id, at: history.now)
    for case .load(.fetch(let ticket, _)) in machine.effects(of: { $0.load(.next) }) {
      machine.receive(.failure(.source(ScriptedFailure())), for: ticket, at: history.now)
    }
    #expect(Array(machine.value.items) == Array(rows))
  }

  @Test
  func `R2: news of rows on disk are seen where a load reads those rows on its way`() throws {
    var history = history(scrolledTo: 20, sortedBy: { $0.id < $1.id })
    let gap = try #require(history.machine.timeline.evicted.runs.first)
    // It ends a page: the page behind it does not have it.
    let below = try #require(gap.value.below).post
    let last = below / 4 * 4 - 1
    history.server.update(Post(id: last, version: 1))
    history.begin { $0.follow(.upsert(Post(id: last, version: 1)), token: 1, at: $1) }
    // No key is known that leads to the end: the next one is on disk.
    history.begin { (machine: inout FeedMachine) in
      let change = machine.change(.edit, at: .distantPast) { machine in
        var edit = TimelineEdit()
        for id in below..<40 { machine.timeline.mark(id, &edit) { $0.next = nil } }
        return edit
      }
      machine.publish(change)
      machine.save(change)
    }
    history.machine.configuration.maximumRows = nil
    history.ask { $0.load(.next) }
    #expect(history.machine.value.items.first { $0.id == last }?.version == 1)
    #expect(history.violations == [])
  }

  @Test
  func `P5: the reader's place is found where the first rows on disk end in a gap`() throws {
    var history = history(scrolledTo: 20)
    for id in 100..<105 { history.server.insert(Post(id: id), at: 0) }
    history.ask { $0.load(.refresh) }
    #expect(history.stored.prefix(5) == [104, 103, 102, 101, 0])
    history.begin { $0.setAnchor(20) }
    history.begin { $0.savePlace(at: $1) }
    history.launch()
    history.settle()
    #expect(history.machine.value.anchor == 20)
    #expect(history.machine.value.items.contains { $0.id == 20 })
    #expect(history.violations == [])
  }
}

extension History {
  /// Scrolls from an item to another, row by row, and waits at each for what it loads.
  @discardableResult
  fileprivate mutating func scroll(from first: Int, to last: Int) -> [Int] {
    var seen = [first]
    var way: Int?
    while let id = seen.last, id != last, seen.count < 200, violations.isEmpty {
      ask { $0.willDisplay(id, at: $1) }
      let ids = machine.value.items.map(\.id)
      guard let index = ids.firstIndex(of: id) else { break }
      // The way does not change where the item at its end is let go.
      if way == nil { way = ids.firstIndex(of: last).map { $0 < index ? -1 : 1 } }
      let next = index + (way ?? (last > id ? 1 : -1))
      guard ids.indices.contains(next) else { break }
      seen.append(ids[next])
    }
    return seen
  }

  /// An item changes on the server and comes to its head, and the list is refreshed.
  fileprivate mutating func bump(_ id: Int) {
    server.update(Post(id: id, version: 1))
    server.move(id, to: 0)
    ask { $0.load(.refresh) }
  }

  /// The items on disk.
  fileprivate var stored: [Int] { (cache as? ModelCache)?.ids ?? [] }

  /// The app starts again, and shows the first rows on disk.
  fileprivate mutating func launch() {
    guard let cache else { return }
    checker = BatchUpdateChecker()
    machine = Machine(
      ofPosts: machine.configuration, continuity: machine.planner.continuity, isCached: true,
      sectionedBy: section)
    begin { machine, now in
      machine.beginRestoring()
      machine.restore(cache.loadFirst() ?? CachedRows(), at: now)
    }
  }
}
