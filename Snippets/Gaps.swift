// Places where rows may be missing, and how far a refresh reads.

import Freshet

struct Post: ListItem, Codable {
  let id: Int
  var text = ""
}

@MainActor
func show(_ feed: FeedController<Post>) async {
  // snippet.rows
  for row in feed.rows {
    switch row {
    case .item(let post): print(post.text)
    case .gap(let gap) where gap.isStored: print("…")  // on disk: it comes as the reader comes near
    case .gap(let gap):
      let size = feed.state.gapSizes[gap.id]?.text ?? "Some"
      print("\(size) rows may be missing here.", feed.state.gaps[gap.id] ?? .idle)
    }
  }
  // snippet.load
  for case .gap(let gap) in feed.rows {
    await feed.load(gap)  // one page, from the row above the gap downwards
    await feed.load(gap, from: .below)  // one page, from the row below it upwards
  }
  // snippet.scopes
  await feed.refresh()  // from the head, until an answer meets what is known
  await feed.refresh(.visible)  // … through what is on screen
  await feed.refresh(.all)  // … through everything that is loaded
  // snippet.hold
  feed.holdNew()  // from now on new rows wait at the head
  if feed.state.newItems > 0 { print("\(feed.state.newItems) new") }
  feed.showNew()  // they show, and later ones show as they come
  // snippet.why
  if let id = feed.items.first?.id, let trace = await feed.trace(of: id) {
    print("It is there because of \(trace)")
  }
  print(feed.value.diagnostics)  // shifts repaired, keys that expired, repeated rows, retries
  // snippet.hide
}

@MainActor
func configure(_ source: ClosureSource<Post, Int>) -> [FeedController<Post>] {
  // snippet.configuration
  let patient = FeedController(
    source, configuration: FeedConfiguration(refreshPages: 10, staleAfter: .seconds(300)))
  let simple = FeedController(
    source, configuration: FeedConfiguration(refreshPolicy: .replace))
  // snippet.hide
  return [patient, simple]
}

for feed in configure(ClosureSource { _ in Page([Post(id: 1, text: "Hello")], next: nil) }) {
  await feed.refresh()
  await show(feed)
}
