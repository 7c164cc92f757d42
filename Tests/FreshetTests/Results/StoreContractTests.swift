@testable import Freshet
import FreshetTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
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

  /// A store in memory whose rows can be hidden for a while, and that says so or not.
  final class TroubledStore: WritableDataStore {
    let store = MemoryStore<Post>()
    let trouble = Locked<(interruption: Bool, spoiled: Int?)>((false, nil))
    let isHonest: Bool

    init(isHonest: Bool) { self.isHonest = isHonest }

    func execute(_ query: DataStoreQuery<Post, Request>) async throws {
      let below = DataStoreQuery<Post, Request>(query.request) { changes, status in
        query.enqueue(changes)
        if status.isComplete { query.finishInitialResults() }
      }
      below.processesChangesImmediately = true
      try await withThrowingTaskGroup { group in
        group.addTask { try await self.store.execute(below) }
        group.addTask {
          while true {
            try await Task.sleep(for: .milliseconds(2))
            let (isInterrupted, spoiled) = self.trouble.withLock { $0 }
            if self.isHonest { query.interruption = isInterrupted ? CancellationError() : nil }
            query.report(
              invalidItems: spoiled == nil ? 0 : 1, first: spoiled.map { _ in CancellationError() })
          }
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
    func write(_ changes: ChangeBatch<Post>) async throws { try await store.write(changes) }
  }

  @Test(arguments: [true, false])
  func `S2, S3: a store that hides what is wrong is found out`(isHonest: Bool) async throws {
    let contract = StoreContract<TroubledStore>(asking: .all, patience: .milliseconds(500)) {
      Post(id: $0, version: $1)
    }
    let store = TroubledStore(isHonest: isHonest)
    func check() async throws {
      try await contract.checkOutages {
        (
          store,
          [
            .interruption(
              "nothing arrives",
              begin: {
                store.trouble.withLock { $0.interruption = true }
                return []
              },
              end: {
                store.trouble.withLock { $0.interruption = false }
                try await store.store.write(inserting: [Post(id: 70)])
                return [Post(id: 70)]
              }),
            .invalidRow(
              "a row is spoiled", of: 1,
              begin: {
                store.trouble.withLock { $0.spoiled = 1 }
                try await store.store.write(deleting: [1])
                return []
              },
              end: {
                store.trouble.withLock { $0.spoiled = nil }
                try await store.store.write(inserting: [Post(id: 1)])
                return []
              }),
            .change("nothing happens") { [] },
          ]
        )
      }
    }
    if isHonest {
      try await check()
    } else {
      let violation = await #expect(throws: ContractViolation.self) { try await check() }
      #expect("\(try #require(violation))".contains("nothing arrives"))
    }
  }
}
