import Foundation
import FreshetTesting

@testable import Freshet

/// A change of a post's version.
struct Revise: Mutation {
  var target: Int
  var version: Int
  func edit() -> ItemEdit<Post> {
    .update { [version] in $0.version = version }
  }
}

/// A new post, under an id that the server replaces.
struct Create: Mutation {
  var target: Int
  var version = 1
  func edit() -> ItemEdit<Post> { .insert(Post(id: target, version: version)) }
}

struct Delete: Mutation {
  var target: Int
  func edit() -> ItemEdit<Post> { .delete }
}

/// A move of a post by hand.
struct Move: Mutation {
  var target: Int
  var other: Int?
  /// The moves of a list depend on each other.
  var lane: String? { "order" }
  func edit() -> ItemEdit<Post> { .move(after: other) }
}

/// A note that refers to posts.
struct Note: ListItem, Codable {
  let id: String
  var post: Int
}

struct AddNote: Mutation {
  var target: String
  var post: Int
  var others: [Int] = []
  var last: Int?
  static var references: [ItemReference<Self>] {
    [
      ItemReference(\.post, to: Post.self), ItemReference(\.others, to: Post.self),
      ItemReference(\.last, to: Post.self),
    ]
  }
  func edit() -> ItemEdit<Note> { .insert(Note(id: target, post: post)) }
}

struct EditNote: Mutation {
  var target: String
  func edit() -> ItemEdit<Note> { .update { _ in } }
}

/// A switch of a post: turned on and off again, it is as before.
struct Switch: Mutation {
  var target: Int
  var isOn: Bool
  func edit() -> ItemEdit<Post> { .update { [isOn] in $0.version = isOn ? 1 : 0 } }
  func merging(_ earlier: Switch) -> MutationMerge<Switch> {
    earlier.isOn == isOn ? .replacement(self) : .cancellation
  }
}

/// A server's request to wait.
struct Busy: LoadFailure {
  var retryAfter: Duration?
  var isTransient: Bool { true }
}

/// A server that applies each mutation once, by its key, and can be told to fail.
final class MutationServer: Sendable {
  struct State {
    /// What was applied, in its order.
    var applied: [String] = []
    var keys: [String: Int] = [:]
    /// All attempts, by their keys.
    var attempts: [String: [Int]] = [:]
    var failures: [any Error] = []
    /// Whether attempts wait until `open()`.
    var isClosed = false
    var waiting: [CheckedContinuation<Void, Never>] = []
    var nextID = 1_000
  }
  private let state = Locked(State())

  var applied: [String] { state.withLock { $0.applied } }
  var attempts: [[Int]] { state.withLock { $0.attempts.values.map { $0 } } }
  var waiting: Int { state.withLock { $0.waiting.count } }

  func fail(with errors: any Error...) { state.withLock { $0.failures += errors } }
  func close() { state.withLock { $0.isClosed = true } }
  func open() {
    let waiting = state.withLock { state in
      state.isClosed = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Applies what was sent, unless it was applied under this key before.
  ///
  /// - Returns: a number of its own for each key.
  func receive(_ text: String, _ attempt: SendAttempt) async throws -> Int {
    await withCheckedContinuation { continuation in
      let waits = state.withLock { state in
        state.attempts[attempt.idempotencyKey, default: []].append(attempt.number)
        if state.isClosed { state.waiting.append(continuation) }
        return state.isClosed
      }
      if !waits { continuation.resume() }
    }
    return try state.withLock { state in
      if !state.failures.isEmpty { throw state.failures.removeFirst() }
      if let id = state.keys[attempt.idempotencyKey] { return id }
      state.applied.append(text)
      state.nextID += 1
      state.keys[attempt.idempotencyKey] = state.nextID
      return state.nextID
    }
  }

  var senders: [Sender] {
    [
      Sender(Revise.self) { [self] revise, attempt in
        _ = try await receive("revise \(revise.target) v\(revise.version)", attempt)
        return Post(id: revise.target, version: revise.version)
      },
      Sender(Create.self) { [self] create, attempt in
        let id = try await receive("create v\(create.version)", attempt)
        return Post(id: id, version: create.version)
      },
      Sender(Delete.self) { [self] delete, attempt in
        _ = try await receive("delete \(delete.target)", attempt)
      },
      Sender(AddNote.self) { [self] note, attempt in
        let names = [note.post] + note.others + [note.last].compactMap(\.self)
        let id = try await receive(
          "note on \(names.map(String.init).joined(separator: " "))", attempt)
        return Note(id: "note \(id)", post: note.post)
      },
      Sender(EditNote.self) { [self] edit, attempt in
        _ = try await receive("edit \(edit.target)", attempt)
      },
      Sender(Switch.self) { [self] change, attempt in
        _ = try await receive("switch \(change.target) \(change.isOn ? "on" : "off")", attempt)
      },
      Sender(Move.self) { [self] move, attempt in
        _ = try await receive(
          "move \(move.target) after \(move.other.map(String.init) ?? "none")", attempt)
      },
    ]
  }
}

extension Outbox {
  convenience init(
    _ server: MutationServer, _ storage: OutboxStorage = .memory, limit: Int = 1_000,
    isPaused: Bool = false, clock: any Clock<Duration> = ManualClock()
  ) {
    self.init(
      storage, retryPolicy: RetryPolicy(attempts: 3, base: .seconds(1), limit: .seconds(60)),
      limit: limit, byteLimit: 1 << 20, isPaused: isPaused, clock: clock,
      now: { Date(timeIntervalSince1970: 0) },
      senders: server.senders)
  }

  /// Whether its first mutation waits for another attempt in the end, after this many.
  func isRetrying(after attempts: Int) async -> Bool {
    await eventually {
      guard let first = self.status.mutations.first, case .retrying(let notice) = first.progress
      else { return false }
      return first.attempts == attempts && notice.isRetriedByItself
    }
  }

  /// Whether everything was answered in the end.
  func isEmptied() async -> Bool { await eventually { self.status.mutations.isEmpty } }
}
