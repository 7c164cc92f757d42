// A view model with an `isLoadingMore` of its own, and what is left of it.

import Freshet

struct Post: ListItem, Codable {
  let id: Int
  var title: String
  var isLiked = false
}

struct API: Sendable {
  func posts(page: Int, count: Int) async throws -> [Post] { [] }
  func like(_ id: Int) async throws {}
}

// snippet.after
@MainActor
struct PostsScreen {
  let api: API
  let feed: FeedController<Post>

  init(api: API) {
    self.api = api
    feed = FeedController(
      NumberedSource { number, count in try await api.posts(page: number, count: count) },
      cache: .file("posts"))
    feed.loadCacheSynchronously()
  }

  func like(_ post: Post) async {
    do {
      try await feed.update(post.id, optimistically: { $0.isLiked = true }) {
        try await api.like(post.id)
      }
    } catch {
      print("The like was taken back: \(error)")
    }
  }
}
// snippet.hide

let screen = PostsScreen(api: API())
// snippet.use
await screen.feed.refresh()  // what `reload()` did
if let post = screen.feed.items.last { screen.feed.willDisplay(post) }  // `loadMoreIfNeeded`
print(screen.feed.state.next == .loading)  // what `isLoadingMore` was
// snippet.hide
