internal import FreshetLists
internal import Observation

/// The value that a controller shows, and the parts of it that views read.
///
/// A view that reads all of it (`value`) is updated by every change, and sees rows and state
/// change together (rule R5). A view that reads a part is updated when that part changes. A view
/// that reads a single row (`row(_:)`) is updated when that row changes.
@MainActor
package final class ObservableListState<Item: ListItem>: Observable {
  /// The observers that are notified of each step as it is shown.
  let followers = ObserverRegistry<Item>()
  private let registrar = ObservationRegistrar()
  /// The value on display, for code that does not observe.
  package private(set) var current: ListValue<Item>
  private var handles = ObservableRowCache<Item>()

  init(_ value: ListValue<Item>) { current = value }

  // MARK: - Reading

  /// The value, read for all of it.
  var value: ListValue<Item> { read(\.value) }

  /// The value, read for its rows.
  var rows: ListValue<Item> { read(\.rows) }

  /// The value, read for its load states.
  var state: ListValue<Item> { read(\.state) }

  /// The value, read for the time of the last refresh.
  var age: ListValue<Item> { read(\.age) }

  /// The value, read for the reader's anchor.
  var place: ListValue<Item> { read(\.place) }

  /// The value, read for the status of the last fetch.
  var fetch: ListValue<Item> { read(\.fetch) }

  /// Registers a read of a part, and returns the value.
  private func read(_ part: KeyPath<ObservableListState, ListValue<Item>>) -> ListValue<Item> {
    registrar.access(self, keyPath: part)
    return current
  }

  /// Returns the path of an item.
  func path(of id: Item.ID) -> RowPath? { rows.path(of: id) }

  /// Returns one row, which is remembered for as long as it is held.
  func row(_ id: Item.ID) -> ObservableRow<Item> {
    if let row = handles[id] { return row }
    let item = current.path(of: id).flatMap { current.list[$0].item }
    let row = ObservableRow(id: id, item: item, isPending: current.pendingEdits.contains(id))
    handles.add(row)
    return row
  }

  /// The number of rows that are remembered, held or not.
  var rememberedRows: Int { handles.count }

  // MARK: - Showing

  /// Shows another value.
  ///
  /// - Parameters:
  ///   - value: the new value.
  ///   - update: the step that led to it, if rows changed.
  func show(_ value: ListValue<Item>, by update: ListUpdate<Item>?) {
    let old = current
    var parts = value.parts(differingFrom: old)
    let hasNewRows = update?.changes.isEmpty == false
    if hasNewRows { parts.insert(.rows) }
    willChange(parts)
    current = value
    didChange(parts)
    if handles.count > 0 {
      if hasNewRows, let update {
        handles.show(update.step) { value.path(of: $0) }
      }
      if parts.contains(.pendingEdits) { handles.show(old.pendingEdits, value.pendingEdits) }
    }
    followers.notify(value, update)
    // A list with a limit has more rows than the step names.
    let isLarge = old.isCut || value.isCut
    if let update, isLarge || update.contents.step.rowsNamed > Self.fewRows {
      release(old, update)
    }
  }

  /// The number of rows that the main actor can release itself.
  private static var fewRows: Int { 256 }

  /// Releases the rows that were on display, on another thread.
  ///
  /// Decrementing the references of a hundred thousand rows takes milliseconds.
  private func release(_ value: ListValue<Item>, _ update: ListUpdate<Item>) {
    let last = LastReference((value, update))
    // It starts in a later turn: the views that show the step have released the value by then.
    Task { Task { @concurrent in last.release() } }
  }

  private func willChange(_ parts: ChangedProperties) {
    registrar.willSet(self, keyPath: \.value)
    if parts.contains(.rows) { registrar.willSet(self, keyPath: \.rows) }
    if parts.contains(.state) { registrar.willSet(self, keyPath: \.state) }
    if parts.contains(.age) { registrar.willSet(self, keyPath: \.age) }
    if parts.contains(.place) { registrar.willSet(self, keyPath: \.place) }
    if parts.contains(.fetch) { registrar.willSet(self, keyPath: \.fetch) }
  }

  private func didChange(_ parts: ChangedProperties) {
    registrar.didSet(self, keyPath: \.value)
    if parts.contains(.rows) { registrar.didSet(self, keyPath: \.rows) }
    if parts.contains(.state) { registrar.didSet(self, keyPath: \.state) }
    if parts.contains(.age) { registrar.didSet(self, keyPath: \.age) }
    if parts.contains(.place) { registrar.didSet(self, keyPath: \.place) }
    if parts.contains(.fetch) { registrar.didSet(self, keyPath: \.fetch) }
  }
}

/// Holds a value until it is released.
private final class LastReference<Contents: Sendable>: Sendable {
  private let contents: Locked<Contents?>

  init(_ contents: Contents) { self.contents = Locked(contents) }

  func release() {
    // The value is released outside of the lock.
    _ = contents.withLock { $0.take() }
  }
}
