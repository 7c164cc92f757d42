// How much is kept on disk, and a family of feeds in a store.

import Freshet

struct Post: ListItem, Codable {
  let id: Int
}

struct API: Sendable {
  func find(_ query: String, _ request: PageRequest<Int>) async throws -> Page<Post, Int> {
    Page([Post(id: query.count)], next: nil)
  }
}

let api = API()
let posts = MemoryStore<Post>()

// snippet.limits
let limits = CacheLimits(bytes: 64 << 20, rows: 20_000, age: .seconds(30 * 86_400), count: 100)
let caches = CacheDirectory.default.limited(to: limits)
let cache = FeedCacheChoice<Post>.file("home", in: caches)
let found = FamilyCache<Post>.files("search", limits: CacheLimits(count: 20))
// snippet.hide

// snippet.store
let search = FeedFamily(cache: .store(posts, named: "search")) { (query: String) in
  ClosureSource { (request: PageRequest<Int>) in try await api.find(query, request) }
}
// snippet.hide

print(cache, found, await search["maps"].refresh())
