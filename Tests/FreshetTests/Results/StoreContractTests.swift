@testable import Freshet
import FreshetTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StoreContractTests {
  typealias Request = MemoryStore<Post>.Request

  func contract<Store: WritableDataStore>(
    _: Store.Type = Store.self
  ) -> StoreContract<Store> where Store.Item == Post, Store.Request == Request {
    StoreContract(
      asking: .all,
      or: [.init(.init { $0.version % 2 == 0 }) { $0.version % 2 == 0 }]
    ) { Post(id: $0, version: $1) }
  }

  @Test
  func `a store in memory is a store`() async throws {
    try await contract(MemoryStore<Post>.self).check(rounds: 100) { MemoryStore() }
    try await contract(MemoryStore<Post>.self).checkNotes { MemoryStore() }
  }

  @Test
  func `a draft is a store`() async throws {
    try await contract(Draft<Post, Request>.self).check(rounds: 100) { Draft(of: MemoryStore()) }
    try await contract(Draft<Post, Request>.self).check(rounds: 20) {
      Draft(of: Draft(of: MemoryStore()))
    }
  }

  /// A store that forgets to tell of deletions.
  struct ForgetfulStore: WritableDataStore {
    let store = MemoryStore<Post>()
    func execute(_ query: DataStoreQuery<Post, Request>) async throws {
      let below = DataStoreQuery<Post, Request>(query.request) { changes, status in
        query.enqueue(changes.upserted, as: .insert)
        if status.isComplete { query.finishInitialResults() }
      }
      below.processesChangesImmediately = true
      try await store.execute(below)
    }
    func write(_ changes: ChangeBatch<Post>) async throws { try await store.write(changes) }
  }

  @Test
  func `a store that forgets something is found out`() async throws {
    let contract = StoreContract<ForgetfulStore>(asking: .all, patience: .milliseconds(200)) {
      Post(id: $0, version: $1)
    }
    await #expect(throws: ContractViolation.self) {
      try await contract.check { ForgetfulStore() }
    }
  }

  /// What a store does wrong while something is wrong.
  enum Fault: CaseIterable {
    case none, hidesInterruption, hidesInvalidRow, dropsRows, staysInterrupted, missesDeletions
    case throwsInstead

    /// What the violation says.
    var words: String? {
      switch self {
      case .none: nil
      case .hidesInterruption:
        "nothing arrives: the query Request: an interruption was not reported"
      case .hidesInvalidRow:
        "a row is spoiled: the query Request: one invalid item was not reported"
      case .dropsRows: "nothing arrives: rows went or changed: [:]"
      case .staysInterrupted: "nothing that is wrong was not reported"
      case .missesDeletions: "unexpected 2;"
      case .throwsInstead: "`execute` threw CancellationError()"
      }
    }
  }

  /// A store in memory that others interrupt and spoil, and that says so or not.
  final class TroubledStore: WritableDataStore {
    struct Request: Sendable, CustomStringConvertible { let description = "Request" }
    struct Trouble {
      var isInterrupted = false
      var hasSpoiledRow = false
    }

    let store = MemoryStore<Post>()
    let fault: Fault
    private let trouble = Locked(Trouble())
    private let changes: AsyncStream<Trouble>
    private let change: AsyncStream<Trouble>.Continuation

    init(_ fault: Fault) {
      self.fault = fault
      (changes, change) = AsyncStream.makeStream()
    }

    func suffer(_ body: (inout Trouble) -> Void) {
      change.yield(
        trouble.withLock {
          body(&$0)
          return $0
        })
    }

    func execute(_ query: DataStoreQuery<Post, Request>) async throws {
      let fault = fault
      let below = DataStoreQuery<Post, MemoryStore<Post>.Request>(.all) { changes, status in
        if fault == .missesDeletions, self.trouble.withLock({ $0.isInterrupted }) {
          query.enqueue(changes.upserted, as: .insert)
        } else {
          query.enqueue(changes)
        }
        if status.isComplete { query.finishInitialResults() }
      }
      below.processesChangesImmediately = true
      try await withThrowingTaskGroup { group in
        group.addTask { try await self.store.execute(below) }
        group.addTask {
          for await trouble in self.changes {
            if trouble.isInterrupted, fault == .throwsInstead { throw CancellationError() }
            if trouble.isInterrupted, fault == .dropsRows {
              var batch = ChangeBatch<Post>()
              for id in 0..<5 { batch.addDeletion(of: id) }
              query.enqueue(batch)
              query.processPendingChanges()
            }
            if trouble.isInterrupted, fault != .hidesInterruption {
              query.interruption = CancellationError()
            } else if fault != .staysInterrupted {
              query.interruption = nil
            }
            let isSpoiled = trouble.hasSpoiledRow && fault != .hidesInvalidRow
            query.report(
              invalidItems: isSpoiled ? 1 : 0, first: isSpoiled ? CancellationError() : nil)
          }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }

    func write(_ changes: ChangeBatch<Post>) async throws { try await store.write(changes) }
  }

  @Test(arguments: Fault.allCases)
  func `S2, S3: a store that hides what is wrong is found out`(fault: Fault) async throws {
    let contract = StoreContract<TroubledStore>(
      asking: .init(), patience: fault == .none ? .seconds(60) : .milliseconds(300)
    ) { Post(id: $0, version: $1) }
    let store = TroubledStore(fault)
    func check() async throws {
      try await contract.checkOutages {
        (
          store,
          [
            .interruption(
              "nothing arrives", begin: { _ in store.suffer { $0.isInterrupted = true } },
              end: { changes in
                try await store.store.write(inserting: [Post(id: 70)], deleting: [2])
                changes.add(Post(id: 70), as: .insert)
                changes.addDeletion(of: 2)
                // Whatever the store reports meanwhile arrives.
                _ = await eventually(within: .milliseconds(20)) { false }
                store.suffer { $0.isInterrupted = false }
              }),
            .invalidRow(
              "a row is spoiled", of: 1,
              begin: { _ in
                store.suffer { $0.hasSpoiledRow = true }
                try await store.store.write(deleting: [1])
              },
              end: { _ in
                store.suffer { $0.hasSpoiledRow = false }
                try await store.store.write(inserting: [Post(id: 1)])
              }),
            .change("nothing happens") { _ in },
          ]
        )
      }
    }
    guard let words = fault.words else { return try await check() }
    let violation = await #expect(throws: ContractViolation.self) { try await check() }
    let text = "\(try #require(violation))"
    #expect(text.contains(words), "\(text)")
  }
}
