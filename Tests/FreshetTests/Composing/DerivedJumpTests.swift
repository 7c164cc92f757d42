import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet

/// W7: lists that show all items of another one know how many rows are not loaded, and jump.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct DerivedJumpTests {
  private let server: ScriptedServer<Post>
  private let feed: Feed<Post>

  init() {
    server = ScriptedServer((0..<1_000).map { Post(id: $0) })
    server.countRows()
    feed = Feed(
      server.source(.keyset), configuration: FeedConfiguration(pageSize: 10, prefetchDistance: 0))
  }

  /// A row of the whole list: a separator, or an item by its id, which is its index on the server.
  private enum Cell: Equatable {
    case separator
    case loaded(Int)
    case missing(Int)
  }

  /// All rows of a list as it shows them, made of its loaded rows and the numbers of the others.
  private func cells<Item>(of value: ListValue<Item>, _ id: (Item) -> Int?) -> [Cell] {
    // The first id that is missing in each gap follows that of the row above it in the feed.
    var starts: [Gap.ID: Int] = [:]
    for (above, row) in zip(feed.value.rows, feed.value.rows.dropFirst()) {
      if let gap = row.gap, let item = above.item { starts[gap.id] = item.id + 1 }
    }
    func missing(from start: Int, _ count: Int?) -> [Cell] {
      (start..<(start + (count ?? 0))).map { .missing($0) }
    }
    let below = value.state.rowsBelow?.count ?? 0
    let rows = value.list.sections.flatMap { $0.rows }.flatMap { row -> [Cell] in
      switch row {
      case .gap(let gap):
        missing(from: starts[gap.id] ?? 0, value.state.gapSizes[gap.id]?.count)
      case .item(let item): [id(item).map { .loaded($0) } ?? .separator]
      }
    }
    return missing(from: 0, value.state.rowsAbove?.count) + rows
      + missing(from: 1_000 - below, below)
  }

  private func jump<Item: ListItem>(
    in list: some LiveList<Item>, _ seed: Int, _ id: @Sendable (Item) -> Int?
  ) async {
    var random = SeededGenerator(seed: seed)
    let observer = random.oneIn(2) ? ListObserver(list.publisher) {} : nil
    defer { withExtendedLifetime(observer) {} }
    await list.load(rowAt: 0)
    for _ in 0..<10 {
      let value = list.value
      let before = cells(of: value, id)
      #expect(before.filter { $0 != .separator }.count == 1_000, "seed \(seed)")
      let sizes = feed.value.state
      #expect(
        (value.state.gapSizes, value.state.rowsBelow) == (sizes.gapSizes, sizes.rowsBelow))
      let index = Int.random(in: 0..<before.count, using: &random)
      let requests = server.requests.count
      let state = await list.load(rowAt: index)
      guard case .missing(let row) = before[index] else {
        #expect(state == .idle && server.requests.count == requests, "seed \(seed): \(index)")
        continue
      }
      #expect(server.requests.count == requests + 1, "seed \(seed): \(index)")
      #expect(
        cells(of: list.value, id).contains(.loaded(row)), "seed \(seed): \(index) is \(row)")
    }
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `W7: a list of other values jumps like its source`(seed: Int) async {
    await jump(in: feed.map { Wrapped(post: $0) }, seed) { $0.post.id }
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `W7: separators shift rows, but no jump`(seed: Int) async {
    let separated = feed.separated { above, below in
      below.id % 3 == 0 || above == nil ? Post(id: -below.id - 1) : nil
    }
    await jump(in: separated.map { Separated(row: $0) }, seed) { list in
      if case .item(let post) = list.row { post.id } else { nil }
    }
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `W7: sections keep the places of rows that are not loaded`(seed: Int) async {
    // Rows that are far apart are in the same section.
    let sectioned = feed.sectioned { "\($0.id / 100 % 3)" }
    await jump(in: sectioned, seed) { $0.id }
    await jump(in: sectioned.map { Wrapped(post: $0) }, seed + 1) { $0.post.id }
  }

  @Test
  func `W7: a jump of a list that has no rows yet loads its head first`() async {
    let feed = Feed(
      server.source(.keyset), configuration: FeedConfiguration(pageSize: 300, prefetchDistance: 0))
    let mapped = feed.map { $0 }
    let observer = ListObserver(mapped.publisher) {}
    await mapped.load(rowAt: 800)
    #expect(mapped.item(at: 800) && server.requests.count == 2)
    await mapped.load(rowAt: .max)
    #expect(mapped.item(at: 999))
    withExtendedLifetime(observer) {}
  }

  @Test
  func `W7: a list that may leave out rows knows no numbers, and loads its end`() async {
    await feed.refresh()
    await feed.load(rowAt: 500)
    let other = Feed(server.source(.keyset))
    await other.refresh()
    let lists: [any LiveList] = [
      feed.filter { $0.id % 2 == 0 }, feed.map { $0 }.filter { $0.id % 2 == 0 }.map { $0 },
      feed.limited(to: 15), feed.merged(with: other, sortedBy: \.id), feed.followed(by: other),
    ]
    func state(of list: some LiveList) -> ListState { list.value.state }
    for list in lists {
      let state = state(of: list)
      #expect(state.total == nil && state.rowsAbove == nil && state.rowsBelow == nil)
      #expect(state.gapSizes.isEmpty)
    }
    let filtered = feed.filter { $0.id % 2 == 0 }
    let last = filtered.value.items.last?.id
    await filtered.load(rowAt: 5)
    #expect(filtered.value.items.last?.id == last)
    await filtered.load(rowAt: 800)
    #expect(filtered.value.items.last?.id == (last ?? 0) + 10)
  }
}

extension DerivedList<Post> {
  fileprivate func item(at id: Int) -> Bool { value.path(of: id) != nil }
}

private struct Wrapped: ListItem {
  var post: Post
  var id: Int { post.id }
}

private struct Separated: ListItem {
  var row: SeparatedRow<Post, Post>
  var id: SeparatedRow<Post, Post>.ID { row.id }
}
