// One item in many lists: an identity map shares the newest version of each item.

import Foundation
import Freshet
import FreshetHTTP

struct Post: ListItem, Codable {
  let id: Int
  var isLiked = false
  var body: String?
  var updatedAt = Date.distantPast
}

struct API: Sendable {
  func like(_ id: Post.ID) async throws {}
  func post(_ id: Post.ID) async throws -> Post { Post(id: id) }
}

let api = API()
let deletedID = 3
let homeSource = HTTPFeedSource<Post>("https://api.example.com/v1/home")
let likedSource = HTTPFeedSource<Post>("https://api.example.com/v1/liked")

do {
  // snippet.map
  let posts = IdentityMap<Post>()
  let home = FeedController(homeSource, identity: posts)
  let liked = FeedController(likedSource, identity: posts)
  // snippet.end
  await home.refresh()
  await liked.refresh()
  guard let post = home.items.first else { exit(0) }
  // snippet.edit
  try await home.update(post.id) {
    $0.isLiked = true
  } commit: {
    try await api.like(post.id)
  }
  // snippet.end
  // snippet.news
  posts.update(try await api.post(post.id))
  posts.remove(deletedID)
  let newest = posts.item(post.id)
  // snippet.end
  print(newest ?? "gone")
}

do {
  let (store, shared) = (MemoryStore<Post>(), IdentityMap<Post>())
  // snippet.store
  let feed = Feed(homeSource, cache: .store(store, named: "home"), identity: shared)
  let results = LiveResults(store: store, identity: shared)
  // snippet.end
  await results.fetch(.all)
  await feed.refresh()
}

do {
  // snippet.version
  let versions = IdentityMap<Post> { $0.updatedAt }
  // snippet.end
  // snippet.merge
  let details = IdentityMap<Post> { old, new in
    var post = new
    post.body = new.body ?? old.body
    return post
  }
  // snippet.end
  print(versions, details)
}
