import Foundation
import FreshetTesting
import Testing

@testable import Freshet

// What a relaunch finds.
extension FeedTests {
  @Test
  func `P5: the reader's place is kept over a relaunch, and near where it was when its row went`()
    async
  {
    let directory = TemporaryDirectory()
    do {
      let feed = feed(cache: .file("home", in: directory.caches))
      for _ in 0..<5 { await feed.loadNext() }
      feed.anchor = 33
      feed.removeLocally(33)
      #expect(feed.value.anchor == 34)
      for id in 100..<103 { server.insert(Post(id: id), at: 0) }
      await feed.refresh()
      #expect(feed.value.anchor == 34)
      feed.anchor = 41
      await feed.flush()
    }
    let feed = feed(cache: .file("home", in: directory.caches))
    await feed.loadCache()
    #expect(feed.value.anchor == 41)
    for id in 38..<100 { server.delete(id) }
    await feed.refresh(.all)
    #expect(feed.value.anchor == 37)
  }

  @Test
  func `P1, P5: cached rows show before any request, and scrolling goes on where it stopped`() async
  {
    let directory = TemporaryDirectory()
    let first = feed(cache: .file("home", in: directory.caches), pageSize: 30)
    await first.refresh()
    await first.loadNext()
    await first.flush()

    let requests = server.requests.count
    let second = feed(cache: .file("home", in: directory.caches), pageSize: 30)
    second.loadCacheSynchronously()
    #expect(second.value.items.count >= 50 && server.requests.count == requests)
    await second.loadNext()
    #expect(server.requests.count == requests + 1)
    #expect(Array(second.value.items) == Array(server.items.prefix(90)))
  }

  @Test
  func `a load before the cache was asked for reads it first`() async {
    let directory = TemporaryDirectory()
    let first = feed(cache: .file("home", in: directory.caches))
    for _ in 0..<3 { await first.loadNext() }
    await first.flush()
    let second = feed(cache: .file("home", in: directory.caches))
    server.failNext(with: ScriptedFailure())
    await second.refresh()
    #expect(second.value.items.count == 30)
    #expect(second.value.state.refresh == .failed(.source(ScriptedFailure())))
  }
}
