import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Limits of caches on disk.
@Suite(.timeLimit(.minutes(5)))
struct StoredLimitsTests: CachingSuite {
  let directory = TemporaryDirectory()
  let old = Date(timeIntervalSince1970: 1_000_000)

  /// Stores feeds with these names and numbers of pages, used long ago one after the other.
  func store(_ feeds: (name: String, pages: Int)...) async throws {
    for (age, feed) in feeds.enumerated() {
      do {
        let writing = cache(feed.name)
        for commit in pages(feed.pages) { #expect(writing.save(commit)) }
        writing.close()
      }
      try await directory.date(feed.name, old + TimeInterval(age))
    }
  }

  /// Which of these names are stored.
  func stored(_ names: String...) -> [String] {
    names.filter { FileManager.default.fileExists(atPath: folder($0).path) }
  }

  func enforce(_ limits: CacheLimits) { directory.caches.limited(to: limits).enforceLimits() }

  @Test
  func `P9: bytes, rows, age and count hold, and those used last stay`() async throws {
    try await store(("a", 1), ("b", 5), ("c", 1), ("d", 1))
    enforce(.none)
    enforce(CacheLimits(rows: 320, count: 4))
    #expect(stored("a", "b", "c", "d") == ["a", "b", "c", "d"])
    enforce(CacheLimits(rows: 319))
    #expect(stored("a", "b", "c", "d") == ["b", "c", "d"])
    let size = directory.files.filter { $0.key.contains(folder("d").lastPathComponent) }
      .reduce(0) { $0 + $1.value.count }
    enforce(CacheLimits(bytes: 3 * size))
    #expect(stored("b", "c", "d") == ["c", "d"])
    enforce(CacheLimits(count: 1))
    #expect(stored("c", "d") == ["d"])
    enforce(CacheLimits(age: .seconds(60)))
    #expect(stored("d") == [] && directory.files.isEmpty)
  }

  @Test
  func `P9: what was opened, read or written counts as used, though its process was killed`()
    async throws
  {
    try await store(("read", 1), ("written", 2), ("held", 1), ("other", 1))
    // Nobody closes them.
    #expect(cache("read").loadFirst() != nil)
    var machine = load(cache("written"))
    let edit = machine.effects(of: { $0.insert(Post(id: 999), after: nil, at: Date()) })
    try await directory.date("written", old)
    do {
      let writing = cache("written")
      for case .save(let commit) in edit { #expect(writing.save(commit.typed())) }
    }
    let held = cache("held")
    enforce(CacheLimits(count: 4))
    withExtendedLifetime(held) {}
    try await directory.date("other", Date() - 3600)
    enforce(CacheLimits(count: 3))
    #expect(stored("read", "written", "held", "other") == ["read", "written", "held"])
  }

  @Test
  func `P9: what is in use stays, here or in another process`() async throws {
    try await store(("here", 1), ("there", 1), ("nobody", 1))
    let here = cache("here")
    let caches = try #require(try directory.caches.open(creating: false))
    let name = folder("there").lastPathComponent
    var lock = try caches.folder(name, creating: false)?.lock("lock")
    #expect(lock != nil)
    enforce(CacheLimits(bytes: 0, rows: 0, age: .zero, count: 0))
    #expect(stored("here", "there", "nobody") == ["here", "there"])
    #expect(load(here).value.items.count == 40)
    lock = nil
    enforce(CacheLimits(count: 1))
    #expect(stored("here", "there") == ["here"])
  }

  @Test
  func `P9: archives go with the others, and what is no cache stays`() async throws {
    let archives = (0..<3).map { Archive<Int>("\($0)", in: directory.caches) }
    for archive in archives { try archive.save(7) }
    for (age, name) in ["0", "1", "2"].enumerated() {
      try await directory.date(name, of: .archive, old + TimeInterval(10 + age))
    }
    try await store(("feed", 1))
    let account = directory.caches.directory(named: "account")
    try Archive<Int>("inner", in: account).save(8)
    try directory.write(Data([1]), to: "notes.txt")
    // To load it is to use it.
    #expect(archives[0].load() == 7)
    enforce(CacheLimits(count: 2))
    #expect(archives.map { $0.load() } == [7, nil, 7] && stored("feed") == [])
    enforce(CacheLimits(bytes: 0))
    #expect(archives.map { $0.load() } == [nil, nil, nil])
    #expect(Archive<Int>("inner", in: account).load() == 8)
    #expect(directory.files["notes.txt"] == Data([1]))
  }

  @Test
  func `P9: limits are kept by writing and closing, without a call`() async throws {
    let caches = directory.caches.limited(to: CacheLimits(count: 2))
    for name in ["a", "b", "c", "d"] {
      do {
        let writing = FileFeedCache<Post>(name, in: caches, coder: JSONCoder())
        for commit in pages(1) { #expect(writing.save(commit)) }
        await caches.limitsEnforced()
        writing.close()
      }
      try await directory.date(name, old)
    }
    #expect(stored("a", "b", "c", "d").count == 2)
    for number in 0..<5 {
      try Archive<Int>("\(number)", in: caches).save(number)
      await caches.limitsEnforced()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(names.count == 2)
  }

  @Test
  func `P9: what was in use when the last one closed goes once it is not`() async throws {
    let caches = directory.caches.limited(to: CacheLimits(count: 1))
    do {
      let writing = ["a", "b", "c"].map { FileFeedCache<Post>($0, in: caches, coder: JSONCoder()) }
      for cache in writing { for commit in pages(1) { #expect(cache.save(commit)) } }
      for cache in writing { cache.close() }
      await caches.limitsEnforced()
      #expect(stored("a", "b", "c").count == 3)
    }
    await caches.limitsEnforced()
    #expect(stored("a", "b", "c").count == 1)
  }

  @Test
  func `rows that were never noted, or are not what was written, count as none`() async throws {
    try await store(("a", 1), ("b", 1))
    try Data().write(to: folder("a").appendingPathComponent("lock"))
    try Data(repeating: 255, count: 16).write(to: folder("b").appendingPathComponent("lock"))
    enforce(CacheLimits(rows: 0))
    #expect(stored("a", "b") == ["a", "b"])
  }

  @Test
  func `P9: each value of one folder has its limits kept`() async throws {
    try await store(("a", 1), ("b", 1))
    let many = directory.caches.limited(to: CacheLimits(count: 5))
    let few = directory.caches.limited(to: CacheLimits(count: 1))
    many.enforceLimitsSoon()
    few.enforceLimitsSoon(afterAtLeast: .seconds(3600))
    await many.limitsEnforced()
    await few.limitsEnforced()
    #expect(stored("a", "b") == ["b"])
  }

  @Test
  func `limits that nobody looks at any more are forgotten`() async {
    for count in 0..<300 {
      let caches = directory.caches.limited(to: CacheLimits(count: count))
      caches.enforceLimitsSoon()
      await caches.limitsEnforced()
    }
    // Other tests may look at theirs meanwhile.
    #expect(CacheDirectory.chores.withLock { $0.count } < 2 * CacheDirectory.rememberedChores)
  }
}
