import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Random histories of several processes that have one outbox open.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct OutboxProcessHistoryTests {
  /// A process, and what it performed in its life.
  private final class Process {
    let outbox: Outbox
    let feed: Feed<Post>
    var isInBackground = false

    init(_ server: MutationServer, _ storage: OutboxStorage) async {
      feed = Feed(ScriptedServer((0..<3).map { Post(id: $0) }).source(.cursor))
      await feed.refresh()
      outbox = Outbox(server, storage)
      outbox.attach(feed)
      await outbox.loaded()
    }
  }

  @Test(arguments: SeededGenerator.seeds(200))
  func `O2, O3: whatever processes do, each mutation is applied once, in the order of its process`(
    seed: Int
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let (server, directory) = (MutationServer(), TemporaryDirectory())
    let storage = OutboxStorage.file("outbox", isShared: true, in: directory.url)
    var processes: [Process] = []
    var version = 0
    /// The mutations of each life of a process and of each item, in their order.
    var performed: [[String]] = []
    var places: [ObjectIdentifier: [Int: Int]] = [:]
    for _ in 0..<40 {
      if processes.isEmpty || processes.count < 3 && Int.random(in: 0..<6, using: &random) == 0 {
        processes.append(await Process(server, storage))
      }
      let index = Int.random(in: processes.indices, using: &random)
      let process = processes[index]
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<5:
        let target = Int.random(in: 0..<3, using: &random)
        version += 1
        try await process.outbox.perform(Revise(target: target, version: version))
        let id = ObjectIdentifier(process)
        let place = places[id]?[target] ?? performed.count
        if place == performed.count { performed.append([]) }
        places[id, default: [:]][target] = place
        performed[place].append("revise \(target) v\(version)")
      case 5..<8: process.outbox.poll()
      case 8:
        await process.outbox.enterBackground()
        process.isInBackground = true
      case 9:
        process.outbox.enterForeground()
        process.isInBackground = false
      case 10: if Bool.random(using: &random) { server.close() } else { server.open() }
      default:
        places[ObjectIdentifier(process)] = nil
        processes.remove(at: index)
      }
    }
    server.open()
    if processes.isEmpty { processes.append(await Process(server, storage)) }
    for process in processes where process.isInBackground { process.outbox.enterForeground() }
    let all = performed.flatMap(\.self)
    let folder = try #require(storage.folder)
    let isSent = await eventually {
      for process in processes { process.outbox.poll() }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return !names.contains { $0.hasPrefix("delivery-") }
        && processes.allSatisfy { $0.outbox.status.mutations.isEmpty }
        && server.applied.count >= all.count
    }
    #expect(isSent, "\(processes.map(\.outbox.status)) \(server.applied) \(all)")
    let applied = server.applied
    #expect(applied.count == all.count && Set(applied) == Set(all))
    for one in performed { #expect(applied.filter(one.contains) == one) }
    #expect(processes.count { $0.outbox.status.isSender } == 1)
    // No edit is left that nobody confirms or undoes.
    for process in processes {
      #expect(await eventually { process.outbox.state.withLock(\.displayed).isEmpty })
    }
  }
}
