import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Rule P3: what is lost is a place that can be loaded again.
@Suite(.timeLimit(.minutes(5)))
struct CacheDamageTests: CachingSuite {
  let directory = TemporaryDirectory()
  let server = ScriptedServer((0..<300).map { Post(id: $0) })

  /// A feed over what is stored, and its cache.
  func feed(
    _ paging: ScriptedPaging = .keyset, rows: Int? = nil
  ) -> (Feed<Post>, FileFeedCache<Post>) {
    let cache = cache()
    let feed = Feed(
      server.source(paging), cache: FeedCacheChoice(cache),
      configuration: FeedConfiguration(pageSize: 50, maximumRows: rows))
    return (feed, cache)
  }

  /// Stores the whole list in six runs.
  func store(_ paging: ScriptedPaging = .keyset) async throws -> [String] {
    let (feed, cache) = feed(paging)
    while await feed.loadNext() != .end {}
    feed.anchor = 220
    await feed.flush()
    cache.close()
    try #require(feed.value.items.count == 300)
    return try FileManager.default.contentsOfDirectory(atPath: folder().path)
      .filter { $0.hasPrefix("p") }.sorted {
        (Int($0.dropFirst()) ?? 0) < (Int($1.dropFirst()) ?? 0)
      }
  }

  func damage(_ run: String) throws {
    let file = folder().appendingPathComponent(run)
    var data = try Data(contentsOf: file)
    data[data.count / 2] ^= 1
    try data.write(to: file)
  }

  @Test(
    arguments: [
      [0], [1], [5], [0, 1], [4, 5], [0, 5], [0, 2, 5], [0, 1, 2, 3, 4], [1, 2, 3, 4, 5],
    ],
    [ScriptedPaging.keyset, .cursor])
  func `damage anywhere leaves a gap or an open end, and loading those brings all rows back`(
    runs: [Int], paging: ScriptedPaging
  ) async throws {
    let files = try await store(paging)
    for run in runs { try damage(files[run]) }
    let (feed, cache) = feed(paging)
    await feed.loadCache()
    let expected = (0..<300).filter { !runs.contains($0 / 50) }
    #expect(feed.value.items.map(\.id) == expected)
    #expect((feed.value.state.previous == .idle) == runs.contains(0))
    #expect((feed.value.state.next == .idle) == runs.contains(5))
    #expect((feed.value.refreshedAt == nil) == runs.contains(0))
    var issues = feed.cacheIssues.makeAsyncIterator()
    guard case .damagedRows = await issues.next() else {
      Issue.record("the damage is not reported")
      return
    }
    #expect(feed.value.anchor.map { abs($0 - 220) <= 30 } ?? (runs.count > 4))

    // What is stored after that says the same.
    feed.anchor = feed.value.items.last?.id
    await feed.flush()
    cache.close()
    let (second, _) = self.feed(paging)
    await second.loadCache()
    #expect(second.value.outline == feed.value.outline)
    #expect(second.value.state.previous == feed.value.state.previous)
    #expect(second.value.state.next == feed.value.state.next)

    var loads = 0
    while second.value.state.previous != .end, loads < 20 {
      await second.loadPrevious()
      loads += 1
    }
    while let gap = second.value.rows.lazy.compactMap(\.gap).first, loads < 20 {
      await second.load(gap)
      loads += 1
    }
    while second.value.state.next != .end, loads < 20 {
      await second.loadNext()
      loads += 1
    }
    #expect(Array(second.value.items) == server.items)
    #expect(second.value.state.previous == .end && second.value.state.next == .end)
  }

  @Test
  func `without any row left the feed begins anew`() async throws {
    for run in try await store() { try damage(run) }
    let (feed, _) = feed()
    await feed.loadCache()
    #expect(feed.value.items.isEmpty && feed.value.rows.isEmpty && feed.value.refreshedAt == nil)
    #expect(feed.value.state.previous == .idle && feed.value.state.next == .idle)
    while await feed.loadNext() != .end {}
    #expect(Array(feed.value.items) == server.items)
  }

  @Test(arguments: [[0], [5], [0, 5], [3], [0, 1, 2]])
  func `damage is met where only a part of the list is in memory`(runs: [Int]) async throws {
    let files = try await store()
    for run in runs { try damage(files[run]) }
    let (feed, cache) = feed(rows: 100)
    await feed.loadCache()
    #expect((feed.value.state.previous == .idle) == runs.contains(0))
    await feed.refresh()
    for id in 0..<300 {
      feed.engine.perform { $0.willDisplay(RowID(id, of: Post.self), at: $1) }
      await feed.settled()
      for gap in feed.value.rows.compactMap(\.gap) where !gap.isStored { await feed.load(gap) }
    }
    while await feed.loadNext() != .end {}
    await feed.flush()
    cache.close()
    // All of it is on disk again.
    let (second, _) = self.feed()
    await second.loadCache()
    #expect(Array(second.value.items) == server.items)
  }

  @Test
  func `P1: damaged runs at the head do not keep the first screen empty`() async throws {
    let files = try await store()
    for run in files[..<3] { try damage(run) }
    let first = try #require(cache().loadFirst())
    #expect(first.rows.count == 53 && !first.isComplete)
  }

