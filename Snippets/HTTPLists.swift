// Lists of a web API: a decoder of one's own, a URL made at run time, a search.

import Foundation
import Freshet
import FreshetHTTP

// snippet.decoder
struct Commit: ListItem, Codable {
  let id: String
  var authorName: String  // "author_name"
  var committedAt: Date  // "2026-11-22T17:42:00Z"
}

func commits(of repository: String) throws -> HTTPFeedSource<Commit> {
  let url = URL(string: "https://api.example.com/repos/")!.appending(path: repository)
  return try HTTPFeedSource(url, paging: .linkHeader) {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}
// snippet.hide

struct Book: ListItem, Codable {
  let id: Int
  var title: String
}

// snippet.search
let books = FeedFamily(cache: .files("books")) { (text: String) in
  let query = URLQueryItem(name: "q", value: text)
  let url = URL(string: "https://api.example.com/books")!.appending(queryItems: [query])
  return try HTTPFeedSource<Book>(url, paging: .nextURL("/next"), items: "/items")
}
let maps = books["maps"]  // a feed: rows of the last run, then those of the server
await maps.loadCache()
await maps.refresh()
while await maps.loadNext() == .idle {}  // the pages behind, until the end or a failure
print(maps.value.items.map(\.title), maps.value.state.next)
await maps.flush()  // stored before the process ends
// snippet.hide

let feed = Feed(try commits(of: "swift"), cache: .file("commits of swift"))
_ = (feed, books)
