import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What happens while a page is under way, and what the page says of it.
@Suite(.timeLimit(.minutes(5)))
struct PagesUnderWayTests {
  /// Rows 1 to 4 of a longer list are loaded, and the next page is under way.
  func history(_ count: Int = 12, _ paging: ScriptedPaging = .keyset) -> History {
    var history = History(
      Array(1...count), paging, configuration: FeedConfiguration(pageSize: 4, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    history.begin { $0.load(.next) }
    return history
  }

  @Test(arguments: [FeedEvent<Post>.upsert(Post(id: 6)), .insert(Post(id: 6))])
  func `T2, T3: a row of a page under way that is news stays where the page has it`(
    event: FeedEvent<Post>
  ) {
    var history = history()
    history.begin { $0.follow(event, token: 1, at: $1) }
    history.settle()
    #expect(history.machine.value.outline == "1 2 3 4 5 6 7 8")
    history.ask { $0.load(.refresh) }
    history.fill()
    #expect(history.machine.value.items.map(\.id) == Array(1...12))
    #expect(history.violations == [])
  }

  @Test(arguments: [true, false])
  func `T2: an item that the server sorts into a page under way stays where the page has it`(
    isTakenFirst: Bool
  ) {
    var history = history()
    let post = Post(id: 100)
    history.begin { $0.insert(post, after: nil, token: 1, at: $1) }
    #expect(history.machine.value.outline == "100 1 2 3 4")
    history.server.insert(post, at: 6)
    if isTakenFirst { history.begin { $0.confirm(1, as: post, at: $1) } }
    history.settle()
    #expect(history.machine.value.outline == "1 2 3 4 5 6 100 7")
    if !isTakenFirst { history.begin { $0.confirm(1, as: post, at: $1) } }
    history.ask { $0.load(.refresh) }
    history.fill()
    #expect(history.machine.value.items.map(\.id) == history.server.items.map(\.id))
    #expect(history.violations == [])
  }

  @Test
  func `R6: an item that is put above known rows stays there until the source decides`() {
    var history = history()
    history.settle()
    history.begin { $0.load(.next) }
    history.begin { $0.insert(Post(id: 6), after: nil, token: 1, at: $1) }
    history.settle()
    #expect(history.machine.value.outline == "6 1 2 3 4 5 7 8 9 10 11 12")
  }

  // MARK: - Older answers of edits

  @Test
  func `R2: news of a new item are not undone by the older answer of its insertion`() {
    var history = history()
    history.settle()
    history.begin { $0.insert(Post(id: -1), after: nil, token: 1, at: $1) }
    history.begin { $0.follow(.upsert(Post(id: 9, version: 2)), token: 2, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 9, version: 1), at: $1) }
    #expect(history.machine.value.items.first == Post(id: 9, version: 2))
    #expect(history.machine.value.items.count == 9)
  }

  @Test
  func `an update is not applied to news that may have it in them`() {
    var history = history()
    history.settle()
    history.begin { $0.update(2, token: 1, at: $1) { $0.version += 1 } }
    history.begin { $0.follow(.upsert(Post(id: 2, version: 1)), token: 2, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 2, version: 1), at: $1) }
    #expect(history.machine.value.items.first { $0.id == 2 }?.version == 1)
    history.begin { $0.follow(.upsert(Post(id: 2, version: 6)), token: 3, at: $1) }
    #expect(history.machine.value.items.first { $0.id == 2 }?.version == 6)
  }

  /// What the source says of an edit, in one order or the other.
  private func isSame(
    _ first: @escaping (inout History) -> Void, _ second: @escaping (inout History) -> Void,
    after history: History
  ) -> [Post] {
    let lists = [[first, second], [second, first]].map { steps in
      var history = history
      for step in steps { step(&history) }
      history.settle()
      #expect(history.violations == [])
      return Array(history.machine.value.items)
    }
    #expect(lists[0] == lists[1])
    return lists[0]
  }

  @Test(arguments: [9, -1])
  func `R2: an item that was made is the newest that is known of it, in whatever order`(id: Int) {
    var history = history()
    history.settle()
    history.begin { $0.insert(Post(id: id), after: nil, token: 1, at: $1) }
    history.server.insert(Post(id: 9, version: 3), at: 0)
    history.begin { $0.load(.refresh) }
    let items = isSame(
      { $0.settle() },
      { history in history.begin { $0.confirm(1, as: Post(id: 9, version: 1), at: $1) } },
      after: history)
    #expect(items.map(\.id) == [9] + Array(1...8) && items[0].version == 3)
  }

  @Test
  func `R2: an item that was updated is what its update says, in whatever order`() {
    var history = history()
    history.settle()
    history.begin { $0.update(2, token: 1, at: $1) { $0.version += 1000 } }
    history.begin { $0.load(.refresh) }
    let items = isSame(
      { $0.settle() },
      { history in history.begin { $0.confirm(1, as: Post(id: 2, version: 7), at: $1) } },
      after: history)
    #expect(items.map(\.id) == Array(1...8) && items[1].version == 7)
  }

