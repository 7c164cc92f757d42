import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet

/// An item with a place in a list.
private struct Entry: ListItem {
  var id: Int
  var place: Int
  var text = 0

  static func precedes(_ first: Entry, _ second: Entry) -> Bool {
    (first.place, first.id) < (second.place, second.id)
  }
}

/// A sorted list in memory, whose answers take their time.
private final class SortedServer: WindowedFeedSource {
  /// A position next to an entry.
  struct Position: Hashable, Codable {
    var place: Int
    var id: Int
    var isUpward = false
  }

  struct State: Sendable {
    var entries: [Entry] = []
    var version = 0
    var random: SeededGenerator
    /// The number of windows that were read, and that were unchanged.
    var read = 0
    var unchanged = 0
    var error: FeedError?
    var answersTooFew = false
    /// Whether windows are unchanged that were never answered.
    var knowsNoValidators = false
    /// Whether some windows are answered in several pages.
    var divides = false
    /// The number of pages that were requested one by one.
    var pages = 0
  }

  let state: Locked<State>

  init(seed: Int) { state = Locked(State(random: SeededGenerator(seed: seed))) }

  var entries: [Entry] { state.withLock(\.entries) }

  func write(_ change: (inout [Entry], inout SeededGenerator) -> Void) {
    state.withLock { state in
      change(&state.entries, &state.random)
      state.entries.sort(by: Entry.precedes)
      state.version += 1
    }
  }

  private func pause() async {
    let turns = state.withLock { Int.random(in: 0...6, using: &$0.random) }
    for _ in 0..<turns { await Task.yield() }
  }

  private static func isPast(_ entry: Entry, _ position: Position) -> Bool {
    (entry.place, entry.id) > (position.place, position.id)
  }

  private static func isBefore(_ entry: Entry, _ position: Position) -> Bool {
    (entry.place, entry.id) < (position.place, position.id)
  }

  private static func key(_ entry: Entry?, isUpward: Bool) -> Position? {
    entry.map { Position(place: $0.place, id: $0.id, isUpward: isUpward) }
  }

  func page(_ request: PageRequest<Position>) async throws -> Page<Entry, Position> {
    state.withLock { $0.pages += 1 }
    await pause()
    let all = entries
    await pause()
    guard let key = request.key, key.isUpward else {
      let rest = all.filter { entry in request.key.map { Self.isPast(entry, $0) } ?? true }
      let items = Array(rest.prefix(request.limit))
      return Page(
        items, next: rest.count > items.count ? Self.key(items.last, isUpward: false) : nil,
        previous: rest.count < all.count ? Self.key(items.first, isUpward: true) : nil)
    }
    let rest = all.filter { Self.isBefore($0, key) }
    let items = Array(rest.suffix(request.limit))
    return Page(
      items, next: Self.key(items.last, isUpward: false),
      previous: rest.count > items.count ? Self.key(items.first, isUpward: true) : nil)
  }

  /// Returns the rows of a page in pages that follow each other, divided at random places.
  private func divided(_ page: Page<Entry, Position>) -> [Page<Entry, Position>] {
    var pages = [page]
    pages[0].items = []
    for item in page.items {
      let isEnd = state.withLock { $0.divides && Int.random(in: 0..<4, using: &$0.random) == 0 }
      if isEnd, let last = pages[pages.count - 1].items.last {
        pages[pages.count - 1].next = Self.key(last, isUpward: false)
        pages.append(page)
        pages[pages.count - 1].items = []
        pages[pages.count - 1].previous = Position(
          place: last.place, id: last.id + 1, isUpward: true)
      }
      pages[pages.count - 1].items.append(item)
    }
    return pages
  }

  func pages(in windows: [PageWindow<Position>]) async throws -> [[Page<Entry, Position>]] {
    await pause()
    let (all, version, error, isShort) = state.withLock {
      ($0.entries, "\($0.version)", $0.error, $0.answersTooFew)
    }
    await pause()
    if let error { throw error }
    if state.withLock(\.knowsNoValidators) { return windows.map { _ in [.unchanged] } }
    let pages = windows.map { window -> [Page<Entry, Position>] in
      if window.validator == version {
        state.withLock { $0.unchanged += 1 }
        return [.unchanged]
      }
      state.withLock { $0.read += 1 }
      let items = all.filter { entry in
        let isIn = window.start.map { start in
          start.isUpward ? !Self.isBefore(entry, start) : Self.isPast(entry, start)
        }
        return isIn ?? true && !(window.end.map { Self.isPast(entry, $0) } ?? false)
      }
      let previous = window.start.map { start in
        start.isUpward
          ? start : Position(place: start.place, id: start.id + 1, isUpward: true)
      }
      return divided(Page(items, next: window.end, previous: previous, validator: version))
    }
    return isShort ? Array(pages.dropLast()) : pages
  }
}

