// What a Pager, a RemoteMediator and a PagingDataAdapter of Android are here.

import Foundation
import Freshet

struct User: ListItem, Codable {
  let id: String
  var label: String
}

struct Backend: Sendable {
  func search(_ query: String, after cursor: String?) async throws -> (users: [User], next: String?)
  {
    ([], nil)
  }
}

struct Letter: ListItem {
  let id: String
}

@MainActor
func show(_ backend: Backend) {
  // snippet.after
  let users = FeedFamily(  // one list for each query, as `flatMapLatest` makes one Pager for each
    cache: .files("users"),  // what RemoteMediator and the database do
    configuration: FeedConfiguration(pageSize: 50, prefetchDistance: 50, maximumRows: 1_000)
  ) { (query: String) in
    ClosureSource { (request: PageRequest<String>) in  // PagingSource.load
      let answer = try await backend.search(query, after: request.key)
      return Page(answer.users, next: answer.next)  // LoadResult.Page
    }
  }
  let list = QueryController(users, query: "")
  list.show("ann", debounce: .milliseconds(300))
  // snippet.transforms
  let shown = ListController(
    list.list
      .filter { !$0.label.isEmpty }
      .separated { above, below in  // insertSeparators
        above?.label.first == below.label.first ? nil : Letter(id: String(below.label.prefix(1)))
      })
  // snippet.hide
  _ = shown
}
