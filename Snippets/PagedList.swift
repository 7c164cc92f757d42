// A paged, cached list from anything that can return a page.

import Freshet

struct Post: ListItem, Codable {
  let id: Int
  var title: String
}

struct API: Sendable {
  func posts(
    after cursor: String?, count: Int
  ) async throws -> (posts: [Post], cursor: String?) {
    let first = cursor.flatMap(Int.init) ?? 0
    let posts = (first..<(first + count)).map { Post(id: $0, title: "Post \($0)") }
    return (posts, first + count < 500 ? "\(first + count)" : nil)
  }
}

let api = API()

// snippet.show
let feed = FeedController(cache: .file("home")) { (request: PageRequest<String>) in
  let answer = try await api.posts(after: request.key, count: request.limit)
  return Page(answer.posts, next: answer.cursor)
}

feed.loadCacheSynchronously()  // rows from disk, before the first frame
await feed.refresh()  // what is new, and nothing else
await feed.loadNext()  // the next page

for row in feed.rows {
  switch row {
  case .item(let post): print(post.title)
  case .gap(let gap): print("— rows may be missing here: load(\(gap)) —")
  }
}
// snippet.hide
