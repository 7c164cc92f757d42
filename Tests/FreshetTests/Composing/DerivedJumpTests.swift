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

  /// All rows of a list, made of its loaded rows and the numbers of the others.
  private func cells<Item>(
    of value: ListValue<Item>, _ id: (Item) -> Int?
  ) -> [Cell] {
    var cells: [Cell] = []
    var next = 0
    func skip(_ count: Int?) {
      cells += (next..<(next + (count ?? 0))).map { .missing($0) }
      next += count ?? 0
    }
    skip(value.state.rowsAbove?.count)
    for row in value.rows {
      switch row {
      case .gap(let gap): skip(value.state.gapSizes[gap.id]?.count)
      case .item(let item):
        cells.append(id(item).map { .loaded($0) } ?? .separator)
        if id(item) != nil { next += 1 }
      }
    }
    skip(value.state.rowsBelow?.count)
    return cells
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
    await jump(in: feed.sectioned { "\($0.id / 100)" }, seed) { $0.id }
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

private struct Wrapped: ListItem {
  var post: Post
  var id: Int { post.id }
}

private struct Separated: ListItem {
  var row: SeparatedRow<Post, Post>
  var id: SeparatedRow<Post, Post>.ID { row.id }
}
