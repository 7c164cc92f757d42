// A feed for each query: what a source asks for does not change under its feed.

import Freshet

struct Book: ListItem, Codable {
  let id: Int
  var title: String
}

struct API: Sendable {
  func books(
    _ query: String, after cursor: String?, count: Int
  ) async throws -> (books: [Book], cursor: String?) {
    ([Book(id: 1, title: "\(query), the book")], nil)
  }
}

let api = API()

// snippet.show
@MainActor
func books(matching query: String) -> FeedController<Book> {
  FeedController(cache: .file("books matching \(query)")) { (request: PageRequest<String>) in
    let answer = try await api.books(query, after: request.key, count: request.limit)
    return Page(answer.books, next: answer.cursor)
  }
}

var found = books(matching: "maps")
await found.refresh()
found = books(matching: "charts")  // another query: another feed, with a cache of its own
await found.refresh()
// snippet.hide
