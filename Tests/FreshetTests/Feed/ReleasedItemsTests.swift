import FreshetTesting
import Testing

@testable import Freshet

/// What a feed does not show or keep is released.
@Suite(.timeLimit(.minutes(5)))
struct ReleasedItemsTests {
  /// Counts the versions of items that are alive.
  final class Lives: Sendable {
    private let number = Locked(0)

    var count: Int { number.withLock { $0 } }

    func add(_ count: Int) { number.withLock { $0 += count } }
  }

  final class Token: Sendable {
    let lives: Lives

    init(_ lives: Lives) {
      self.lives = lives
      lives.add(1)
    }

    deinit { lives.add(-1) }
  }

  struct Tracked: ListItem, Codable {
    private static let unread = Lives()

    let id: Int
    let version: Int
    let token: Token

    init(_ id: Int, version: Int = 0, _ lives: Lives) {
      (self.id, self.version, token) = (id, version, Token(lives))
    }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      self.init(try container.decode(Int.self), version: 0, Self.unread)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(id)
    }

    static func == (first: Tracked, second: Tracked) -> Bool {
      first.id == second.id && first.version == second.version
    }
  }

  private func feed(
    _ lives: Lives, cache: FeedCacheChoice<Tracked>? = nil, maximumRows: Int? = nil
  ) -> Feed<Tracked> {
    Feed(
      cache: cache,
      configuration: FeedConfiguration(pageSize: 20, maximumRows: maximumRows)
    ) { (request: PageRequest<Int>) in
      let start = request.key ?? 0
      return Page((start..<(start + 20)).map { Tracked($0, lives) }, next: start + 20)
    }
  }

  @Test
  func `a version of an item is released once a newer one is shown`() async {
    let lives = Lives()
    let feed = feed(lives)
    for _ in 0..<5 { await feed.loadNext() }
    #expect(feed.value.items.count == 100)
    for version in 1...3 {
      for id in 0..<100 { feed.receive(.upsert(Tracked(id, version: version, lives))) }
    }
    #expect(await eventually { lives.count < 110 }, "\(lives.count) versions of 100 items")
    #expect(feed.value.items.allSatisfy { $0.version == 3 })
  }

  @Test
  func `W2: items that are on disk alone are released`() async {
    let (lives, directory) = (Lives(), TemporaryDirectory())
    let feed = feed(lives, cache: .file("released", in: directory.caches), maximumRows: 100)
    for _ in 0..<60 {
      if let last = feed.value.items.last { feed.willDisplay(last) }
      await feed.loadNext()
      await feed.flush()
    }
    #expect(feed.value.items.last?.id ?? 0 >= 1_000)
    #expect(feed.value.rows.count <= 180)
    #expect(await eventually { lives.count < 300 }, "\(lives.count) items in memory")
  }

  @Test
  func `items of items keep gaps inside and outside apart`() {
    typealias Inner = ListRow<Post>
    let rows: [ListRow<Inner>] = [
      .item(.item(Post(id: 1))), .item(.gap(Gap(id: 1))), .gap(Gap(id: 1)),
    ]
    let list = ListSnapshot(rows)
    #expect(Array(list.items) == rows)
    let index = RowIndex(list)
    for (place, row) in rows.enumerated() {
      #expect(index.path(of: row.id, in: list) == RowPath(section: 0, row: place))
    }
    var contents = ListContents()
    contents.pendingEdits = ([.item(1), .gap(1)] as ItemIDs<Inner.ID>).keys
    #expect(Set(ListValue<Inner>(contents).pendingEdits) == [.item(1), .gap(1)])
    contents.pendingEdits = RowKeys()
    contents.pendingEdits.insert(Inner._row(of: .item(Post(id: 2))))
    #expect(Array(ListValue<Inner>(contents).pendingEdits) == [.item(2)])
  }
}
