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
  cache: .file("quakes"))

feed.loadCacheSynchronously()
print("From disk: \(feed.items.count) quakes")

await feed.refresh()
for quake in feed.items.prefix(5) { print(quake.title) }

await feed.loadNext()
print("\(feed.items.count) quakes; further down: \(feed.state.next)")

await feed.flush()  // it ends here: wait until all is stored
