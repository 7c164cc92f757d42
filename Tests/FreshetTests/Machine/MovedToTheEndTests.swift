import FreshetTesting
import Testing

@testable import Freshet

/// T3, T5: rows that move below what is loaded, in lists that are read by offsets.
@Suite(.timeLimit(.minutes(5)))
struct MovedToTheEndTests {
  /// What a feed shows that has loaded some rows of a list before one of them moved, and then reads
  /// on to the end.
  private func read(_ count: Int, loaded: Int, moving from: Int, to: Int) async -> (
    shown: [Int], server: [Int], hasGap: Bool
  ) {
    let server = ScriptedServer((0..<count).map { Post(id: $0) })
    let feed = Feed(
      server.source(.offset),
      configuration: FeedConfiguration(pageSize: loaded, prefetchDistance: 0))
    await feed.refresh()
    server.move(from, to: to)
    for _ in 0..<20 where await feed.loadNext() == .idle {}
    await feed.settled()
    while feed.value.state.refresh == .loading { await feed.settled() }
    for _ in 0..<20 where await feed.loadNext() == .idle {}
    return (
      feed.value.items.map(\.id), server.items.map(\.id), !feed.value.state.gaps.isEmpty
    )
  }

  @Test
  func `T3: no row is lost without a gap, wherever one moves`() async {
    for count in 3...7 {
      for loaded in 2..<count {
        for from in 0..<count {
          // A row that comes above those that were read is there after the next refresh.
          for to in 0..<count where to != from && (from < loaded || to >= loaded) {
            let read = await read(count, loaded: loaded, moving: from, to: to)
            let isWhole = Set(read.shown) == Set(read.server)
            #expect(
              isWhole || read.hasGap,
              "\(count) rows, \(loaded) loaded, \(from) to \(to): \(read.shown) of \(read.server)")
          }
        }
      }
    }
  }

  @Test(arguments: [ScriptedPaging.offset, .page])
  func `T5, T8: a page behind rows that went meanwhile is not the end of the list`(
    paging: ScriptedPaging
  ) {
    for isNews in [true, false] {
      var history = History(
        [1, 2, 3], paging,
        configuration: FeedConfiguration(pageSize: 2, refreshPages: 1, prefetchDistance: 0))
      history.ask { $0.load(.refresh) }
      #expect(history.machine.value.outline == "1 2")
      history.begin { $0.load(.next) }
      for (token, id) in [1, 2].enumerated() {
        history.server.delete(id)
        if isNews {
          history.begin { $0.follow(.delete(id), token: -1 - token, at: $1) }
        } else {
          history.begin { $0.delete(id, token: 1 + token, at: $1) }
          history.begin { $0.confirm(1 + token, at: $1) }
        }
      }
      history.settle()
      history.fill()
      #expect(history.machine.value.outline == "3")
      #expect(history.violations == [])
    }
  }

  @Test(arguments: [ScriptedPaging.offset, .page])
  func `T3, T5: a row that moved to the end takes none with it`(paging: ScriptedPaging) {
    for pageSize in 1...4 {
      for count in 3...7 {
        for loaded in 2...count {
          for moved in 1...count {
            var history = History(
              Array(1...count), paging,
              configuration: FeedConfiguration(
                pageSize: pageSize, refreshPages: 1, prefetchDistance: 0))
            history.ask { $0.load(.refresh) }
            while history.machine.value.items.count < loaded, history.machine.timeline.tail != .end
            {
              history.ask { $0.load(.next) }
            }
            history.server.move(moved, to: count - 1)
            for _ in 0..<20 where history.machine.timeline.tail != .end {
              history.ask { $0.load(.next) }
            }
            let value = history.machine.value
            let isWhole = Set(value.items.map(\.id)) == Set(1...count)
            let isOpen = value.outline.contains("|")
            #expect(
              isWhole || isOpen,
              "\(count) rows, pages of \(pageSize), \(loaded), \(moved) moved: \(value.outline)")
          }
        }
      }
    }
  }

  @Test(arguments: [ScriptedPaging.offset, .page], RefreshScope.allCases)
  func `T5, T8: no end is proven behind a page whose rows all went while it was under way`(
    paging: ScriptedPaging, scope: RefreshScope
  ) {
    for isLoaded in [true, false] {
      var history = History(
        [1, 2, 3, 4], paging, configuration: FeedConfiguration(pageSize: 3, prefetchDistance: 0))
      if isLoaded { history.ask { $0.load(.refresh) } }
      history.begin { $0.load(.refresh, scope: scope) }
      history.serve(0)
      for id in 1...3 {
        history.server.delete(id)
        history.begin { $0.follow(.delete(id), token: id, at: $1) }
      }
      history.settle()
      history.fill()
      #expect(history.machine.value.outline == "4")
      #expect(history.violations == [])
    }
  }
}
