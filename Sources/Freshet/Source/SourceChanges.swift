internal import FreshetLists

/// The changes that a source of pages reports by itself, to the feeds that follow it.
///
/// ```swift
/// let quakes = FeedController(source)
/// let following = Task { try await quakes.follow(source.changes()) }
/// ```
///
/// A source such as `SQLiteFeedSource` creates it. Several feeds can follow one value, and the
/// source looks up each change once for all of them.
public struct SourceChanges<Item: ListItem>: Sendable {
  private let hub: SourceChangeHub<Item>
  private let begin: @Sendable () async throws -> Void
  private let whileFollowed: @Sendable () async throws -> Void
  private let end: @Sendable () -> Void
  private let rows: @Sendable ([Bounds]) async throws -> (items: [[Item]], version: Int)

  /// The keys of the pages around consecutive rows; `nil` at an end of the list.
  package typealias Bounds = (above: KeysetKey?, below: KeysetKey?)

  /// Creates the changes that a hub reports.
  ///
  /// - Parameters:
  ///   - begin: begins to report, for each follower, before it reads its first page.
  ///   - whileFollowed: work to do until the follower leaves; it may return earlier.
  ///   - end: runs after the follower left.
  ///   - rows: reads all rows within bounds, with the number of the source's state before.
  package init(
    _ hub: SourceChangeHub<Item>, begin: @escaping @Sendable () async throws -> Void = {},
    whileFollowed: @escaping @Sendable () async throws -> Void = {},
    end: @escaping @Sendable () -> Void = {},
    rows: @escaping @Sendable ([Bounds]) async throws -> (items: [[Item]], version: Int)
  ) {
    (self.hub, self.begin, self.whileFollowed, self.end) = (hub, begin, whileFollowed, end)
    self.rows = rows
  }

  /// Reads the rows of segments again; returns `nil` if the bounds of one are not known.
  func rows(
    of segments: [Timeline.Segment]
  ) async throws -> (items: [[AnyItem]], version: Int)? {
    guard segments.allSatisfy(\.isBounded) else { return nil }
    let bounds = try segments.map { segment in
      (
        above: try segment.previous?.decoded(as: KeysetKey.self),
        below: try segment.next?.decoded(as: KeysetKey.self)
      )
    }
    let read = try await rows(bounds)
    return (read.items.map { $0.map { AnyItem($0) } }, read.version)
  }

  /// Reports changes to a closure, until the task is cancelled.
  ///
  /// - Parameter body: runs once the changes are reported.
  func follow(
    _ receive: @escaping @Sendable (PlacedChanges<Item>) -> Void,
    then body: () async throws -> Void
  ) async throws {
    let number = hub.add(receive)
    defer {
      hub.remove(number)
      end()
    }
    try await begin()
    try await body()
    try await whileFollowed()
    for await _ in AsyncStream<Never>(Never.self, { _ in }) {}
  }
}

/// The feeds that follow a source, and the number of its state.
///
/// A page has the number of the state before it was read. It may therefore include the changes of
/// one state more, which are then applied again without an effect.
package final class SourceChangeHub<Item: ListItem>: Sendable {
  private struct State {
    var version = 0
    var lastNumber = 0
    var receivers: [Int: @Sendable (PlacedChanges<Item>) -> Void] = [:]
  }

  private let state = Locked(State())

  /// Creates a hub without followers.
  package init() {}

  /// The number of the state that all followers know.
  package var version: Int { state.withLock { $0.version } }

  /// Whether a feed follows the source.
  package var isFollowed: Bool { state.withLock { !$0.receivers.isEmpty } }

  /// Reports changes to all followers, on the caller's thread.
  ///
  /// Calls must not overlap. A page has the new number only after all followers were notified.
  ///
  /// - Complexity: O(followers × (changes + log *n*)) for feeds of *n* rows.
  package func publish(_ changes: PlacedChanges<Item>) {
    let (version, receivers) = state.withLock { ($0.version + 1, $0.receivers.values.map { $0 }) }
    var changes = changes
    changes.version = version
    for receive in receivers { receive(changes) }
    state.withLock { $0.version = version }
  }

  fileprivate func add(_ receive: @escaping @Sendable (PlacedChanges<Item>) -> Void) -> Int {
    state.withLock { state in
      state.lastNumber += 1
      state.receivers[state.lastNumber] = receive
      return state.lastNumber
    }
  }

  fileprivate func remove(_ number: Int) {
    state.withLock { _ = $0.receivers.removeValue(forKey: number) }
  }
}
