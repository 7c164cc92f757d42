// Edits that show at once, and news.

import Freshet

// snippet.item
struct Post: ListItem, Codable {
  var id: String
  var liked = false
}
// snippet.hide

struct API: Sendable {
  func page(
    after cursor: String?, count: Int
  ) async throws -> (posts: [Post], cursor: String?) { ([Post(id: "a")], nil) }
  func like(_ id: String) async throws {}
  func publish(_ post: Post) async throws -> Post { Post(id: "b") }
  func delete(_ id: String) async throws {}
  func events() -> AsyncStream<FeedEvent<Post>> { AsyncStream { $0.finish() } }
}

let api = API()
let feed = FeedController { (request: PageRequest<String>) in
  let answer = try await api.page(after: request.key, count: request.limit)
  return Page(answer.posts, next: answer.cursor)
}
await feed.refresh()
let post = feed.items[0]
let draft = Post(id: "draft")

// snippet.show
try await feed.update(post.id, optimistically: { $0.liked = true }) { try await api.like(post.id) }
try await feed.remove(post.id) { try await api.delete(post.id) }
// A temporary id becomes the server's, in the same row.
try await feed.insert(draft) { try await api.publish(draft) }
// snippet.catch
do {
  try await feed.update(post.id, optimistically: { $0.liked = true }) {
    try await api.like(post.id)
  }
} catch {
  print("The like was taken back: \(error)")
}
// snippet.hide

try await feed.follow(api.events())  // insert, upsert, delete, invalidate
// snippet.hide

struct Job: ListItem, Codable {
  let id: Int
  var isDone = false

  var done: Job { Job(id: id, isDone: true) }
}

@MainActor
func finish(
  _ job: Job, in jobs: ResultsController<Job, MemoryStore<Job>.Request>, of store: MemoryStore<Job>
) async throws {
  // snippet.results
  try await jobs.update(job.id, optimistically: { $0.isDone = true }) {
    try await store.write(updating: [job.done])
  }
  // snippet.hide
}
