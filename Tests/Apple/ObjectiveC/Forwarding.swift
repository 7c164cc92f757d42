internal import AppKit
internal import Freshet
internal import FreshetUI
internal import UIKit

// Delegates and data sources of an app that forward to the sources, as their documentation says.

final class TableDelegate<Item: ListItem>: NSObject, UITableViewDataSource, UITableViewDelegate {
  let source: TableSource<Item>

  init(_ source: TableSource<Item>) { self.source = source }

  func numberOfSections(in tableView: UITableView) -> Int {
    source.numberOfSections(in: tableView)
  }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    source.tableView(tableView, numberOfRowsInSection: section)
  }

  func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell { source.tableView(tableView, cellForRowAt: indexPath) }

  func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
    "own"
  }

  func tableView(
    _ tableView: UITableView, targetIndexPathForMoveFromRowAt from: IndexPath,
    toProposedIndexPath proposed: IndexPath
  ) -> IndexPath {
    source.tableView(
      tableView, targetIndexPathForMoveFromRowAt: from, toProposedIndexPath: proposed)
  }
}

final class CollectionDelegate<Item: ListItem>: NSObject, UICollectionViewDelegate {
  let source: CollectionSource<Item>

  init(_ source: CollectionSource<Item>) { self.source = source }

  func collectionView(
    _ collectionView: UICollectionView,
    targetIndexPathForMoveOfItemFromOriginalIndexPath original: IndexPath,
    atCurrentIndexPath current: IndexPath, toProposedIndexPath proposed: IndexPath
  ) -> IndexPath {
    source.collectionView(
      collectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath: original,
      atCurrentIndexPath: current, toProposedIndexPath: proposed)
  }
}

final class MacTableDelegate<Item: ListItem>: NSObject, NSTableViewDelegate {
  let source: MacTableSource<Item>

  init(_ source: MacTableSource<Item>) { self.source = source }

  func tableView(
    _ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int
  ) -> NSView? { source.tableView(tableView, viewFor: tableColumn, row: row) }

  func tableView(_ tableView: NSTableView, isGroupRow row: Int) -> Bool {
    source.tableView(tableView, isGroupRow: row)
  }
}