@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct WindowedSourceTests {
  /// Returns what differs from the server; `nil` if each segment is a part of its list.
  private static func difference(_ feed: Feed<Entry>, _ server: SortedServer) async -> String? {
    let (rows, ends) = await feed.engine.eventQueue.ask { engine in
      let timeline = engine.machine.timeline
      return (Array(timeline.rows), (timeline.head, timeline.tail))
    }
    let entries = server.entries
    var (place, isFirst) = (0, true)
    let text = "\(rows.map { $0.item.map { "\(Entry._item(of: $0.row))" } ?? "gap" }) of \(entries)"
    for segment in rows.split(whereSeparator: { $0.gap != nil }) {
      let items = segment.compactMap { $0.item.map { Entry._item(of: $0.row) } }
      guard let start = entries[place...].firstIndex(where: { $0 == items.first }),
        start + items.count <= entries.count,
        items == Array(entries[start..<(start + items.count)])
      else { return text }
      if isFirst, rows.first?.gap == nil, ends.0 == .end, start > 0 { return "head: \(text)" }
      (place, isFirst) = (start + items.count, false)
    }
    if ends == (.end, .end), rows.isEmpty { return entries.isEmpty ? nil : text }
    return ends.1 == .end && rows.last?.gap == nil && place < entries.count ? "end: \(text)" : nil
  }

  @Test func `W9: answers that overtake each other end with what the source has`() async throws {
    for seed in SeededGenerator.seeds(400) {
      let server = SortedServer(seed: seed)
      server.state.withLock { $0.divides = seed % 2 == 0 }
      server.write { entries, random in
        entries = (0..<40).map { Entry(id: $0, place: .random(in: 0..<100, using: &random)) }
      }
      var random = SeededGenerator(seed: seed + 1_000_000)
      let feed = Feed(server, configuration: FeedConfiguration(pageSize: 5, prefetchDistance: 0))
      await feed.refresh()
      for _ in 0..<6 {
        await withTaskGroup { group in
          for _ in 0..<Int.random(in: 0...3, using: &random) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: group.addTask { await feed.loadPrevious() }
            case 1: group.addTask { await feed.loadNext() }
            default:
              if let gap = feed.value.state.gaps.keys.first {
                group.addTask { await feed.load(Gap(id: gap), from: .below) }
              }
            }
          }
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            server.write { entries, random in
              let index = Int.random(in: 0..<entries.count, using: &random)
              switch Int.random(in: 0..<4, using: &random) {
              case 0: entries[index].place = .random(in: 0..<100, using: &random)
              case 1: entries[index].text += 1
              case 2 where entries.count > 10: entries.remove(at: index)
              default:
                let id = (entries.map(\.id).max() ?? 0) + 1
                entries.append(Entry(id: id, place: .random(in: 0..<100, using: &random)))
              }
            }
            feed.receive(.invalidate)
            await Task.yield()
          }
          await group.waitForAll()
        }
        let isEqual = await eventually { await Self.difference(feed, server) == nil }
        let difference = await Self.difference(feed, server)
        try #require(isEqual, "seed \(seed): \(difference ?? "")")
      }
    }
  }

  @Test func `W5: a refresh that empties the list ends once the head is read`() async throws {
    for seed in SeededGenerator.seeds(100) {
      let server = SortedServer(seed: seed)
      server.write { entries, _ in entries = (0..<20).map { Entry(id: $0, place: $0) } }
      let feed = Feed(
        server, startingAt: .init(place: 10, id: 10), configuration: FeedConfiguration(pageSize: 5))
      await feed.refresh()
      server.write { entries, _ in entries.removeAll { $0.place > 2 } }
      await feed.refresh()
      #expect(feed.value.items.map(\.id) == [0, 1, 2], "seed \(seed)")
      // What a caller writes now is in the answer to its next refresh.
      server.write { entries, _ in entries.append(Entry(id: 20, place: 1)) }
      await feed.refresh()
      #expect(feed.value.items.map(\.id) == [0, 1, 20, 2], "seed \(seed)")
    }
  }

  @Test func `a window whose validator the source knows is not read again`() async throws {
    let server = SortedServer(seed: 1)
    server.write { entries, _ in entries = (0..<30).map { Entry(id: $0, place: $0) } }
    let feed = Feed(server, configuration: FeedConfiguration(pageSize: 10))
    await feed.refresh()
    await feed.loadNext()
    await feed.refresh()
    #expect(server.state.withLock { ($0.read, $0.unchanged) } == (2, 0))
    await feed.refresh()
    #expect(server.state.withLock { ($0.read, $0.unchanged) } == (2, 2))
    // An event may differ from the answers.
    feed.receive(.update(Entry(id: 3, place: 3, text: 9)))
    await feed.refresh()
    #expect(server.state.withLock { ($0.read, $0.unchanged) } == (4, 2))
    #expect(feed.value.items[3].text == 0)
  }

  @Test func `W4: an event about other windows loads nothing, unless an answer is awaited`()
    async throws
  {
    let server = SortedServer(seed: 1)
    server.write { entries, _ in entries = (0..<30).map { Entry(id: $0, place: $0) } }
    let feed = Feed(server, configuration: FeedConfiguration(pageSize: 10))
    func loads(after event: FeedEvent<Entry>) async -> Bool {
      func requests() async -> Int {
        await feed.engine.eventQueue.ask { $0.machine.planner.lastRequest }
      }
      let before = await requests()
      feed.receive(event)
      let after = await requests()
      await feed.refresh()
      return after > before
    }
    await feed.refresh()
    // The first page has no validator.
    #expect(await loads(after: .invalidateWindows(except: ["1"])))
    #expect(await loads(after: .invalidateWindows(except: ["0", "1"])) == false)
    #expect(await loads(after: .invalidateWindows(except: ["0"])))
    #expect(await loads(after: .invalidate))
    await feed.loadNext()
    #expect(await loads(after: .invalidateWindows(except: ["1"])))
    #expect(await loads(after: .invalidateWindows(except: ["1"])) == false)
    // An event may differ from the answers.
    feed.receive(.update(Entry(id: 3, place: 3, text: 9)))
    #expect(await loads(after: .invalidateWindows(except: ["1"])))
    #expect(feed.value.items[3].text == 0)
    // The answer shows whether the edit was accepted.
    try await feed.update(3, optimistically: { $0.text = 5 }) {
      #expect(await loads(after: .invalidateWindows(except: ["1"])))
    }
    server.state.withLock { $0.error = .staleKey("old") }
    await feed.refresh()
    server.state.withLock { $0.error = nil }
    #expect(await loads(after: .invalidateWindows(except: ["1"])))
    #expect(await Self.difference(feed, server) == nil)
  }

  @Test func `a page that is too old is read again with all that are loaded`() async throws {
    let server = SortedServer(seed: 1)
    server.write { entries, _ in entries = (0..<30).map { Entry(id: $0, place: $0) } }
    let feed = Feed(
      server,
      configuration: FeedConfiguration(pageSize: 10, prefetchDistance: 0, staleAfter: .zero))
    await feed.refresh()
    await feed.loadNext()
    feed.willDisplay(feed.value.items[15])
    #expect(await eventually { server.state.withLock(\.read) == 2 })
    #expect(server.state.withLock(\.pages) == 2)
  }

  /// Too few windows, and windows that are unchanged although they were never answered.
  @Test(arguments: [true, false])
  func `a wrong answer about windows is an error, and the rows stay`(isTooShort: Bool) async {
    let server = SortedServer(seed: 1)
    server.write { entries, _ in entries = (0..<5).map { Entry(id: $0, place: $0) } }
    let feed = Feed(server)
    await feed.refresh()
    func answerWrongly(_ isWrong: Bool) {
      server.state.withLock { state in
        (state.answersTooFew, state.knowsNoValidators) = (
          isWrong && isTooShort, isWrong && !isTooShort
        )
      }
    }
    answerWrongly(true)
    let state = await feed.refresh()
    guard case .failed(.source(let error)) = state else { return #expect(state.failure != nil) }
    #expect(isTooShort ? "\(error)".contains("0 of 1 windows") : error is ValidatorError)
    #expect(feed.value.items.count == 5)
    answerWrongly(false)
    #expect(await feed.refresh().failure == nil)
  }

  @Test func `keys that name no positions any more lead back to the head`() async throws {
    let server = SortedServer(seed: 1)
    server.write { entries, _ in entries = (0..<30).map { Entry(id: $0, place: $0) } }
    let feed = Feed(server, configuration: FeedConfiguration(pageSize: 10))
    await feed.refresh()
    await feed.loadNext()
    server.write { entries, _ in entries = (0..<30).map { Entry(id: $0, place: -$0) } }
    server.state.withLock { $0.error = .staleKey("old") }
    let loading = Task { await feed.refresh() }
    #expect(await eventually { feed.value.items.first?.id == 29 })
    server.state.withLock { $0.error = nil }
    _ = await loading.value
    await feed.refresh()
    #expect(await Self.difference(feed, server) == nil)
  }
}
