import Foundation
import Freshet
import FreshetHTTP

struct Quake: ListItem, Codable {
  let id: String
  var title: String
  var time: Int  // in milliseconds since 1970
}

let feed = FeedController(
  HTTPFeedSource<Quake>("http://127.0.0.1:8318/quakes", paging: .linkHeader),
  cache: .file("quakes"),
  configuration: FeedConfiguration(refreshPages: 1))

feed.loadCacheSynchronously()
print("From disk: \(feed.items.count) quakes")

await feed.refresh()
for row in feed.rows.prefix(80) {
  switch row {
  case .item(let quake): print(quake.title)
  case .gap: print("— rows may be missing here —")
  }
}

if let error = feed.state.failure {
  print(error.localizedDescription, error.recoverySuggestion ?? "")
}

await feed.flush()  // it ends here: wait until all is stored
