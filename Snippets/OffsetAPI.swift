// Paging by offset, safe against rows that come and go between two pages.

import Freshet

struct Event: ListItem {
  let id: Int
}

@Sendable func events(offset: Int, limit: Int) async throws -> [Event] {
  (offset..<min(offset + limit, 200)).map(Event.init)
}

// snippet.show
let source = OffsetSource { offset, limit in try await events(offset: offset, limit: limit) }
let feed = Feed(source)
while await feed.loadNext() == .idle {}
print(feed.value.items.count)
// snippet.hide
