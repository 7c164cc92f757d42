internal import FreshetLists

internal import Foundation

/// How mutations of one type are sent.
///
/// ```swift
/// let outbox = Outbox(.file("outbox")) {
///   Sender(Like.self) { like, attempt in
///     try await api.like(like.target, idempotencyKey: attempt.idempotencyKey)
///   }
/// }
/// ```
///
/// The closure may be called several times for one mutation, if the connection was lost before the
/// answer arrived, or if the app was ended. Pass the idempotency key on, so that the server applies
/// the mutation once.
///
/// Another attempt follows an error that is transient (``LoadFailure/isTransient``), a `URLError`
/// unless an address, a certificate or a setting is the reason, and an attempt that is not answered
/// in time. If the error asks for a wait (``LoadFailure/retryAfter``), the outbox sends nothing
/// until that has passed. Any other error is final: the mutation and the later ones of its lane
/// wait for the user.
public struct Sender: Sendable {
  /// The name of the mutations.
  let name: String
  /// The time that one attempt may take.
  let timeout: Duration
  let coding: any MutationCoding

  /// Sends mutations of a type.
  ///
  /// If `send` returns the item as the source has it, that item is shown. If the source created it
  /// under another id than the mutation's, that id replaces the temporary one, on screen and in the
  /// mutations that wait. If `send` returns anything else or nothing, the edit stays on screen
  /// until an answer or an event of the source includes it.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - timeout: the time that one attempt may take, on the clock of the outbox; two minutes by
  ///     default. Then its task is cancelled, its answer is ignored, and another attempt follows.
  ///   - send: sends a mutation once.
  public init<Sent: Mutation, Answer: Sendable>(
    _ type: Sent.Type, timeout: Duration = .seconds(120),
    send: @escaping @Sendable (Sent, SendAttempt) async throws -> Answer
  ) {
    (name, self.timeout) = (Sent.name, timeout)
    coding = TypedCoding<Sent> { try await send($0, $1) as? Sent.Item }
  }
}

/// One attempt to send a mutation.
public struct SendAttempt: Sendable, Equatable {
  /// The same text in each attempt to send this mutation, and in no other one.
  public let idempotencyKey: String
  /// The number of attempts before this one, as far as it is known after a relaunch.
  public let number: Int

  /// Creates an attempt, for tests of a sender.
  public init(idempotencyKey: String, number: Int = 0) {
    self.idempotencyKey = idempotencyKey
    self.number = number
  }
}

/// Builds the senders of an outbox.
@resultBuilder
public enum SenderBuilder {
  /// Returns a sender as a list of one.
  public static func buildExpression(_ sender: Sender) -> [Sender] { [sender] }
  /// Returns the senders of all statements.
  public static func buildBlock(_ senders: [Sender]...) -> [Sender] { senders.flatMap(\.self) }
  /// Returns the senders of a condition, if it holds.
  public static func buildOptional(_ senders: [Sender]?) -> [Sender] { senders ?? [] }
  /// Returns the senders of the first branch.
  public static func buildEither(first senders: [Sender]) -> [Sender] { senders }
  /// Returns the senders of the second branch.
  public static func buildEither(second senders: [Sender]) -> [Sender] { senders }
}

/// Reads and sends stored mutations of one type.
protocol MutationCoding: Sendable {
  /// Returns the edit of a mutation, an `ItemEdit` of its item type, and the id of its item.
  func edit(_ stored: OutboxMutation) throws -> (edit: Any, target: Any)
  /// Returns the mutation with the id of an item in place of its temporary id.
  func replacing(
    _ old: MutationTarget, with id: String, in stored: OutboxMutation
  ) throws -> OutboxMutation
  /// Returns what becomes of a mutation and an earlier one of the same item.
  func merged(
    _ later: OutboxMutation, with earlier: OutboxMutation
  ) throws -> MutationMerge<OutboxMutation>
  func send(_ stored: OutboxMutation, _ attempt: SendAttempt) async throws -> MutationAnswer
}

/// The item that the source returned for a mutation.
struct MutationAnswer: Sendable {
  var item: AnyItem?
  /// The id of the item as it is stored.
  var target: String?
}

private struct TypedCoding<Sent: Mutation>: MutationCoding {
  let send: @Sendable (Sent, SendAttempt) async throws -> Sent.Item?

  func edit(_ stored: OutboxMutation) throws -> (edit: Any, target: Any) {
    let mutation = try stored.decoded(as: Sent.self)
    return (mutation.edit(), mutation.target)
  }

  func replacing(
    _ old: MutationTarget, with id: String, in stored: OutboxMutation
  ) throws -> OutboxMutation {
    var mutation = try stored.decoded(as: Sent.self)
    if stored.target == old, !stored.isInsertion {
      mutation.target = try OutboxMutation.decode(Sent.Item.ID.self, from: id)
    }
    for reference in Sent.references where reference.itemName == old.itemName {
      try reference.replace(&mutation, old.id, id)
    }
    return try stored.replaced(by: mutation, isSent: false)
  }

  func merged(
    _ later: OutboxMutation, with earlier: OutboxMutation
  ) throws -> MutationMerge<OutboxMutation> {
    switch try later.decoded(as: Sent.self).merging(try earlier.decoded(as: Sent.self)) {
    case .separate: return .separate
    case .cancellation: return .cancellation
    case .replacement(let mutation):
      let merged = try earlier.replaced(by: mutation, isSent: false)
      guard merged.target == earlier.target, merged.lane == earlier.lane, !merged.isInsertion else {
        throw OutboxError.invalid(
          reason: "the merged \(Sent.name) is not of the same item and lane")
      }
      return .replacement(merged)
    }
  }

  func send(_ stored: OutboxMutation, _ attempt: SendAttempt) async throws -> MutationAnswer {
    let item = try await send(try stored.decoded(as: Sent.self), attempt)
    return MutationAnswer(
      item: item.map { AnyItem($0) }, target: try item.map { try OutboxMutation.encode($0.id) })
  }
}
