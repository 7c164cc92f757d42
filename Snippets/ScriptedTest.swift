// A server under the control of a test.

import Freshet
import FreshetTesting

struct Row: ListItem {
  let id: Int
}

// snippet.show
let server = ScriptedServer((0..<40).map(Row.init))
let feed = Feed(server.source(.cursor))
await feed.loadNext()
server.failNext(with: ScriptedFailure())
await feed.refresh()
assert(feed.value.state.refresh.failure != nil && !feed.value.items.isEmpty)
// snippet.hide
