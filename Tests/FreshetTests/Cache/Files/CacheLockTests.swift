import Dispatch
import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct CacheLockTests: CachingSuite {
  let directory = TemporaryDirectory()

  @Test
  func `a lock is given up though a child process holds a copy of its descriptor`() throws {
    let folder = try #require(try directory.caches.open(creating: true))
    var lock = try folder.lock("lock")
    // What a process that was forked, and did not come to its program yet, has.
    let copy = dup(try #require(lock).descriptor)
    defer { close(copy) }
    #expect(try folder.lock("lock") == nil)
    lock = nil
    #expect(try folder.lock("lock") != nil)
  }

  /// Starts processes, one after the other, on a thread of its own until it is told to stop.
  final class Starter: Sendable {
    private let isDone = Locked(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    func start() {
      Thread.detachNewThread { [self] in
        let shell = URL(fileURLWithPath: "/bin/sh")
        while !isDone.withLock({ $0 }) {
          try? Process.run(shell, arguments: ["-c", ":"]).waitUntilExit()
        }
        hasEnded.signal()
      }
    }

    func stop() {
      isDone.withLock { $0 = true }
      hasEnded.wait()
    }
  }

  @Test
  func `while processes are started no feed that opens is told that another one writes`() {
    let commits = pages(1, size: 5)
    let starters = [Starter(), Starter()]
    for starter in starters { starter.start() }
    for round in 0..<400 {
      let writing = cache()
      for commit in commits { writing.save(commit) }
      #expect(writing.takeIssues() == [], "round \(round)")
      writing.close()
    }
    for starter in starters { starter.stop() }
  }

  @Test
  func `a feed that could not be stored is stored once the other one is gone`() async {
    let source = ScriptedServer((0..<5).map { Post(id: $0) }).source(.keyset)
    func feed() -> Feed<Post> { Feed(source, cache: .file("home", in: directory.caches)) }
    var first: Feed<Post>? = feed()
    await first?.refresh()
    await first?.flush()
    let second = feed()
    await second.loadCache()
    second.removeLocally(1)
    await second.flush()
    #expect(first?.isSaved == true && !second.isSaved)
    first = nil
    #expect(await eventually { second.isSaved })
    let third = feed()
    await third.loadCache()
    #expect(third.value.items.map(\.id) == [0, 2, 3, 4])
  }

  @Test
  func `P4: however many feeds are stored, few hold a lock, and none writes its rows again`() throws
  {
    let locks = LockPool(limit: 8)
    let caches = (0..<20).map {
      FileFeedCache<Post>("\($0)", in: directory.caches, coder: JSONCoder(), locks: locks)
    }
    let commits = pages(3, size: 5)
    func runs(_ name: String) throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: folder(name).path))
        .filter { $0.hasPrefix("p") }
    }
    for (step, commit) in commits.enumerated() {
      let before = try caches.indices.map { step == 0 ? [] : try runs("\($0)") }
      for cache in caches { #expect(cache.save(commit)) }
      for index in caches.indices {
        #expect(try runs("\(index)").isSuperset(of: before[index]))
      }
    }
    let root = try #require(try directory.caches.open(creating: false))
    let free = try caches.indices.count { index in
      let name = directory.caches.name(for: "\(index)", of: .feed)
      return try root.folder(name, creating: false)?.lock("lock") != nil
    }
    #expect(free >= caches.count - locks.limit)
    for (index, cache) in caches.enumerated() {
      #expect(cache.takeIssues() == [])
      cache.close()
      #expect(load(self.cache("\(index)")).value.items.count == 15)
    }
  }

  @Test
  func `a feed that opens once an earlier one is stored and gone saves at once`() async {
    let server = ScriptedServer((0..<10).map { Post(id: $0) })
    for round in 0..<60 {
      var feed: Feed<Post>? = Feed(
        server.source(.keyset), cache: .file("again", in: directory.caches))
      server.insert(Post(id: 100 + round), at: 0)
      await feed?.refresh()
      await feed?.flush()
      #expect(feed?.isSaved == true)
      weak let before = feed
      feed = nil
      // A task that notified an observer may still hold it.
      #expect(await eventually { before == nil })
    }
  }
}
