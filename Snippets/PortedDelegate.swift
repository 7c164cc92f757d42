// A delegate of NSFetchedResultsController, ported line by line: what it does to its table stays as
// it was.

import Foundation
import Freshet

// snippet.show
@MainActor
final class QuakesDelegate: ListControllerDelegate {
  typealias Item = Quake
  private let tableView: UITableView
  private var moved: [IndexPath] = []

  init(_ tableView: UITableView) { self.tableView = tableView }

  func controllerWillChangeContent(_ controller: ListController<some LiveList<Quake>>) {
    tableView.beginUpdates()
  }

  func controller(
    _ controller: ListController<some LiveList<Quake>>, didChange section: ListSectionChange
  ) {
    switch section {
    case .inserted(_, let index): tableView.insertSections([index], with: .automatic)
    case .deleted(_, let index): tableView.deleteSections([index], with: .automatic)
    }
  }

  func controller(
    _ controller: ListController<some LiveList<Quake>>,
    didChange row: ListRowChange<ListRow<Quake>>
  ) {
    switch row {
    case .inserted(_, let newPath): tableView.insertRows(at: [IndexPath(newPath)], with: .automatic)
    case .deleted(_, let path): tableView.deleteRows(at: [IndexPath(path)], with: .automatic)
    case .updated(_, let path, _):  // inside of the batch: where the row was before it
      tableView.reloadRows(at: [IndexPath(path)], with: .automatic)
    case .moved(_, let path, let newPath):
      tableView.moveRow(at: IndexPath(path), to: IndexPath(newPath))
      moved.append(IndexPath(newPath))
    }
  }

  func controller(
    _ controller: ListController<some LiveList<Quake>>,
    didChangeContent update: ListUpdate<Quake>
  ) {
    tableView.endUpdates()
    tableView.reconfigureRows(at: moved)  // they may have changed, too
    moved = []
  }
}
// snippet.hide

struct Quake: ListItem, Codable {
  let id: Int
  var magnitude: Int
}

/// Stands in for UIKit's, so that this builds on systems without it.
@MainActor
class UITableView {
  enum RowAnimation {
    case automatic
  }

  func beginUpdates() {}
  func insertSections(_ sections: IndexSet, with animation: RowAnimation) {}
  func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {}
  func insertRows(at paths: [IndexPath], with animation: RowAnimation) {}
  func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {}
  func reloadRows(at paths: [IndexPath], with animation: RowAnimation) {}
  func moveRow(at path: IndexPath, to newPath: IndexPath) {}
  func endUpdates() {}
  func reconfigureRows(at paths: [IndexPath]) {}
}
