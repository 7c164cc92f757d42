// A feed under test: a server that does what it is told, a clock that stands still.

import Foundation
import Freshet
import FreshetTesting

struct Row: ListItem {
  let id: Int
}

func failing() async {
  // snippet.failing
  let server = ScriptedServer((0..<40).map(Row.init))
  let feed = Feed(server.source(.cursor))
  await feed.loadNext()
  server.failNext(with: ScriptedFailure())
  await feed.refresh()
  assert(feed.value.state.refresh.failure != nil && !feed.value.items.isEmpty)
  // snippet.busy
  server.failNext(with: ScriptedFailure(isTransient: true, retryAfter: .seconds(5)))
  // snippet.hide
}

func waiting() async {
  let server = ScriptedServer((0..<40).map(Row.init))
  let feed = Feed(server.source(.cursor))
  // snippet.waiting
  server.hold()
  let refresh = Task { await feed.refresh() }
  let isAsked = await server.waiting(1)  // the request is there, and its answer is not
  assert(isAsked && feed.value.state.refresh == .loading)
  server.insert(Row(id: 100), at: 0)
  server.releaseAll()
  _ = await refresh.value
  assert(feed.value.items.first?.id == 100)
  // snippet.hide
}

@MainActor
func following() async throws {
  let store = MemoryStore((0..<3).map(Row.init))
  let results = ResultsController(store: store)
  await results.fetch(.all)
  // snippet.eventually
  try await store.write(deleting: [1])
  let isGone = await eventually { results.fetchedObjects.count == 2 }
  assert(isGone)  // with Swift Testing: #expect(await eventually { … })
  // snippet.hide
}

func retrying() async {
  // snippet.clock
  let clock = ManualClock()
  let server = ScriptedServer((0..<40).map(Row.init))
  let feed = Feed(
    server.source(.keyset),
    configuration: FeedConfiguration(retryPolicy: RetryPolicy(attempts: 1), clock: clock))
  server.failNext(with: URLError(.timedOut))
  let refresh = Task { await feed.refresh() }
  let isWaiting = await clock.sleepers(1)  // it failed, and waits to ask again
  assert(isWaiting)
  clock.advance(by: .seconds(60))
  _ = await refresh.value
  assert(feed.value.diagnostics.retries == 1 && !feed.value.items.isEmpty)
  // snippet.hide
}

func checking() async {
  // snippet.batches
  let server = ScriptedServer((0..<200).map(Row.init))
  let feed = Feed(server.source(.offset))
  var updates = feed.updates.makeAsyncIterator()
  var view = BatchUpdateChecker<ListRow<Row>>()  // a table view that says what it would raise
  var random = SeededGenerator(seed: 7)
  while await feed.loadNext() == .idle {
    server.delete(Int.random(in: 0..<200, using: &random))  // pages shift under the feed
    if let update = await updates.next() {
      assert(view.violations(performing: update.step).isEmpty)
    }
  }
  // snippet.hide
}

struct Note: ListItem {
  let id: Int
  var text = ""
}

struct Rewrite: Mutation {
  var target: Note.ID
  var text: String
  func edit() -> ItemEdit<Note> { .update { [text] in $0.text = text } }
}

func sendingAgain() async throws {
  // snippet.outage
  let clock = ManualClock()
  let outbox = Outbox(.memory, clock: clock) {
    Sender(Rewrite.self) { _, attempt in
      if attempt.number == 0 { throw URLError(.notConnectedToInternet) }
    }
  }
  try await outbox.perform(Rewrite(target: 3, text: "Milk"))
  let hasFailed = await eventually {
    if case .retrying? = outbox.status.mutations.first?.progress { true } else { false }
  }
  let isWaiting = await clock.sleepers(1)  // until it is sent again
  assert(hasFailed && isWaiting)
  clock.advance(by: .seconds(120))
  let isSent = await eventually { outbox.status.mutations.isEmpty }
  assert(isSent)
  // snippet.hide
}

func relaunching() async throws {
  // snippet.relaunch
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  let server = ScriptedServer((0..<5).map { Note(id: $0) })
  func launch() -> (Outbox, Feed<Note>) {
    let outbox = Outbox(.file("outbox", in: folder), isPaused: true) {
      Sender(Rewrite.self) { rewrite, _ in
        server.update(Note(id: rewrite.target, text: rewrite.text))
      }
    }
    let feed = Feed(server.source(.offset))
    outbox.attach(feed)
    return (outbox, feed)
  }
  let (first, _) = launch()
  try await first.perform(Rewrite(target: 3, text: "Milk"))  // nothing is sent: it is paused
  try await first.signOut(.keep)  // closes its file
  let (outbox, feed) = launch()
  await feed.refresh()
  await outbox.loaded()
  assert(feed.value.items[3].text == "Milk" && server.items[3].text == "")
  outbox.resume()
  let isSent = await eventually { outbox.status.mutations.isEmpty }
  assert(isSent && server.items[3].text == "Milk")
  // snippet.hide
  try? FileManager.default.removeItem(at: folder)
}

await failing()
await waiting()
try await following()
await retrying()
await checking()
try await sendingAgain()
try await relaunching()
print("All held.")
