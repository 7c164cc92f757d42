public import FreshetLists
public import struct Foundation.Date

/// What an outbox holds: the mutations that are not answered yet, in the order they were performed.
public struct OutboxStatus: Equatable, Sendable {
  /// The mutations, in the order in which they were performed.
  public var mutations: [PendingMutation] = []
  /// Whether nothing is sent, after `pause()`.
  public var isPaused = false
  /// Whether this process sends the mutations.
  ///
  /// Of the processes that share an outbox, only one does, and none that is in the background.
  public var isSender = true
  /// Why the outbox cannot store mutations; `nil` if it can.
  public var failure: ErrorNotice?
  /// The number of bytes of its file that were damaged, and set aside when it was opened.
  public var damagedBytes = 0

  /// Those that are sent without further action of the user.
  public var pending: [PendingMutation] { mutations.filter { $0.failure == nil } }
  /// Those that wait for the user, as they failed for good.
  public var failed: [PendingMutation] { mutations.filter { $0.failure != nil } }
}

/// A mutation that its source has not answered yet.
public struct PendingMutation: Identifiable, Equatable, Sendable {
  /// What becomes of it.
  @nonexhaustive
  public enum Progress: Equatable, Sendable {
    /// It waits for those before it in its lane, for the network, or to be stored.
    case waiting
    /// It is being sent.
    case sending
    /// An attempt failed, and another one follows.
    case retrying(ErrorNotice)
    /// It failed for good, and stops its lane until it is retried, replaced or discarded.
    case failed(ErrorNotice)
  }

  let stored: OutboxMutation
  /// Whether it waits, is being sent, or failed.
  public let progress: Progress
  /// How often it was sent, as far as it is known after a relaunch.
  public let attempts: Int

  /// The id of the mutation, which stays the same.
  public var id: String { stored.id }
  /// The name of its type.
  public var name: String { stored.name }
  /// The name of the type of its item.
  public var itemName: String { stored.target.itemName }
  /// The id of its item, in JSON.
  public var itemID: String { stored.target.id }
  /// The time at which it was performed.
  public var performedAt: Date { stored.performedAt }
  /// Why it failed for good; `nil` if it did not.
  public var failure: ErrorNotice? {
    if case .failed(let notice) = progress { notice } else { nil }
  }

  /// Returns the mutation, if it is of this type and can be read.
  public func mutation<Performed: Mutation>(as type: Performed.Type) -> Performed? {
    name == type.name ? try? stored.decoded(as: type) : nil
  }

  /// Returns whether it changes an item.
  public func changes<Item: ListItem>(_ id: Item.ID, of type: Item.Type) -> Bool
  where Item.ID: Encodable {
    let id = try? OutboxMutation.encode(id)
    return id.map { MutationTarget(itemName: "\(type)", id: $0) } == stored.target
  }

  init(_ entry: OutboxQueue.Entry) {
    stored = entry.mutation
    attempts = entry.attempts
    progress =
      switch entry.progress {
      case .storing, .waiting: .waiting
      case .sending: .sending
      case .retrying(let failure): .retrying(failure.notice)
      case .failed(let failure): .failed(failure.notice)
      }
  }
}
