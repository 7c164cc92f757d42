// An update performed by a table view. Every batch is legal, and has the fewest moves.

#if canImport(UIKit)
  import Freshet
  import UIKit

  // snippet.show
  extension UITableView {
    func perform<Item>(_ update: FeedUpdate<Item>, show: (ListSnapshot<FeedRow<Item>>) -> Void) {
      let changes = update.changes
      performBatchUpdates {
        show(update.after)
        deleteSections(IndexSet(changes.deletedSections), with: .automatic)
        insertSections(IndexSet(changes.insertedSections), with: .automatic)
        deleteRows(at: changes.deletedRows.map { IndexPath($0) }, with: .automatic)
        insertRows(at: changes.insertedRows.map { IndexPath($0) }, with: .automatic)
        for move in changes.movedRows { moveRow(at: IndexPath(move.from), to: IndexPath(move.to)) }
      }
      reconfigureRows(at: changes.updatedRows.map { IndexPath($0) })
    }
  }
// snippet.hide
#endif