  @Test
  func `R2: news of an item beyond the rows that are there are not undone by its older answer`() {
    var history = History(
      Array(1...8), sortedBy: { $0.id < $1.id },
      configuration: FeedConfiguration(pageSize: 4, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    history.begin { $0.insert(Post(id: -1), after: nil, token: 1, at: $1) }
    history.begin { $0.follow(.upsert(Post(id: 7, version: 2)), token: 2, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 7, version: 1), at: $1) }
    #expect(history.machine.value.items.first { $0.id == 7 }?.version == 2)
  }

  @Test
  func `R2: a page that was asked for after an edit began is newer than the edit's answer`() {
    var history = history()
    history.settle()
    history.begin { $0.insert(Post(id: -1), after: nil, token: 1, at: $1) }
    history.server.insert(Post(id: 9, version: 1), at: 0)
    history.server.delete(9)
    history.server.insert(Post(id: 9, version: 3), at: 0)
    history.ask { $0.load(.refresh) }
    history.begin { $0.confirm(1, as: Post(id: 9, version: 1), at: $1) }
    #expect(history.machine.value.items.first == Post(id: 9, version: 3))
  }

  @Test
  func `an answer of an edit counts if nothing newer is known`() {
    var history = history()
    history.settle()
    history.begin { $0.follow(.upsert(Post(id: 2, version: 5)), token: 1, at: $1) }
    history.begin { $0.update(2, token: 2, at: $1) { $0.version = 1 } }
    history.begin { $0.confirm(2, as: Post(id: 2, version: 7), at: $1) }
    #expect(history.machine.value.items.first { $0.id == 2 }?.version == 7)
  }

  @Test
  func `R6: news that come late bring no row back that the source has just deleted`() {
    var history = History(
      Array(1...4), sortedBy: { $0.id < $1.id },
      configuration: FeedConfiguration(pageSize: 4, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    history.begin { $0.delete(2, token: 1, at: $1) }
    history.begin { $0.confirm(1, at: $1) }
    history.begin { $0.follow(.upsert(Post(id: 2, version: 1)), token: 2, at: $1) }
    #expect(history.machine.value.outline == "1 3 4")
    // It is made again, or told of long after.
    var other = history
    history.begin { $0.follow(.insert(Post(id: 2, version: 2)), token: 3, at: $1) }
    #expect(history.machine.value.outline == "1 2v2 3 4")
    // What the same source deletes and tells of again is there again.
    history.begin { $0.follow(.delete(3), token: 4, at: $1) }
    history.begin { $0.follow(.upsert(Post(id: 3, version: 1)), token: 5, at: $1) }
    #expect(history.machine.value.outline == "1 2v2 3v1 4")
    other.time += 60
    other.begin { $0.follow(.upsert(Post(id: 2, version: 2)), token: 3, at: $1) }
    #expect(other.machine.value.outline == "1 2v2 3 4")
  }

  // MARK: - Rows that move across the seam of a refresh

  @Test(arguments: [ScriptedPaging.offset, .page])
  func `T5: a row that moves across the seam of a full refresh takes none with it`(
    paging: ScriptedPaging
  ) {
    var history = History(
      Array(1...7), paging, configuration: FeedConfiguration(pageSize: 4, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    history.fill()
    history.begin { $0.load(.refresh, scope: .all) }
    history.answerOldest()
    history.server.move(4, to: 4)
    #expect(history.server.items.map(\.id) == [1, 2, 3, 5, 4, 6, 7])
    history.settle()
    history.fill()
    #expect(Set(history.machine.value.items.map(\.id)) == Set(1...7))
    #expect(history.violations == [])
  }

  @Test(arguments: [ScriptedPaging.offset, .page])
  func `T5: a row that moves across the seam of two pages of news takes none with it`(
    paging: ScriptedPaging
  ) {
    var history = History(
      Array(10...16), paging, configuration: FeedConfiguration(pageSize: 4, refreshPages: 3))
    history.ask { $0.load(.refresh) }
    history.fill()
    for id in (1...7).reversed() { history.server.insert(Post(id: id), at: 0) }
    history.begin { $0.load(.refresh) }
    history.answerOldest()
    history.server.move(4, to: 4)
    history.settle()
    #expect(history.machine.timeline.gaps.isEmpty, "a walk that begins again may go as far")
    history.fill()
    #expect(Set(history.machine.value.items.map(\.id)) == Set(1...7).union(10...16))
    #expect(history.violations == [])
  }

  @Test
  func `T7: a list whose rows move between all answers ends a refresh`() {
    var history = History(
      Array(1...9), .offset, configuration: FeedConfiguration(pageSize: 4, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    history.fill()
    history.begin { $0.load(.refresh, scope: .all) }
    for _ in 0..<100 where !history.pending.isEmpty {
      history.answerOldest()
      let items = history.server.items
      history.server.move(items[3].id, to: 4)
    }
    #expect(history.pending.isEmpty && history.machine.planner.loadCount == 0)
    #expect(Set(history.machine.value.items.map(\.id)) == Set(1...9))
  }
}
