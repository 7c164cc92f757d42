// A list from a web API, with no code for its kind of paging.

import Freshet
import FreshetHTTP

struct Commit: ListItem, Codable {
  let sha: String
  var id: String { sha }
}

// snippet.show
let feed = FeedController(
  HTTPFeedSource<Commit>("https://api.example.com/repos/x/commits", paging: .linkHeader),
  cache: .file("commits"))

for await update in feed.updates {
  print(update.changes.insertedRows, update.changes.deletedRows, update.value.state)
}
// snippet.hide
