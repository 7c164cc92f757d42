import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A shared outbox, and the processes that have it open; an instance stands for each.
struct OutboxProcesses {
  let server = MutationServer()
  let directory = TemporaryDirectory()
  var storage: OutboxStorage { .file("outbox", isShared: true, in: directory.url) }
  var folder: URL { get throws { try #require(storage.folder) } }

  /// The names of the files that wait to be imported.
  var deliveries: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasPrefix("delivery-")
      }
    }
  }

  /// Opens the outbox as one more process, which looks for changes only when it is told to.
  func open(_ prepare: (Outbox) -> Void = { _ in }) async -> Outbox {
    let outbox = Outbox(server, storage)
    prepare(outbox)
    await outbox.loaded()
    return outbox
  }

  /// Applies the changes of others, and stores them.
  func poll(_ outbox: Outbox) async throws {
    outbox.poll()
    // A poll may follow what is stored.
    try await outbox.written()
    try await outbox.written()
  }
}
