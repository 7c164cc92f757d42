import FreshetTesting
import Testing

@testable import Freshet

/// R2, R6: answers that were asked for before news came or an edit was taken.
@Suite(.timeLimit(.minutes(5)))
struct OlderAnswerTests {
  private static func history(_ ids: [Int], isSorted: Bool, pageSize: Int = 4) -> History {
    let order: @Sendable (Post, Post) -> Bool = { $0.version > $1.version }
    return History(
      ids, sortedBy: isSorted ? order : nil,
      configuration: FeedConfiguration(pageSize: pageSize, prefetchDistance: 0))
  }

  @Test(arguments: [true, false])
  func `R6: an update of a new row that the source told of survives an older answer`(
    isSorted: Bool
  ) {
    var history = Self.history([], isSorted: isSorted)
    history.ask { $0.load(.refresh) }
    history.begin { $0.insert(Post(id: -1), after: nil, token: 1, at: $1) }
    history.server.insert(Post(id: 1, version: 2), at: 0)
    history.begin { $0.confirm(1, as: Post(id: 1, version: 2), at: $1) }
    history.begin { $0.load(.refresh) }
    history.serve(0)
    history.begin { $0.update(1, token: 2, at: $1) { $0.version = 3 } }
    history.begin { $0.follow(.insert(Post(id: 1, version: 2)), token: 3, at: $1) }
    history.server.update(Post(id: 1, version: 3))
    history.begin { $0.confirm(2, as: Post(id: 1, version: 3), at: $1) }
    history.settle()
    #expect(history.machine.value.outline == "1v3")
    #expect(history.violations == [])
  }

  @Test(arguments: [true, false], [true, false])
  func `R6: an update of a new row survives an older answer without the row`(
    isSorted: Bool, isNewsFirst: Bool
  ) {
    var history = Self.history([], isSorted: isSorted)
    history.begin { $0.insert(Post(id: -1), after: nil, token: 1, at: $1) }
    history.begin { $0.load(.next) }
    history.serve(0)
    let post = Post(id: 1, version: 2)
    history.server.insert(post, at: 0)
    if isNewsFirst { history.begin { $0.follow(.insert(post), token: 2, at: $1) } }
    history.begin { $0.confirm(1, as: post, at: $1) }
    if !isNewsFirst { history.begin { $0.follow(.insert(post), token: 2, at: $1) } }
    history.begin { $0.update(1, token: 3, at: $1) { $0.version = 3 } }
    history.begin { $0.confirm(3, at: $1) }
    history.settle()
    #expect(history.machine.value.outline == "1v3")
    #expect(history.violations == [])
  }

  @Test(arguments: [true, false])
  func `R2, R6: what an update is answered with does not undo what the source told meanwhile`(
    isOnItsWay: Bool
  ) {
    var history = Self.history([1, 2, 3], isSorted: false)
    history.ask { $0.load(.refresh) }
    if isOnItsWay { history.begin { $0.load(.refresh) } }
    history.begin { $0.update(1, token: 1, at: $1) { $0.version = max($0.version, 5) } }
    let told = Post(id: 1, version: 7)
    history.server.update(told)
    history.begin { $0.follow(.upsert(told), token: 2, at: $1) }
    #expect(history.machine.value.items.first == told)
    history.begin { $0.confirm(1, as: Post(id: 1, version: 5), at: $1) }
    #expect(history.machine.value.items.first == told)
    history.settle()
    #expect(history.machine.value.items.first == told)
    // Nothing is told of it from here on: what the next one is answered with counts.
    history.begin { $0.update(1, token: 3, at: $1) { $0.version = 8 } }
    history.begin { $0.confirm(3, as: Post(id: 1, version: 9), at: $1) }
    #expect(history.machine.value.items.first?.version == 9)
    #expect(history.violations == [])
  }

  @Test
  func `R6: an update that is reported before it is answered is applied once`() {
    var history = Self.history([1, 2, 3], isSorted: false)
    history.ask { $0.load(.refresh) }
    history.begin { $0.update(1, token: 1, at: $1) { $0.version += 1 } }
    // The source counts in its own way.
    let taken = Post(id: 1, version: 10)
    history.server.update(taken)
    history.begin { $0.follow(.upsert(taken), token: 2, at: $1) }
    history.begin { $0.confirm(1, as: taken, at: $1) }
    history.settle()
    #expect(history.machine.value.items.first == taken)
    #expect(history.violations == [])
  }

