import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Mutations that name items which others create.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct OutboxReferenceTests {
  private let server = MutationServer()
  private let directory = TemporaryDirectory()
  private var storage: OutboxStorage { .file("outbox", in: directory.url) }

  @Test
  func `O2: a mutation that names a new item waits for it, and gets the server's id`()
    async throws
  {
    let outbox = Outbox(server)
    server.close()
    try await outbox.perform(Create(target: -1))
    try await outbox.perform(AddNote(target: "new", post: -1, others: [7, -1], last: -1))
    try await outbox.perform(EditNote(target: "new"))
    try await outbox.perform(AddNote(target: "other", post: 3))
    #expect(await eventually { server.waiting == 2 })
    #expect(outbox.status.mutations.map(\.progress) == [.sending, .waiting, .waiting, .sending])
    server.open()
    #expect(await outbox.isEmptied())
    let chain = server.applied.filter { $0 != "note on 3" }
    #expect(chain.count == 3 && chain[0] == "create v1")
    let id = chain[1].split(separator: " ")[2]
    #expect(chain[1] == "note on \(id) 7 \(id) \(id)" && Int(id) ?? 0 > 1_000)
    #expect(chain[2].hasPrefix("edit note 1"))
    // A late mutation that names the temporary id gets the server's, too.
    try await outbox.perform(AddNote(target: "late", post: -1))
    #expect(await outbox.isEmptied())
    #expect(server.applied.last == "note on \(id)")
  }

  @Test
  func `O2: ids inside mutations are replaced across relaunches`() async throws {
    var outbox: Outbox? = Outbox(server, storage)
    server.close()
    try await outbox?.perform(Create(target: -1))
    #expect(await eventually { server.waiting == 1 })
    try await outbox?.perform(AddNote(target: "new", post: -1))
    try await outbox?.signOut(.keep)
    server.open()
    outbox = Outbox(server, storage)
    try await outbox?.written()
    #expect(await outbox?.isEmptied() == true)
    #expect(server.applied == ["create v1", "note on 1001"])
    try await outbox?.signOut(.keep)
    outbox = Outbox(server, storage)
    try await outbox?.written()
    try await outbox?.perform(AddNote(target: "late", post: -1))
    #expect(await outbox?.isEmptied() == true)
    #expect(server.applied.last == "note on 1001")
  }

  @Test
  func `types of an app are free to use the outbox`() async throws {
    struct Probe: Mutation {
      static let outbox = Locked<Outbox?>(nil)
      var target: Int
      func edit() -> ItemEdit<Post> {
        _ = Self.outbox.withLock { $0 }?.status
        return .update { _ in }
      }
    }
    let server = server
    let outbox = Outbox(.memory, isPaused: true) {
      Sender(Create.self) { _, attempt in Post(id: try await server.receive("create", attempt)) }
      Sender(Probe.self) { probe, attempt in
        _ = try await server.receive("probe \(probe.target)", attempt)
      }
    }
    Probe.outbox.withLock { $0 = outbox }
    try await outbox.perform(Create(target: -1))
    let probe = try await outbox.perform(Probe(target: -1))
    try await outbox.replace(probe.id, with: Probe(target: -1))
    outbox.resume()
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["create", "probe 1001"])
    Probe.outbox.withLock { $0 = nil }
  }

  @Test
  func `O9: discarding a creation discards all that names its item, and what names that`()
    async throws
  {
    let outbox = Outbox(server, isPaused: true)
    try await outbox.perform(Create(target: -1))
    try await outbox.perform(AddNote(target: "new", post: -1))
    try await outbox.perform(AddNote(target: "other", post: 3))
    try await outbox.perform(EditNote(target: "new"))
    try await outbox.discard(try #require(outbox.status.mutations.first?.id))
    #expect(outbox.status.mutations.count == 1)
    outbox.resume()
    #expect(await outbox.isEmptied())
    #expect(server.applied == ["note on 3"])
  }

  @Test(arguments: SeededGenerator.seeds(40))
  func `O2: nothing is sent with a temporary id, in whatever order answers arrive`(seed: Int)
    async throws
  {
    var random = SeededGenerator(seed: seed)
    let server = MutationServer()
    let outbox = Outbox(server)
    var created: [Int] = []
    for step in 1...20 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: random.oneIn(2) ? server.close() : server.open()
      case 1: server.fail(with: URLError(.networkConnectionLost))
      case 2:
        created.append(-step)
        try await outbox.perform(Create(target: -step))
      default:
        guard let post = created.randomElement(using: &random) else { continue }
        let others = created.filter { _ in random.oneIn(3) }
        try await outbox.perform(AddNote(target: "\(step)", post: post, others: others))
      }
    }
    server.open()
    let isEmptied = await eventually {
      outbox.resume()
      return outbox.status.mutations.isEmpty
    }
    #expect(isEmptied, "seed \(seed)")
    #expect(server.applied.allSatisfy { !$0.contains("-") }, "seed \(seed): \(server.applied)")
  }
}
