public import FreshetLists

/// A delegate that is notified of the changes of a list, one by one.
///
/// The order is that of `NSFetchedResultsController`: once before a batch, for each section, for
/// each row, and once after it.
///
/// Between the first and the last call, the controller shows the list after the batch: begin the
/// batch of a view in the first one. Rows of sections that were inserted or deleted are reported
/// too, as `NSFetchedResultsController` reports them. Each method has a default that does nothing:
/// implement those you need, with the parameter `ListController<some LiveList<Item>>`. A method
/// with another type compiles, but is not called.
///
/// ```swift
/// func controller(
///   _ controller: ListController<some LiveList<Quake>>, didChange section: ListSectionChange
/// ) {
///   switch section {
///   case .inserted(_, let index): tableView.insertSections([index], with: .automatic)
///   case .deleted(_, let index): tableView.deleteSections([index], with: .automatic)
///   }
/// }
/// ```
@MainActor
public protocol ListControllerDelegate<Item>: AnyObject {
  /// The type of the list's items.
  associatedtype Item: ListItem

  /// A batch of changes begins; the controller still shows the list before it.
  func controllerWillChangeContent(_ controller: ListController<some LiveList<Item>>)
  /// A section was inserted or deleted.
  func controller(
    _ controller: ListController<some LiveList<Item>>, didChange section: ListSectionChange)
  /// A row was inserted, deleted, moved or updated.
  func controller(
    _ controller: ListController<some LiveList<Item>>, didChange row: ListRowChange<ListRow<Item>>)
  /// Called after all changes of a batch, with the whole batch.
  func controller(
    _ controller: ListController<some LiveList<Item>>, didChangeContent update: ListUpdate<Item>)
  /// A load failed; the rows stay, and `retry()` repeats the load.
  func controller(_ controller: ListController<some LiveList<Item>>, didFail error: FeedError)
}

extension ListControllerDelegate {
  /// Does nothing, unless the delegate implements it.
  public func controllerWillChangeContent(_ controller: ListController<some LiveList<Item>>) {}
  /// Does nothing, unless the delegate implements it.
  public func controller(
    _ controller: ListController<some LiveList<Item>>, didChange section: ListSectionChange
  ) {}
  /// Does nothing, unless the delegate implements it.
  public func controller(
    _ controller: ListController<some LiveList<Item>>, didChange row: ListRowChange<ListRow<Item>>
  ) {}
  /// Does nothing, unless the delegate implements it.
  public func controller(
    _ controller: ListController<some LiveList<Item>>, didChangeContent update: ListUpdate<Item>
  ) {}
  /// Does nothing, unless the delegate implements it.
  public func controller(
    _ controller: ListController<some LiveList<Item>>, didFail error: FeedError
  ) {}

  /// Notifies of a batch that is on display.
  func notify(of update: ListUpdate<Item>, by controller: ListController<some LiveList<Item>>) {
    update.step.enumerateSectionChanges { self.controller(controller, didChange: $0) }
    update.step.enumerateRowChanges { self.controller(controller, didChange: $0) }
    self.controller(controller, didChangeContent: update)
  }
}