  @Test
  func `R2: a row that came again and waits is not what it was before it went`() {
    var history = Self.history([], isSorted: true, pageSize: 1)
    history.server.insert(Post(id: 1, version: 20), at: 0)
    history.server.insert(Post(id: 2, version: 10), at: 1)
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "1v20")
    history.begin { $0.load(.refresh) }
    history.begin { $0.follow(.insert(Post(id: 3, version: 30)), token: -1, at: $1) }
    #expect(history.machine.value.outline == "3v30 1v20")
    history.begin { $0.follow(.delete(3), token: -2, at: $1) }
    history.begin { $0.follow(.insert(Post(id: 3, version: 15)), token: -3, at: $1) }
    #expect(history.machine.value.outline == "1v20")
    history.begin { $0.follow(.delete(1), token: -4, at: $1) }
    #expect(!history.machine.value.outline.contains("3v30"))
    history.server.delete(1)
    history.server.insert(Post(id: 3, version: 15), at: 0)
    history.settle()
    history.fill()
    #expect(history.machine.value.outline == "3v15 2v10")
    #expect(history.violations == [])
  }

  @Test(arguments: [true, false])
  func `R2: a row that came again is not undone by an older answer without it`(isSorted: Bool) {
    for isInsertion in [true, false] {
      var history = Self.history([1], isSorted: isSorted)
      history.ask { $0.load(.refresh) }
      history.server.delete(1)
      history.begin { $0.load(.refresh) }
      history.serve(0)
      let again = Post(id: 1, version: 3)
      history.server.insert(again, at: 0)
      history.begin {
        $0.follow(isInsertion ? .insert(again) : .upsert(again), token: -1, at: $1)
      }
      history.settle()
      #expect(history.machine.value.outline == "1v3")
      history.ask { $0.load(.refresh, scope: .all) }
      history.fill()
      #expect(history.machine.value.outline == "1v3")
      #expect(history.violations == [])
    }
  }

  @Test(arguments: [ScriptedPaging.lastItem, .keyset, .offset])
  func `R2: news survive a page whose rows all went while it was under way`(
    paging: ScriptedPaging
  ) {
    var history = History(
      [], paging, configuration: FeedConfiguration(pageSize: 2, prefetchDistance: 0))
    history.ask { $0.load(.refresh) }
    for id in [100, 101] {
      history.server.insert(Post(id: id), at: 0)
      history.begin { $0.follow(.upsert(Post(id: id)), token: id, at: $1) }
    }
    history.begin { $0.load(.refresh) }
    history.serve(0)
    history.server.insert(Post(id: 102), at: 0)
    history.begin { $0.follow(.upsert(Post(id: 102)), token: 1, at: $1) }
    for id in [100, 101] {
      history.server.delete(id)
      history.begin { $0.follow(.delete(id), token: id + 100, at: $1) }
    }
    #expect(history.machine.value.outline == "102")
    history.settle()
    #expect(history.machine.value.outline == "102")
    #expect(history.violations == [])
  }

  @Test
  func `R2: the newest of two news shows where an older page has their row`() {
    let order: @Sendable (Post, Post) -> Bool = {
      ($0.version / 10, $0.id) < ($1.version / 10, $1.id)
    }
    var history = History(
      [], startingAt: nil, sortedBy: order,
      configuration: FeedConfiguration(pageSize: 3, refreshPages: 1, prefetchDistance: 0))
    for id in 1...8 { history.server.insert(Post(id: id, version: id * 10), at: id - 1) }
    history.ask { $0.load(.refresh) }
    history.ask { $0.load(.next) }
    history.begin { $0.load(.refresh, scope: .all) }
    history.answerOldest()
    history.serve(0)
    for version in [85, 86] {
      let post = Post(id: 5, version: version)
      history.server.delete(5)
      history.server.insert(post, at: 7)
      history.begin { $0.follow(.upsert(post), token: version, at: $1) }
    }
    history.settle()
    history.fill()
    #expect(history.machine.value.items.last { $0.id == 5 }?.version == 86)
    #expect(history.machine.value.items.map(\.id) == history.server.items.map(\.id))
    #expect(history.violations == [])
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `A4: rows that news move stand in order while a page is under way`(paging: ScriptedPaging) {
    var history = History(
      [], paging, sortedBy: { $0.version < $1.version },
      configuration: FeedConfiguration(pageSize: 4))
    history.server.insert(Post(id: 1, version: 1_000), at: 0)
    history.server.insert(Post(id: 3, version: 3_000), at: 1)
    history.ask { $0.load(.refresh) }
    history.begin { $0.load(.refresh) }
    history.serve(0)
    history.begin { $0.follow(.upsert(Post(id: 1, version: 200)), token: 1, at: $1) }
    history.begin { $0.follow(.upsert(Post(id: 3, version: 100)), token: 2, at: $1) }
    #expect(history.machine.value.outline == "3v100 1v200")
    history.settle()
    #expect(history.machine.value.outline == "3v100 1v200")
    #expect(history.violations == [])
  }

  @Test(arguments: [FeedConfiguration.RefreshPolicy.keepGap, .replace])
  func `T2: a row that changed further down is no neighbour of what a refresh read`(
    policy: FeedConfiguration.RefreshPolicy
  ) {
    var history = History(
      Array(1...9), startingAt: 4,
      configuration: FeedConfiguration(
        pageSize: 2, refreshPolicy: policy, refreshPages: 1, prefetchDistance: 0))
    history.ask { $0.load(.refresh) }
    history.ask { $0.load(.next) }
    #expect(history.machine.value.outline == "5 6 7 8")
    history.begin { $0.load(.refresh, scope: policy == .replace ? .head : .all) }
    history.serve(0)
    let post = Post(id: 7, version: 1)
    history.server.update(post)
    history.begin { $0.follow(.upsert(post), token: 1, at: $1) }
    history.settle()
    #expect(!history.machine.value.items.contains(post))
    history.fill()
    #expect(Array(history.machine.value.items) == history.server.items)
    #expect(history.violations == [])
  }

  @Test
  func `R6: an update that the source takes after the row went and came again shows`() {
    var history = Self.history([1], isSorted: false)
    history.ask { $0.load(.refresh) }
    history.begin { $0.update(1, token: 1, at: $1) { $0.version = 7 } }
    history.server.delete(1)
    history.begin { $0.delete(1, token: 2, at: $1) }
    history.begin { $0.confirm(2, at: $1) }
    history.server.insert(Post(id: 1, version: 5), at: 0)
    history.time += 100
    history.ask { $0.load(.refresh, scope: .all) }
    history.server.update(Post(id: 1, version: 7))
    history.begin { $0.confirm(1, as: Post(id: 1, version: 7), at: $1) }
    #expect(history.machine.value.outline == "1v7")
    #expect(history.violations == [])
  }

  @Test
  func `R6: a row that is made again while its removal is under way is there`() {
    var history = Self.history([1, 2], isSorted: false)
    history.ask { $0.load(.refresh) }
    history.begin { $0.load(.refresh) }
    history.serve(0)
    history.begin { $0.delete(1, token: 1, at: $1) }
    history.begin { $0.insert(Post(id: 1, version: 3), after: nil, token: 2, at: $1) }
    history.begin { $0.confirm(1, at: $1) }
    history.begin { $0.confirm(2, at: $1) }
    history.settle()
    #expect(history.machine.value.outline == "1v3 2")
    #expect(history.violations == [])
  }

  @Test
  func `R2: news that waited do not undo a later page of the same refresh`() {
    var history = Self.history([], isSorted: true, pageSize: 2)
    for id in 1...4 { history.server.insert(Post(id: id, version: 100 - 10 * id), at: id - 1) }
    history.begin { $0.load(.refresh, scope: .all) }
    history.serve(0)
    for version in [65, 66] {
      let post = Post(id: 4, version: version)
      history.server.delete(4)
      history.server.insert(post, at: 3)
      if version == 65 { history.begin { $0.follow(.upsert(post), token: 1, at: $1) } }
      if version == 65 { history.answerOldest() }
    }
    history.settle()
    history.fill()
    #expect(Array(history.machine.value.items) == history.server.items)
    #expect(history.violations == [])
  }

  @Test
  func `R2: a row that came again and changed is not undone by an older answer without it`() {
    var history = Self.history([1, 2, 3, 4, 5], isSorted: false, pageSize: 2)
    history.ask { $0.load(.refresh) }
    history.server.delete(1)
    history.begin { $0.load(.refresh) }
    history.serve(0)
    for (token, event) in [
      FeedEvent.insert(Post(id: 1, version: 3)), .upsert(Post(id: 1, version: 4)),
    ]
    .enumerated() {
      history.begin { $0.follow(event, token: token, at: $1) }
    }
    history.server.insert(Post(id: 1, version: 4), at: 0)
    history.settle()
    #expect(history.machine.value.items.contains(Post(id: 1, version: 4)))
    #expect(history.violations == [])
  }
}
