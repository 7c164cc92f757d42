// Pages of a web API, written into a store and shown from there.

import Foundation
import Freshet

struct Post: ListItem, Codable {
  let id: Int
  var time = 0
}

@MainActor
func show(_ posts: MemoryStore<Post>, _ source: ClosureSource<Post, String>) async {
  // snippet.show
  let feed = Feed(source, cache: .store(posts, named: "home"))
  let results = ResultsController(store: posts, arrangement: .sorted(by: \.time, .reverse))
  results.performFetch(.all)
  await feed.refresh()  // and loadNext(): what the page brings is in the results
  // snippet.hide
}

await show(MemoryStore(), ClosureSource { _ in Page([Post(id: 1)], next: nil) })
