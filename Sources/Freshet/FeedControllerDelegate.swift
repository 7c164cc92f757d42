public import struct Foundation.IndexPath
public import FreshetLists

/// Told when a feed changed or a load failed.
///
/// ```swift
/// func feedController(
///   _ controller: FeedController<Person>, didChange items: FeedItems<Person>,
///   added: [IndexPath], deleted: [IndexPath], update: FeedUpdate<Person>
/// ) {
///   tableView.beginUpdates()
///   tableView.deleteRows(at: deleted, with: .automatic)
///   tableView.insertRows(at: added, with: .automatic)
///   tableView.endUpdates()
///   tableView.reconfigureRows(at: update.changes.updatedRows.map { IndexPath($0) })
/// }
/// ```
@MainActor
public protocol FeedControllerDelegate<Item>: AnyObject {
  /// The rows of the feed.
  associatedtype Item: ListItem

  /// Called after the list changed, with the rows that came and went.
  ///
  /// - Parameters:
  ///   - controller: the feed.
  ///   - items: the items now.
  ///   - added: the rows that came or moved, after the change; those of new sections too.
  ///   - deleted: the rows that went or moved, before the change; those of old sections too.
  ///   - update: the whole step: sections, moves, and rows whose contents changed.
  /// - Complexity: before it is called, O(*k* log *k*) for *k* rows in `added` and `deleted`, those
  ///   of whole sections too: some milliseconds of the main actor for 100,000. Where steps are as
  ///   large, follow `updates`, which name sections by their indices.
  func feedController(
    _ controller: FeedController<Item>, didChange items: FeedItems<Item>,
    added: [IndexPath], deleted: [IndexPath], update: FeedUpdate<Item>)

  /// A load failed. The rows are still there, and `retry()` asks again.
  func feedController(_ controller: FeedController<Item>, didFail error: FeedError)
}

extension FeedControllerDelegate {
  /// Tells of a step with the places of rows in it.
  func tell(_ controller: FeedController<Item>, _ update: FeedUpdate<Item>) {
    let changes = update.changes
    let added =
      changes.insertedRows + changes.movedRows.map(\.to)
      + update.after.paths(in: changes.insertedSections)
    let deleted =
      changes.deletedRows + changes.movedRows.map(\.from)
      + update.before.paths(in: changes.deletedSections)
    feedController(
      controller, didChange: update.value.items,
      added: added.sorted().map { IndexPath($0) }, deleted: deleted.sorted().map { IndexPath($0) },
      update: update)
  }
}

extension ListSnapshot {
  /// The paths of all rows in these sections.
  fileprivate func paths(in sections: [Int]) -> [RowPath] {
    sections.flatMap { section in
      self.sections[section].rows.indices.map { RowPath(section: section, row: $0) }
    }
  }
}
