// A store of one's own: tasks on a server that tells of changes.

import Freshet
import FreshetTesting

// snippet.store
struct Todo: ListItem, Codable {
  let id: Int
  var list: String
  var title: String
}

/// The tasks of a list; `nil` for all of them.
struct TodoStore: WritableDataStore {
  let server: TodoServer

  func execute(_ query: DataStoreQuery<Todo, String?>) async throws {
    let events = await server.events()  // listen first, then ask: nothing is missed in between
    query.enqueue(await server.todos.filter { asks(query.request, for: $0) }, as: .insert)
    query.finishInitialResults()
    for await changed in events {
      var batch = ChangeBatch<Todo>()  // what changed together shows together
      for (id, todo) in changed {
        if let todo, asks(query.request, for: todo) {
          batch.add(todo, as: .update)
        } else {
          batch.addDeletion(of: id)  // it went, or is not asked for any more
        }
      }
      query.enqueue(batch)
    }
  }

  func write(_ changes: ChangeBatch<Todo>) async throws {
    await server.put(changes.upserted, deleting: changes.deleted)
  }

  func isIncluded(_ todo: Todo, in list: String?) -> Bool? { asks(list, for: todo) }

  private func asks(_ list: String?, for todo: Todo) -> Bool { list == nil || todo.list == list }
}
// snippet.hide

/// Stands for a server: it tells everyone who listens what changed.
actor TodoServer {
  private var items: [Int: Todo] = [:]
  private var listeners: [AsyncStream<[(Int, Todo?)]>.Continuation] = []

  var todos: [Todo] { Array(items.values) }

  func events() -> AsyncStream<[(Int, Todo?)]> {
    let (stream, continuation) = AsyncStream<[(Int, Todo?)]>.makeStream()
    listeners.append(continuation)
    return stream
  }

  func put(_ todos: [Todo], deleting ids: [Int]) {
    for id in ids { items[id] = nil }
    for todo in todos { items[todo.id] = todo }
    let changed = ids.map { ($0, Todo?.none) } + todos.map { ($0.id, $0) }
    for listener in listeners { listener.yield(changed) }
  }
}

@MainActor
func show(_ server: TodoServer) {
  // snippet.use
  let store = TodoStore(server: server)
  let results = ResultsController(store: store, arrangement: .sorted(by: \.title))
  results.performFetch("Shopping")
  // snippet.hide
}

// snippet.contract
let contract = StoreContract<TodoStore>(
  asking: nil, or: [.init("home") { $0.list == "home" }]
) { number, version in
  Todo(
    id: number, list: (number + version).isMultiple(of: 2) ? "home" : "work", title: "\(version)")
}
try await contract.check { TodoStore(server: TodoServer()) }
// snippet.outages
try await contract.checkOutages {
  let server = TodoServer()
  let change = StoreContract<TodoStore>.Outage.change("another program writes") { changes in
    let todo = Todo(id: 100, list: "home", title: "Put by another program")
    await server.put([todo], deleting: [3])
    changes.add(todo, as: .insert)  // what the store has to show now
    changes.addDeletion(of: 3)
  }
  return (TodoStore(server: server), [change])
}
// snippet.hide
print("It is a store.")
