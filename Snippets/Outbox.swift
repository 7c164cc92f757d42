// Edits that survive a relaunch: an outbox stores them until the server has answered.

import Foundation
import Freshet
import FreshetHTTP

struct Post: ListItem, Codable {
  let id: Int
  var text = ""
  var isLiked = false
}

let source = HTTPFeedSource<Post>("https://api.example.com/v1/posts")

// snippet.mutation
struct Like: Mutation {
  var target: Post.ID
  func edit() -> ItemEdit<Post> { .update { $0.isLiked = true } }
}
// snippet.end

// snippet.creation
struct Publish: Mutation {
  /// A temporary id: the server gives the post its own.
  var target: Post.ID
  var text: String
  func edit() -> ItemEdit<Post> { .insert(Post(id: target, text: text)) }
}
// snippet.end

// snippet.order
struct Reorder: Mutation {
  var target: Post.ID
  var above: Post.ID?
  func edit() -> ItemEdit<Post> { .move(after: above) }
}
// snippet.end

struct Comment: ListItem {
  let id: String
  var text: String
}

// snippet.reference
struct AddComment: Mutation {
  var target: Comment.ID
  var post: Post.ID
  var text: String
  static var references: [ItemReference<Self>] { [ItemReference(\.post, to: Post.self)] }
  func edit() -> ItemEdit<Comment> { .insert(Comment(id: target, text: text)) }
}
// snippet.end

// snippet.merging
struct SetLiked: Mutation {
  var target: Post.ID
  var isLiked: Bool
  func edit() -> ItemEdit<Post> { .update { [isLiked] in $0.isLiked = isLiked } }
  func merging(_ earlier: SetLiked) -> MutationMerge<SetLiked> {
    earlier.isLiked == isLiked ? .replacement(self) : .cancellation
  }
}
// snippet.end

struct API: Sendable {
  func like(_ id: Post.ID, idempotencyKey: String) async throws {}
  func publish(_ text: String, idempotencyKey: String) async throws -> Post {
    Post(id: 1, text: text)
  }
}

let api = API()
let feed = FeedController.preview([Post(id: 7)])
let post = feed.items[0]

do {
  // snippet.outbox
  let outbox = Outbox(.file("outbox")) {
    Sender(Like.self) { like, attempt in
      try await api.like(like.target, idempotencyKey: attempt.idempotencyKey)
    }
  }
  outbox.attach(feed.list)
  try await outbox.perform(Like(target: post.id))  // on disk and on screen
  // snippet.end
  // snippet.perform
  try await feed.perform(Like(target: post.id), outbox)
  // snippet.end
  // snippet.failed
  for mutation in outbox.status.failed {
    print(mutation.name, mutation.failure?.message ?? "")
    try await outbox.retry(mutation.id)  // or discard(_:), or replace(_:with:)
  }
  // snippet.end
}

do {
  let outbox = Outbox(.memory) { Sender(Publish.self) { _, _ in } }
  // snippet.excluded
  let performed = try await outbox.perform(Publish(target: -1, text: "Hello"))
  if performed.isExcluded { print("It is sent, but the filter of this list hides it.") }
  // snippet.end
  // snippet.signOut
  try await outbox.signOut(.keep)
  // snippet.end
}

do {
  let group = URL(fileURLWithPath: "/Users/Shared")
  // snippet.shared
  let shared = Outbox(.file("outbox", isShared: true, in: group)) {
    Sender(Like.self) { like, attempt in
      try await api.like(like.target, idempotencyKey: attempt.idempotencyKey)
    }
  }
  // snippet.end
  // snippet.background
  await shared.enterBackground()
  shared.enterForeground()
  // snippet.end
}

do {
  let outbox = Outbox(.memory) {
    // snippet.http
    Sender(Publish.self) { publish, attempt in
      try await source.send(.post, "posts", publish, for: attempt, returning: Post.self)
    }
    // snippet.end
  }
  outbox.pause()
}

do {
  // snippet.senders
  let outbox = Outbox(.file("outbox", account: "42")) {
    Sender(Like.self) { like, attempt in
      try await api.like(like.target, idempotencyKey: attempt.idempotencyKey)
    }
    Sender(Publish.self) { publish, attempt in
      try await api.publish(publish.text, idempotencyKey: attempt.idempotencyKey)
    }
  }
  outbox.attach(feed.list, as: "home")
  try await feed.perform(
    Publish(target: .random(in: .min..<0), text: "Hello"), outbox, as: "home")
  // snippet.end
}
