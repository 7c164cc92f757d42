// A list from a JSON web API, and what changes in it, step by step.

import Foundation
import Freshet
import FreshetHTTP

struct Commit: ListItem, Codable {
  let sha: String
  var id: String { sha }
}

@MainActor
func show() async {
  // snippet.show
  let feed = FeedController(
    HTTPFeedSource<Commit>("https://api.example.com/repos/x/commits", paging: .linkHeader),
    cache: .file("commits"))
  // snippet.hide
  Task { await feed.refresh() }
  // snippet.show
  for await update in feed.updates {
    let changes = update.changes  // the rows of an inserted section come with it
    print(changes.insertedSections, changes.insertedRows, changes.deletedRows, update.value.state)
  }
  // snippet.hide
}

await show()
