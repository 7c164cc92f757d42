// Items in memory as live results.

import Foundation
import Freshet

struct Todo: ListItem {
  let id: Int
  var title: String
  var isDone = false
}

// snippet.show
let todos = MemoryStore([Todo(id: 1, title: "Buy milk"), Todo(id: 2, title: "Call Ann")])
let open = LiveResults(store: todos, arrangement: .sorted(by: \.title))
await open.fetch(.init { !$0.isDone })

try await todos.write(inserting: [Todo(id: 3, title: "Answer Bob")])
try await todos.write(updating: [Todo(id: 1, title: "Buy milk", isDone: true)], deleting: [2])
for await update in open.updates {
  print(update.value.items.map(\.title), update.changes)
  if update.after.count == 1 { break }  // it follows the store for as long as somebody asks
}
// snippet.hide
