// A paged, cached list from anything that can return a page.

import Freshet

struct Post: ListItem, Codable {
  let id: Int
  var title: String
}

struct Posts: Sendable {
  func page(_ number: Int, count: Int) async throws -> (posts: [Post], isLast: Bool) {
    let posts = (0..<count).map { Post(id: number * 1000 + $0, title: "Post \($0)") }
    return (posts, number == 3)
  }
}

let api = Posts()

// snippet.show
let feed = FeedController(cache: .file("home")) { (request: PageRequest<Int>) in
  let number = request.key ?? 1
  let page = try await api.page(number, count: request.limit)
  return Page(page.posts, next: page.isLast ? nil : number + 1)
}

feed.loadCacheSynchronously()  // rows from disk, before the first frame
await feed.refresh()  // what is new, and nothing else
await feed.loadMore()  // the next page

for row in feed.rows {
  switch row {
  case .item(let post): print(post.title)
  case .gap(let gap): print("— rows may be missing here: load(\(gap)) —")
  }
}
// snippet.hide
