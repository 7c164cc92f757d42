import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Rule N3: what a source calls unchanged is the page whose validator it was sent, and only a page
/// that is shown as it was answered has its validator sent.
@Suite(.timeLimit(.minutes(5)))
struct ValidatorTests {
  let server = ScriptedServer((0..<40).map { Post(id: $0) })

  init() { server.giveValidators() }

  func feed(_ paging: ScriptedPaging = .keyset) -> Feed<Post> {
    Feed(server.source(paging), configuration: FeedConfiguration(pageSize: 10))
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `N3: an unchanged refresh is one request with a validator, and no update`(
    paging: ScriptedPaging
  ) async {
    let feed = feed(paging)
    await feed.refresh()
    await feed.loadNext()
    let before = feed.value
    let requests = server.requests.count
    #expect(await feed.refresh() == .idle)
    #expect(server.requests.count == requests + 1 && server.unchangedAnswers == 1)
    #expect(feed.value.step == before.step && feed.value.list == before.list)
    #expect(feed.value.refreshedAt != before.refreshedAt)
    for _ in 0..<4 { await feed.loadNext() }
    #expect(Array(feed.value.items) == server.items)
  }

  @Test
  func `N3: a refresh of everything has a validator for each page, and a changed page its rows`()
    async
  {
    let feed = feed()
    for _ in 0..<4 { await feed.loadNext() }
    await feed.refresh(.all)
    #expect(server.unchangedAnswers == 4)
    server.update(Post(id: 15, version: 1))
    await feed.refresh(.all)
    #expect(server.unchangedAnswers == 7)
    #expect(Array(feed.value.items) == server.items)
    await feed.refresh(.all)
    #expect(server.unchangedAnswers == 11)
  }

  /// Something that changes a row of the first page without the page.
  struct Meddling: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Whether the next answer does not undo it: what was deleted stays away for a while.
    var stays = false
    let perform: @Sendable (Feed<Post>) async throws -> Void
  }

  static let meddlings = [
    Meddling(testDescription: "news of a change") { feed in
      feed.receive(.upsert(Post(id: 3, version: 1)))
    },
    Meddling(testDescription: "news of a deletion", stays: true) { feed in feed.receive(.delete(3))
    },
    Meddling(testDescription: "news of a row") { feed in feed.receive(.insert(Post(id: 99))) },
    Meddling(testDescription: "an edit that the source took") { feed in
      try await feed.update(3, optimistically: { $0.version = 1 }) {}
    },
    Meddling(testDescription: "a deletion that the source took", stays: true) { feed in
      try await feed.remove(3) {}
    },
    Meddling(testDescription: "a row put there by hand") { feed in
      feed.insertLocally(Post(id: 99), after: 3)
    },
    Meddling(testDescription: "a row moved by hand") { feed in feed.moveLocally(3, after: 8) },
  ]

