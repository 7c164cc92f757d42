// A list from a JSON web API, and what changes in it, step by step.

import Foundation
import Freshet
import FreshetHTTP

// snippet.hero
struct Post: ListItem, Codable {
  let id: Int
  var title: String
}

let feed = FeedController(
  HTTPFeedSource<Post>("https://api.example.com/posts", paging: .linkHeader),
  cache: .file("posts"))

feed.loadCacheSynchronously()  // rows from disk, before the first frame
await feed.refresh()  // what is new, and nothing else
await feed.loadNext()  // the next page
print(feed.items.map(\.title), feed.state.next)
// snippet.hide

@MainActor
func follow() async {
  // snippet.updates
  for await update in feed.updates {
    let changes = update.changes  // the rows of an inserted section come with it
    print(changes.insertedSections, changes.insertedRows, changes.deletedRows, update.value.state)
  }
  // snippet.hide
}
