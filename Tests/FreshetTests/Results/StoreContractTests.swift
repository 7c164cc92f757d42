import Freshet
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
}
