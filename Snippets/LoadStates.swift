// What a screen shows besides its rows: the first load, nothing there, a failure, the end.

import Freshet

struct Post: ListItem, Codable {
  let id: Int
}

@MainActor
func show(_ feed: FeedController<Post>) {
  // snippet.placeholder
  switch feed.placeholder {
  case .loading: print("Loading…")
  case .empty: print("Nothing here.")
  case .failed(let notice): print(notice.message, notice.advice ?? "")
  case nil: print("\(feed.items.count) rows")
  }
  // snippet.total
  // 57 of about 2,300
  func title(ofRowAt index: Int) -> String {
    feed.state.total.map { $0.text(at: index + 1) } ?? "\(index + 1)"
  }
  // snippet.footer
  let footer: String? =
    switch feed.state.next {
    case .idle: nil  // more comes as the reader gets near
    case .loading: "Loading…"
    case .failed(let error): "\(error.localizedDescription) Tap to try again."  // retry()
    case .end: "That is all."
    }
  // snippet.stale
  if feed.state.refresh.failure != nil, let date = feed.refreshedAt {
    print("As of \(date.formatted()). Pull to try again.")
  }
  // snippet.hide
  print(footer ?? "", title(ofRowAt: 0))
}

let feed = FeedController { (request: PageRequest<Int>) in Page([Post(id: 1)], next: nil) }
await feed.refresh()
show(feed)

func follow(_ feed: Feed<Post>) async {
  // snippet.values
  for await value in feed.values {  // rows and states together, the newest first
    print(value.items.count, value.state.next)
  }
  // snippet.hide
}