  @Test
  func `rows that a store lost at the head are asked for again`() async throws {
    let store = MemoryStore<Post>()
    let configuration = FeedConfiguration(pageSize: 50)
    let feed = Feed(
      server.source(.keyset), cache: .store(store, named: "home"), configuration: configuration)
    while await feed.loadNext() != .end {}
    await feed.flush()
    try await store.write(deleting: [0, 1, 299])
    let second = Feed(
      server.source(.keyset), cache: .store(store, named: "home"), configuration: configuration)
    await second.loadCache()
    #expect(second.value.items.map(\.id) == Array(2..<299))
    #expect(second.value.state.previous == .idle && second.value.state.next == .idle)
    await second.loadPrevious()
    await second.loadNext()
    #expect(Array(second.value.items) == server.items)
  }

  @Test(arguments: ["sequence", "twice", "empty", "rows", "anchor", "gaps"])
  func `numbers that nobody writes are damage, checksum or not`(what: String) async throws {
    _ = try await store()
    let run = { (sequence: UInt64, rows: Int) in
      FeedManifest.Entry.run(sequence: sequence, rows: rows, mark: PageBoundary())
    }
    var manifest = FeedManifest()
    manifest.state = CachedState(head: .end, tail: .open)
    manifest.entries =
      switch what {
      case "sequence": [run(.max, 50)]
      case "twice": [run(1, 50), run(2, 50), run(1, 50)]
      case "empty": [run(1, 0)]
      case "rows": ManifestEntries((1...3).map { run($0, Int(UInt32.max)) })
      case "gaps": ManifestEntries(Array(repeating: .gap, count: 1 << 20 + 1))
      default: ManifestEntries((1...6).map { run($0, 50) })
      }
    if what == "anchor" { manifest.state.anchor = .max }
    let log = manifest.log(name: "home", version: 1, moment: 7)
    try log.write(to: folder().appendingPathComponent("manifest"))
    let (feed, cache) = feed(rows: 100)
    await feed.loadCache()
    await feed.refresh()
    feed.insertLocally(Post(id: 999), after: nil)
    await feed.flush()
    #expect(feed.isSaved)
    cache.close()
    let (second, _) = self.feed()
    await second.loadCache()
    #expect(second.value.items.first?.id == 999)
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func `what cannot be read now is neither damaged nor overwritten`() throws {
    let writing = cache()
    for commit in pages(1) { writing.save(commit) }
    writing.close()
    let stored = directory.files
    let permissions = { (mode: Int) in
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: folder().path)
    }
    try permissions(0o000)
    let second = cache()
    #expect(second.loadFirst() == nil)
    for commit in pages(2) { second.save(commit) }
    #expect(second.takeIssues().count == 1)
    try permissions(0o700)
    #expect(directory.files == stored)
    #expect(load(cache()).value.items.count == 40)
  }

  @Test
  func `P3: a run of another feed in the place of one's own is damage`() throws {
    func write(_ name: String, first: Int) throws -> URL {
      let writing = cache(name)
      let posts = (first..<first + 40).map { Post(id: $0) }
      for commit in commits(Page(posts, next: PageKey(json: "1"))) { writing.save(commit) }
      writing.close()
      return folder(name).appendingPathComponent("p1")
    }
    let (own, other) = (try write("home", first: 0), try write("other", first: 100))
    try Data(contentsOf: other).write(to: own)
    let reading = cache()
    #expect(load(reading).value.items.isEmpty)
    #expect(reading.takeIssues() == [.damagedRows(count: 40)])
  }

  @Test
  func `P3: a run of an earlier log of the same feed is damage`() throws {
    let run = folder().appendingPathComponent("p1")
    let writing = cache()
    for commit in pages(1) { writing.save(commit) }
    let earlier = try Data(contentsOf: run)
    writing.removeAll()
    for commit in pages(1) { writing.save(commit) }
    writing.close()
    #expect(try Data(contentsOf: run) != earlier)
    try earlier.write(to: run)
    let reading = cache()
    #expect(load(reading).value.items.isEmpty)
    #expect(reading.takeIssues() == [.damagedRows(count: 40)])
  }

  @Test
  func `P3: no run takes the number of one that an earlier state of the log names`() async throws {
    func runs() throws -> [String: Data] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder().path)
      return Dictionary(
        uniqueKeysWithValues: try names.filter { $0.hasPrefix("p") }.map {
          ($0, try Data(contentsOf: folder().appendingPathComponent($0)))
        })
    }
    let (first, cache) = feed(.keyset)
    await first.refresh()
    await first.loadNext()
    await first.flush()
    var named = try runs()
    for id in (0..<100).reversed().prefix(50) {
      first.removeLocally(id)
      await first.flush()
      named.merge(try runs()) { old, _ in old }
    }
    cache.close()
    let (second, _) = feed(.keyset)
    await second.loadCache()
    await second.loadNext()
    await second.flush()
    for (name, data) in try runs() { #expect(named[name] == nil || named[name] == data) }
  }
}
