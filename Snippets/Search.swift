// A search: one feed for each query, and a list whose query changes.

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

// snippet.family
let books = FeedFamily(cache: .files("books")) { (query: String) in
  ClosureSource { (request: PageRequest<String>) in
    let answer = try await api.books(query, after: request.key, count: request.limit)
    return Page(answer.books, next: answer.cursor)
  }
}
// snippet.hide

#if canImport(SwiftUI)
  import SwiftUI

  // snippet.view
  struct Search: View {
    @State private var found = QueryController(books, query: "")
    @State private var text = ""

    var body: some View {
      List(found.items) { book in
        Text(book.title).onAppear { found.willDisplay(book) }
      }
      .opacity(found.isShowingOldRows ? 0.5 : 1)
      .searchable(text: $text)
      .onChange(of: text, initial: true) { found.show(text, debounce: .milliseconds(300)) }
      .onSubmit(of: .search) { found.show(text) }
    }
  }
// snippet.hide
#endif

// snippet.use
let maps = books["maps"]  // a feed like any other; one for all uses of the query
await maps.refresh()
await books.prefetch("charts")  // there when somebody looks, and not asked for twice
books.invalidate { $0.hasPrefix("m") }  // read again, now or when somebody looks
// snippet.hide

let others = books

// snippet.merged
let (shelf, store) = (QueryFeed(books, query: ""), QueryFeed(others, query: ""))
let both = shelf.merged(with: store, sortedBy: \.title)
for list in [shelf, store] { list.show("charts", debounce: .milliseconds(300)) }
// snippet.hide

// snippet.list
let list = QueryFeed(books, query: "maps")
list.show("charts")
for await value in list.values {  // the rows of one query, then those of the next
  print(value.items.count, value.state.isShowingOldRows)
  if !value.state.isShowingOldRows || value.state.failure != nil { break }
}
// snippet.hide
