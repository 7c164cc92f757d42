// A table of FeedCache, moved here: pages by number, first-page cache deletion, a delegate.

import Foundation
import Freshet

struct API: Sendable {
  func people(page: Int, count: Int) async throws -> [Person] { [] }
  func people(
    after cursor: String?,
    completion: @escaping @Sendable (Result<([Person], String?), any Error>) -> Void
  ) { completion(.success(([], nil))) }
}

// snippet.after
struct Person: ListItem, Codable {
  let id: Int
  var name: String
}

@MainActor
final class PeopleTable: ListControllerDelegate {
  typealias Item = Person
  private let tableView: UITableView
  private let feed: FeedController<Person>

  init(_ tableView: UITableView, _ api: API) {
    self.tableView = tableView
    feed = FeedController(
      NumberedSource { number, count in try await api.people(page: number, count: count) },
      cache: .file("people"),
      configuration: FeedConfiguration(pageSize: 25, refreshPolicy: .replace))
  }

  func viewDidLoad() {
    feed.delegate = self
    feed.loadCacheSynchronously()
    Task { await feed.refresh() }
  }

  func numberOfRows() -> Int { feed.rows.count }

  func title(at path: IndexPath) throws -> String {
    switch try feed.row(at: path) {
    case .item(let person):
      feed.willDisplay(person)  // asks for more near the end
      return person.name
    case .gap: return "Load what is missing"
    }
  }

  func controllerWillChangeContent(_ controller: ListController<some LiveList<Person>>) {
    tableView.beginUpdates()  // the controller still shows the list before the batch
  }

  func controller(
    _ controller: ListController<some LiveList<Person>>, didChangeContent update: ListUpdate<Person>
  ) {
    tableView.deleteRows(at: update.deletedIndexPaths, with: .automatic)
    tableView.insertRows(at: update.addedIndexPaths, with: .automatic)
    tableView.endUpdates()
    tableView.reconfigureRows(at: update.changes.updatedRows.map { IndexPath($0) })
  }

  func controller(
    _ controller: ListController<some LiveList<Person>>, didFail error: FeedError
  ) {
    print(error.localizedDescription)
  }
}
// snippet.hide

func complete(_ api: API) -> ClosureSource<Person, String> {
  // snippet.completion
  let source = ClosureSource<Person, String>(completing: { request, completion in
    api.people(after: request.key) { answer in
      completion(answer.map { people, cursor in Page(people, next: cursor) })
    }
  })
  // snippet.hide
  return source
}

/// Stands in for UIKit's, so that this builds on systems without it.
@MainActor
class UITableView {
  enum RowAnimation {
    case automatic
  }

  func beginUpdates() {}
  func insertRows(at paths: [IndexPath], with animation: RowAnimation) {}
  func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {}
  func reconfigureRows(at paths: [IndexPath]) {}
  func endUpdates() {}
}
