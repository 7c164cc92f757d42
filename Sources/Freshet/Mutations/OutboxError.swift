public import Foundation

/// Why an outbox did not accept or store a mutation.
@nonexhaustive
public enum OutboxError: Error, Equatable, Sendable {
  /// The outbox holds as many mutations as it may.
  case full(limit: Int)
  /// The mutation, or all mutations together, would take more than `limit` bytes.
  case tooLarge(limit: Int)
  /// The mutation contradicts itself or the one that it replaces.
  case invalid(reason: String)
  /// There is no sender for mutations of this name, or the stored mutation cannot be read.
  case unreadable(name: String)
  /// Another process, or another outbox of this one, has the outbox open, and it is not shared.
  case inUse(path: String)
  /// The file system did not store it; `reason` says why.
  case notStored(reason: String)
  /// The mutation is being sent, so it cannot be changed or discarded.
  case sending
  /// Another process sends the mutations of the shared outbox, and may be sending this one.
  case sentElsewhere
  /// There is no such mutation any more.
  case noSuchMutation
  /// The account signed out with `signOut(_:)`, so this outbox accepts nothing more.
  case signedOut

  var isUnreadable: Bool { if case .unreadable = self { true } else { false } }
}

extension OutboxError: LocalizedError, CustomStringConvertible {
  /// A sentence for the user.
  public var errorDescription: String? {
    switch self {
    case .full, .tooLarge:
      AlertText.localized("outbox.full", "Too many changes are waiting to be sent.")
    case .invalid: AlertText.localized("outbox.invalid", "The change is not possible.")
    case .unreadable:
      AlertText.localized(
        "outbox.unreadable", "This version of the app cannot send this change.")
    case .inUse, .notStored:
      AlertText.localized("outbox.notStored", "The change could not be saved on this device.")
    case .sending, .sentElsewhere:
      AlertText.localized("outbox.sending", "The change is being sent.")
    case .noSuchMutation: AlertText.localized("outbox.sent", "The change was sent already.")
    case .signedOut: AlertText.localized("outbox.signedOut", "You are signed out.")
    }
  }

  /// A suggestion for the user; `nil` if there is nothing to do.
  public var recoverySuggestion: String? {
    switch self {
    case .full, .tooLarge:
      AlertText.localized("outbox.full.advice", "Try again once you are connected to the internet.")
    case .unreadable:
      AlertText.localized("outbox.unreadable.advice", "Look for a new version of this app.")
    case .notStored:
      AlertText.localized("outbox.notStored.advice", "Check the free space, then try again.")
    case .signedOut:
      AlertText.localized("outbox.signedOut.advice", "Sign in, then try again.")
    case .sending, .sentElsewhere, .noSuchMutation, .inUse, .invalid: nil
    }
  }

  /// One line for a log.
  public var description: String {
    switch self {
    case .full(let limit):
      "the outbox is full: it holds \(limit) mutations at most; wait until some are sent"
    case .tooLarge(let limit):
      "the mutations would take more than \(limit) bytes; wait until some are sent, or send less"
    case .invalid(let reason): reason
    case .unreadable(let name):
      "there is no sender for mutations named \(name), or they are unreadable"
    case .inUse(let path):
      "another outbox has \(path) open; give each process an outbox of its own, or share it with "
        + "isShared: true"
    case .notStored(let reason): "the mutation was not stored: \(reason)"
    case .sending: "the mutation is being sent; wait for the answer"
    case .sentElsewhere:
      "another process sends the mutations; do it there, or once that process has ended"
    case .noSuchMutation: "there is no such mutation in the outbox"
    case .signedOut: "the account signed out; open an outbox for the account that signs in"
    }
  }
}