  /// The source's validator does not tell: it is as coarse as a `Last-Modified`.
  @Test(arguments: meddlings)
  func `R2, R6: a coarse validator does not undo what was said after its page`(
    meddling: Meddling
  ) async throws {
    let requests = Locked<[String?]>([])
    var configuration = FeedConfiguration()
    configuration.deletionHorizon = .seconds(3600)
    let feed = Feed(
      ClosureSource<Post, Int> { request in
        requests.withLock { $0.append(request.validator) }
        if request.validator != nil { return .unchanged }
        return Page((0..<10).map { Post(id: $0) }, next: 1, validator: "today")
      }, configuration: configuration)
    await feed.refresh()
    try await meddling.perform(feed)
    await feed.refresh()
    // All of the page was asked for: what it says counts, and from then on the list is the page
    // again.
    await feed.refresh()
    #expect(requests.withLock { $0 } == [nil, nil, "today"])
    #expect(
      feed.value.items.map { $0 }
        == (0..<10).filter { $0 != 3 || !meddling.stays }.map { Post(id: $0) })
  }

  @Test
  func `N3: news of a row beyond the page leave its validator alone`() async {
    let feed = feed()
    await feed.refresh()
    await feed.loadNext()
    feed.receive(.upsert(Post(id: 15, version: 1)))
    await feed.refresh()
    #expect(server.unchangedAnswers == 1)
    #expect(feed.value.items[15].version == 1)
  }

  @Test
  func `R2: an unchanged page does not undo news that came while it was asked for`() {
    var history = History(Array(0..<20), configuration: FeedConfiguration(pageSize: 5))
    history.server.giveValidators()
    history.ask { $0.load(.refresh) }
    history.begin { $0.load(.refresh) }
    #expect(history.pending.first?.request.validator == "0")
    history.begin { $0.follow(.upsert(Post(id: 2, version: 7)), token: 1, at: $1) }
    history.begin { $0.follow(.delete(3), token: 2, at: $1) }
    history.answerOldest()
    #expect(history.server.unchangedAnswers == 1)
    #expect(history.machine.value.outline == "0 1 2v7 4")
    #expect(history.violations.isEmpty)
  }

  /// Something that the source took or said while an answer is under way.
  struct Taken: CustomTestStringConvertible, Sendable {
    typealias Machine = FeedMachine
    let testDescription: String
    /// What the source has by then.
    let posts: [Post]
    let happen: @Sendable (inout Machine) -> Void
  }

  static let taken = [
    Taken(testDescription: "an edit", posts: [Post(id: 0), Post(id: 1, version: 7)]) {
      $0.update(1, token: 1, at: .distantPast) { $0.version = 7 }
      $0.confirm(1, at: .distantPast)
    },
    Taken(testDescription: "news", posts: [Post(id: 0), Post(id: 1, version: 7)]) {
      $0.follow(.upsert(Post(id: 1, version: 7)), token: 1, at: .distantPast)
    },
    Taken(testDescription: "a new row", posts: [Post(id: 9), Post(id: 0), Post(id: 1)]) {
      $0.insert(Post(id: 9), after: nil, token: 1, at: .distantPast)
      $0.confirm(1, at: .distantPast)
    },
    Taken(testDescription: "a deletion", posts: [Post(id: 1)]) {
      $0.delete(0, token: 1, at: .distantPast)
      $0.confirm(1, at: .distantPast)
    },
  ]

  @Test(arguments: taken)
  func `R2, R6: no validator goes for a page that does not have what the source took`(
    taken: Taken
  ) {
    var machine = FeedMachine(
      configuration: FeedConfiguration(pageSize: 2), continuity: .stable, sectionedBy: nil)
    func answer(
      _ effects: [FeedMachine.Effect], _ posts: [Post], _ next: String, _ validator: String
    ) -> [String?] {
      effects.compactMap { effect -> String?? in
        guard case .load(.fetch(let ticket, let request)) = effect else { return nil }
        let page = Page(posts, next: PageKey(json: next), validator: validator)
        machine.receive(
          .success(request.validator == nil ? page : .unchanged), for: ticket, at: .distantPast)
        return .some(request.validator)
      }
    }
    let old = [Post(id: 0), Post(id: 1)]
    #expect(answer(machine.effects(of: { $0.load(.refresh) }), old, "1", "a") == [nil])
    // One that was asked for before is under way, and so is what it may contradict.
    let before = machine.effects(of: { $0.load(.refresh) })
    let next = machine.effects(of: { $0.load(.next) })
    taken.happen(&machine)
    #expect(answer(before, old, "1", "a") == ["a"])
    let refresh = machine.effects(of: { $0.load(.refresh) })
    #expect(answer(next, [Post(id: 2)], "2", "c") == [nil])
    #expect(answer(refresh, taken.posts, "1", "b") == [nil])
    #expect(machine.value.items.map { $0 } == taken.posts + [Post(id: 2)])
    // A head that lost a row is read on behind it first; any other page has what was taken.
    guard taken.posts.count > 1 else { return }
    #expect(answer(machine.effects(of: { $0.load(.refresh) }), taken.posts, "1", "b") == ["b"])
  }

  @Test
  func `R2: unchanged is the page that was sent, not one that was answered meanwhile`() {
    var machine = FeedMachine(
      configuration: FeedConfiguration(pageSize: 2), continuity: .stable, sectionedBy: nil)
    func answer(_ effects: [FeedMachine.Effect], _ page: Page<Post, PageKey>) {
      for case .load(.fetch(let ticket, _)) in effects {
        machine.receive(.success(page), for: ticket, at: .distantPast)
      }
    }
    let key = PageKey(json: "1")
    answer(
      machine.effects(of: { $0.load(.refresh) }), Page([Post(id: 0)], next: key, validator: "a"))
    answer(
      machine.effects(of: { $0.load(.next) }),
      Page([Post(id: 1)], next: PageKey(json: "2"), validator: "old"))
    let renewal = machine.effects(of: { $0.load(.page(key)) })
    machine.planner.answered.note(
      Page([Post(id: 8)], next: nil, validator: "new").erased, for: key)
    answer(renewal, .unchanged)
    #expect(machine.value.items.map(\.id) == [0, 1] && machine.value.state.failure == nil)
  }

  @Test
  func `N3: unchanged to a request without a validator is an error, and the rows stay`() async {
    let isUnchanged = Locked(false)
    let feed = Feed(
      ClosureSource<Post, Int> { _ in
        isUnchanged.withLock { $0 } ? .unchanged : Page([Post(id: 0)], next: nil)
      })
    await feed.refresh()
    isUnchanged.withLock { $0 = true }
    #expect(await feed.refresh() == .failed(.source(ValidatorError())))
    #expect(feed.value.items.count == 1)
  }

  @Test
  func `N3: where a key expired, the page that named it is asked for anew`() async {
    let feed = feed(.cursor)
    await feed.refresh()
    server.expireCursors()
    #expect(await feed.loadNext() == .idle)
    #expect(server.unchangedAnswers == 0)
    #expect(feed.value.items.count == 20)
  }

  @Test
  func `N3: a page without a validator, or with a long one, forgets the one before`() async {
    let validators = Locked(["a", nil, "b", String(repeating: "x", count: 1025), ""])
    let requests = Locked<[String?]>([])
    let feed = Feed(
      ClosureSource<Post, Int> { request in
        requests.withLock { $0.append(request.validator) }
        let validator = validators.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        return Page([Post(id: 0)], next: nil, validator: validator)
      })
    for _ in 0..<6 { await feed.refresh() }
    #expect(requests.withLock { $0 } == [nil, "a", nil, "b", nil, nil])
  }

  @Test
  func `the latest pages are remembered, and not too many rows`() {
    var timeline = Timeline()
    let posts = (0..<500).map { Post(id: $0) }
    _ = timeline.replace(0..<0, with: posts.map { NewRow(row: .item($0)) })
    var pages = AnsweredPages()
    func page(_ ids: Range<Int>) -> Page<AnyItem, PageKey> {
      Page(Array(posts[ids]), next: PageKey(json: "next"), validator: "\(ids)").erased
    }
    func key(_ number: Int) -> PageKey { PageKey(json: "\(number)") }
    pages.note(page(0..<5), for: nil)
    for number in 0..<100 {
      pages.note(page(number * 5..<number * 5 + 5), for: key(number))
      // One that is used stays.
      #expect(pages.offer(for: key(0), in: timeline) != nil)
    }
    #expect(pages.count == 33)
    #expect(pages.offer(for: nil, in: timeline)?.validator == "0..<5")
    #expect(pages.offer(for: key(99), in: timeline)?.items.map(\.post) == Array(posts[495...]))
    #expect(pages.offer(for: key(50), in: timeline) == nil)
    let long = Page<Post, PageKey>(
      (0..<70_000).map { Post(id: $0) }, next: nil, validator: "long"
    ).erased
    pages.note(long, for: nil)
    pages.note(long, for: key(99))
    #expect(pages.count == 31)
  }

  @Test
  func `N3, C4: validators of a long list cost what they cost in a short one`() async throws {
    typealias Counted = CostTests.Counted
    func cost(_ count: Int, pages: Int) async -> (refresh: Int, event: Int) {
      let counter = CostTests.Counter()
      let feed = Feed(
        ClosureSource<Counted, Int> { request in
          if request.validator != nil { return .unchanged }
          let start = request.key ?? 0
          let end = start + (request.key == nil && pages == 1 ? count : count / pages)
          return Page(
            (start..<end).map { Counted(id: .init(number: $0, counter: counter)) }, next: end,
            validator: "\(start)")
        })
      for _ in 0..<pages { await feed.loadNext() }
      var before = counter.value
      await feed.refresh()
      let refresh = counter.value - before
      // The first one finds that the head is its page no more; the second looks at nothing.
      for _ in 0..<2 {
        before = counter.value
        feed.receive(
          .upsert(Counted(id: .init(number: count - 3, counter: counter), version: before)))
        await feed.flush()
      }
      return (refresh, counter.value - before)
    }
    let (short, long) = (await cost(1000, pages: 20), await cost(20_000, pages: 400))
    #expect(long.refresh < 2 * short.refresh + 500, "\(short), \(long)")
    #expect(long.event < 2 * short.event + 500, "\(short), \(long)")
    // A single page that is all of the list.
    let single = await cost(20_000, pages: 1)
    #expect(single.event < 2 * short.event + 500, "\(short), \(single)")
  }
}
