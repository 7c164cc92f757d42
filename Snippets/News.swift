// What a server says by itself, taken into a list.

import Freshet

struct Post: ListItem, Codable {
  let id: Int
  var text = ""
}

// snippet.message
/// What the socket of this server says.
enum Message: Sendable {
  case posted(Post)
  case edited(Post)
  case removed(Int)
  case somethingElse

  var event: FeedEvent<Post> {
    switch self {
    case .posted(let post): .insert(post)
    case .edited(let post): .upsert(post)
    case .removed(let id): .delete(id)
    case .somethingElse: .invalidate
    }
  }
}
// snippet.hide

struct API: Sendable {
  func connect() async throws -> AsyncThrowingStream<Message, any Error> {
    AsyncThrowingStream { $0.finish() }
  }
}

let api = API()

func follow(_ feed: FeedController<Post>) async throws {
  // snippet.follow
  while !Task.isCancelled {
    do {
      let messages = try await api.connect()  // before the refresh: nothing is missed
      try await feed.follow(messages.map(\.event))  // refreshes, then takes in each event
    } catch {
      print("The connection is lost: \(error)")
    }
    try await Task.sleep(for: .seconds(5))
  }
  // snippet.hide
}

@MainActor
func receive(_ feed: FeedController<Post>, _ post: Post) {
  // snippet.receive
  feed.receive(.upsert(post))  // from a push notification, for example
  // snippet.hide
}

@MainActor
func make(_ source: ClosureSource<Post, Int>) -> FeedController<Post> {
  // snippet.order
  let feed = FeedController(source, sortedBy: { $0.id > $1.id })
  // snippet.hide
  return feed
}
