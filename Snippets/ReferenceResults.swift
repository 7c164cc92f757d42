// The examples of the declarations of live results, drafts and stores.

import Foundation
import Freshet

// snippet.hide
struct Post: ListItem {
  let id: Int
}

struct Quake: ListItem, Codable {
  let id: Int
  var magnitude = 5.0
  var time = Date.distantPast
  var day = ""
}

struct PostRequest: Sendable {}
struct Change: Sendable {
  let post = Post(id: 1)
  let kind = ChangeKind.update
}

struct API: Sendable {
  func posts(_ request: PostRequest) async throws -> [Post] { [] }
  var changes: AsyncStream<Change> { AsyncStream { $0.finish() } }
}

let api = API()

@MainActor
func results(_ quakes: MemoryStore<Quake>, _ revised: Quake) async throws {
  do {
    // snippet.draft
    let draft = Draft(of: quakes)
    let results = ResultsController(store: draft, arrangement: .sorted(by: \.time))
    draft.update(revised)
    try await draft.commit()  // or draft.discard()
    // snippet.hide
    _ = results
  }
  do {
    // snippet.results
    let results = LiveResults(store: quakes, arrangement: .sorted(by: \.time, .reverse))
    await results.fetch(.all)
    for await update in results.updates { print(update.changes) }
    // snippet.hide
  }
  // snippet.fetched
  let results = ResultsController(
    store: quakes, arrangement: .sorted(by: \.time, .reverse).sectioned(by: \.day, .reverse))
  await results.fetch(.all)
  print(results.sections[0].name)
  print(try results.object(at: IndexPath(indexes: [0, 3])))  // section 0, row 3
  // snippet.hide
}

struct Chore: ListItem {
  let id: Int
  var position = 0.0
  func placed(below above: Chore?) -> Chore { self }
}

@MainActor
func move(
  _ task: Chore, below above: Chore?, in tasks: MemoryStore<Chore>,
  shownBy results: ResultsController<Chore, MemoryStore<Chore>.Request>
) async {
  // snippet.move
  let move = results.move(task.id, after: above?.id) {
    try await tasks.write(updating: [task.placed(below: above)])
  }
  do { try await move.value } catch { print(error) }  // the item is back by then
  // snippet.hide
}

func memory(_ quakes: [Quake], _ quake: Quake) async throws {
  // snippet.memory
  let store = MemoryStore(quakes)
  let results = LiveResults(store: store, arrangement: .sorted(by: \.time, .reverse))
  try await store.write(inserting: [quake])
  // snippet.hide
  _ = results
}

// snippet.store
struct PostStore: DataStore {
  func execute(_ query: DataStoreQuery<Post, PostRequest>) async throws {
    query.enqueue(try await api.posts(query.request), as: .insert)
    query.finishInitialResults()
    for try await event in api.changes { query.enqueue([event.post], as: event.kind) }
  }
}
// snippet.hide

#if Postgres
  import FreshetPostgres

  func postgres(pattern: String) async throws {
    // snippet.postgres
    let store = PostgresStore(
      "postgres://app@db.example.com/quakes?sslmode=verify-full", table: "quakes", of: Quake.self)
    try await store.install()  // once, as the table's owner
    let results = LiveResults(store: store, arrangement: .sorted(by: \.time, .reverse))
    await results.fetch("magnitude >= \(5)")
    // snippet.request
    results.performFetch("magnitude >= \(5) AND place ILIKE \(pattern)")
    // snippet.hide
  }
#endif
