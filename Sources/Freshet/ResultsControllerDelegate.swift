public import FreshetLists

/// Told when results change, in the order that users of `NSFetchedResultsController` know: once
/// before a batch, for each section, for each row, and once after it.
///
/// Between the first and the last call the controller shows the list after the batch.
///
/// ```swift
/// func controller(
///   _ controller: ResultsController<Quake, some Sendable>, didChange section: ListSectionChange
/// ) {
///   switch section {
///   case .inserted(_, let index): tableView.insertSections([index], with: .automatic)
///   case .deleted(_, let index): tableView.deleteSections([index], with: .automatic)
///   }
/// }
/// ```
@MainActor
public protocol ResultsControllerDelegate<Item>: AnyObject {
  /// What the results show as rows.
  associatedtype Item: ListItem

  /// A batch of changes begins; the controller still shows the list before it.
  func controllerWillChangeContent(_ controller: ResultsController<Item, some Sendable>)
  /// A section came or went.
  func controller(
    _ controller: ResultsController<Item, some Sendable>, didChange section: ListSectionChange)
  /// A row came, went, moved or changed.
  func controller(
    _ controller: ResultsController<Item, some Sendable>, didChange row: ListRowChange<Item>)
  /// Called when all changes of a batch were told.
  func controller(
    _ controller: ResultsController<Item, some Sendable>,
    didChangeContent update: ResultsUpdate<Item>)
  /// The query failed; what is shown stays.
  func controller(_ controller: ResultsController<Item, some Sendable>, didFail error: any Error)
}

extension ResultsControllerDelegate {
  /// Does nothing, unless the delegate has its own.
  public func controllerWillChangeContent(_ controller: ResultsController<Item, some Sendable>) {}
  /// Does nothing, unless the delegate has its own.
  public func controller(
    _ controller: ResultsController<Item, some Sendable>, didChange section: ListSectionChange
  ) {}
  /// Does nothing, unless the delegate has its own.
  public func controller(
    _ controller: ResultsController<Item, some Sendable>, didChange row: ListRowChange<Item>
  ) {}
  /// Does nothing, unless the delegate has its own.
  public func controller(
    _ controller: ResultsController<Item, some Sendable>, didFail error: any Error
  ) {}
}
