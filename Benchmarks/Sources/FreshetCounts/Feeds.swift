import Foundation
import Freshet

/// Feeds: pages, events and edits, with and without a cache.
let feedWorkloads: [Workload] = [
  Workload("feed, a page of 25 onto 5,000", repeats: 20) { repeats in
    let feed = await loaded()
    for _ in 0..<repeats { _ = await feed.loadNext() }
  },
  Workload("feed, an event in 5,000", repeats: 500) { repeats in
    let feed = await loaded()
    for round in 0..<repeats { feed.receive(.upsert(Post(round &* 7_919 % 5_000, version: 1))) }
  },
  Workload("feed, an event in 5,000 in sections", repeats: 500) { repeats in
    let feed = await loaded { $0.author }
    for round in 0..<repeats { feed.receive(.upsert(Post(round &* 7_919 % 5_000, version: 1))) }
  },
  Workload("feed, an event that moves one of 1,000 sections up", repeats: 200) { repeats in
    let feed = await loaded { String($0.id % 1_000) }
    for round in 0..<repeats { feed.receive(.insert(Post(100_000 + round &* 7_919 % 50_000))) }
  },
  Workload("feed, an event that 50 feeds of one identity map show", repeats: 20) { repeats in
    let map = IdentityMap<Post>()
    var feeds: [Feed<Post>] = []
    for _ in 0..<50 { feeds.append(await loaded(500, identity: map)) }
    for round in 0..<repeats { feeds[0].receive(.upsert(Post(round &* 79 % 500, version: 1))) }
  },
  Workload("feed, an event after 1,000 deletions", repeats: 500) { repeats in
    let feed = await loaded()
    for id in 0..<1_000 { feed.receive(.delete(id * 5)) }
    for round in 0..<repeats { feed.receive(.upsert(Post(round % 1_000 * 5 + 1, version: 1))) }
  },
  Workload("feed, an event while 1,000 rows wait", repeats: 500) { repeats in
    let feed = await loaded()
    feed.holdNew()
    for id in 0..<1_000 { feed.receive(.insert(Post(10_000 + id))) }
    for round in 0..<repeats { feed.receive(.upsert(Post(round &* 7_919 % 5_000, version: 1))) }
  },
  Workload("feed, 100 rows wait and are shown, in sections", repeats: 10) { repeats in
    let feed = await loaded { $0.author }
    for number in 0..<repeats {
      feed.holdNew()
      for id in 0..<100 { feed.receive(.insert(Post(10_000 + 100 * number + id))) }
      feed.showNew()
    }
  },
  Workload("feed, a page of 25 onto 5,000, into a file", repeats: 20) { repeats in
    let feed = await loaded(in: folder())
    await feed.flush()
    for _ in 0..<repeats {
      _ = await feed.loadNext()
      await feed.flush()
    }
  },
  Workload("feed, the first rows of 5,000 from a file", repeats: 20) { repeats in
    let folder = folder()
    let feed = await loaded(in: folder)
    await feed.flush()
    for _ in 0..<repeats {
      let cache = FileFeedCache<Post>("posts", in: folder, coder: JSONCoder())
      _ = cache.loadFirst()
    }
  },
]

/// A feed that has shown some rows of a list that goes on.
private func loaded(
  _ count: Int = 5_000, in folder: CacheDirectory? = nil, identity map: IdentityMap<Post>? = nil,
  _ section: (@Sendable (Post) -> String)? = nil
) async -> Feed<Post> {
  var configuration = FeedConfiguration(pageSize: 25)
  // Counting takes its time: nothing that was deleted may be forgotten meanwhile.
  configuration.now = { Date(timeIntervalSince1970: 0) }
  let feed = Feed<Post>(
    cache: folder.map { .file("posts", in: $0) }, sectionedBy: section, identity: map,
    configuration: configuration
  ) { (request: PageRequest<Int>) in
    let start = request.key ?? 0
    let count = start == 0 ? count : 25
    return Page((start..<(start + count)).map { Post($0) }, next: start + count)
  }
  await feed.refresh()
  return feed
}

private func folder() -> CacheDirectory {
  CacheDirectory(
    FileManager.default.temporaryDirectory.appending(path: "freshet-counts-\(getpid())"))
}
