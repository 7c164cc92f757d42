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
      configuration: machine.configuration, continuity: machine.continuity, isCached: true,
      sectionedBy: section)
    begin { machine, now in
      machine.beginRestoring()
      return machine.restore(cache.loadFirst() ?? CachedRows(), at: now)
    }
  }
}
