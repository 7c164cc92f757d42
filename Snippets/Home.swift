// A list in SwiftUI: rows, gaps, failures, more near the end.

#if canImport(SwiftUI)
  import Freshet
  import SwiftUI

  struct Post: ListItem, Codable {
    let id: Int
    var title: String
  }

  struct PostRow: View {
    let post: Post
    init(_ post: Post) { self.post = post }
    var body: some View { Text(post.title) }
  }

  struct RetryRow: View {
    let error: FeedError
    let retry: @MainActor () -> Void
    init(_ error: FeedError, retry: @escaping @MainActor () -> Void) {
      self.error = error
      self.retry = retry
    }
    var body: some View { Button("\(error.localizedDescription) Try again", action: retry) }
  }

  // snippet.show
  struct Home: View {
    let feed: FeedController<Post>

    var body: some View {
      List {
        ForEach(feed.rows) { row in
          switch row {
          case .item(let post): PostRow(post).onAppear { feed.willDisplay(post) }
          case .gap(let gap): Button("Load what is missing") { Task { await feed.load(gap) } }
          }
        }
        if let error = feed.state.failure { RetryRow(error) { feed.retry() } }
      }
      .refreshable { await feed.refresh() }
    }
  }
// snippet.hide
#endif
