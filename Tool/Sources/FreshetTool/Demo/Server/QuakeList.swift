import ArgumentParser
import Foundation
import Freshet
import FreshetPostgres
import FreshetSQLite

/// The server's list: live results of its store, newest quake first.
///
/// Changes by other writers of the store are seen too.
struct QuakeList: Sendable {
  private let read: @Sendable () -> [ServedQuake]
  private let write: @Sendable (ChangeBatch<ServedQuake>) async throws -> Void
  /// The reasons why the list may be out of date, as they change; `nil` if it is up to date.
  let troubles: AsyncStream<String?>

  init<Store: WritableDataStore>(_ store: Store, all: Store.Request) async throws
  where Store.Item == ServedQuake {
    let results = LiveResults(
      store: store, arrangement: .sorted(by: \.time, .reverse), window: .zero)
    if let failure = await results.fetch(all).failure { throw failure }
    read = { Array(results.value.items) }
    write = { changes in
      try await store.write(changes)
      await Self.wait(for: changes, in: results)
    }
    troubles = AsyncStream { continuation in
      let task = Task {
        var last: String?
        for await value in results.values {
          let trouble = (value.state.failure ?? value.fetchStatus?.interruption).map { "\($0)" }
          if trouble != last { continuation.yield(trouble) }
          last = trouble
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// The quakes, newest first.
  var quakes: [ServedQuake] { read() }

  /// Writes changes, and waits until they are in the list.
  func change(_ changes: ChangeBatch<ServedQuake>) async throws { try await write(changes) }

  /// Replaces all quakes with these.
  func reset(to quakes: [ServedQuake]) async throws {
    var changes = ChangeBatch<ServedQuake>()
    for quake in read() { changes.addDeletion(of: quake.id) }
    for quake in quakes { changes.add(quake, as: .insert) }
    try await write(changes)
  }

  /// Waits until changes are in the list, for about a second at most.
  ///
  /// The wait is limited because another server may have changed the same quakes.
  private static func wait<Request>(
    for changes: ChangeBatch<ServedQuake>, in results: LiveResults<ServedQuake, Request>
  ) async {
    let deadline = ContinuousClock.now + .seconds(1)
    for change in changes.all {
      while await results.item(withID: change.id) != change.item, ContinuousClock.now < deadline {
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
  }
}

/// The store in which the demo's server keeps its quakes.
enum QuakeStoreChoice: ExpressibleByArgument, CustomStringConvertible {
  case memory, sqlite
  case postgres(String)

  init?(argument: String) {
    switch argument {
    case "memory": self = .memory
    case "sqlite": self = .sqlite
    case _ where argument.lowercased().hasPrefix("postgres"): self = .postgres(argument)
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .memory: "memory"
    case .sqlite: "sqlite"
    case .postgres: "postgres"
    }
  }

  /// Opens the store; the file of SQLite is in `folder`.
  func open(in folder: URL) async throws -> QuakeList {
    switch self {
    case .memory: return try await QuakeList(MemoryStore(), all: .all)
    case .sqlite:
      let store = try SQLiteStore(
        at: folder.appending(path: "server/quakes.sqlite"), like: ServedQuake.example)
      return try await QuakeList(store, all: .all)
    case .postgres(let connection):
      let store = PostgresStore<ServedQuake>(connection, table: ServedQuake.databaseTableName)
      try await store.install(creating: ServedQuake.schema)
      return try await QuakeList(store, all: .all)
    }
  }
}
