internal import FreshetLists
internal import Observation

/// What a controller shows, and who read which part of it.
///
/// It is how controllers are observed: ask the controller. Who reads all (`value`) hears of
/// everything and sees rows and state change as one (rule R5); who reads a part hears of changes of
/// that part; who reads one row (`row(_:)`) hears of changes of that row.
@MainActor
package final class ObservableListState<Item: ListItem>: Observable {
  /// Who is told of each step right when it is on display.
  let followers = ObserverRegistry<Item>()
  private let registrar = ObservationRegistrar()
  /// What is shown, for code that does not observe.
  package private(set) var current: ListValue<Item>
  private var handles = ObservableRowCache<Item>()

  init(_ value: ListValue<Item>) { current = value }

  // MARK: - What is read

  /// All of it.
  var value: ListValue<Item> { read(\.value) }

  /// All of it, for who looks at nothing but its rows.
  var rows: ListValue<Item> { read(\.rows) }

  /// All of it, for who looks at nothing but how it stands.
  var state: ListValue<Item> { read(\.state) }

  /// All of it, for who looks at nothing but when it was refreshed.
  var age: ListValue<Item> { read(\.age) }

  /// All of it, for who looks at nothing but the reader's place.
  var place: ListValue<Item> { read(\.place) }

  /// All of it, for a reader of nothing but the status of the last fetch.
  var fetch: ListValue<Item> { read(\.fetch) }

  /// Notes who reads a part.
  private func read(_ part: KeyPath<ObservableListState, ListValue<Item>>) -> ListValue<Item> {
    registrar.access(self, keyPath: part)
    return current
  }

  /// Where an item stands.
  func path(of id: Item.ID) -> RowPath? { rows.path(of: id) }

  /// One row, for as long as somebody holds it.
  func row(_ id: Item.ID) -> ObservableRow<Item> {
    if let row = handles[id] { return row }
    let item = current.path(of: id).flatMap { current.list[$0].item }
    let row = ObservableRow(id: id, item: item, isPending: current.pendingEdits.contains(id))
    handles.add(row)
    return row
  }

  /// How many rows are remembered, held or not.
  var rememberedRows: Int { handles.count }

  // MARK: - What is shown

  /// Shows another value.
  ///
  /// - Parameters:
  ///   - value: what is shown from now on.
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
    followers.tell(value, update)
    // A list with a limit has more rows than are named.
    let isLarge = old.isCut || value.isCut
    if let update, isLarge || update.contents.step.rowsNamed > Self.fewRows {
      letGo(of: old, by: update)
    }
  }

  /// As many rows as the main actor can let go of itself.
  private static var fewRows: Int { 256 }

  /// Lets go elsewhere of rows that were on display: to count down the references of a hundred
  /// thousand rows holds the main actor for milliseconds.
  private func letGo(of value: ListValue<Item>, by update: ListUpdate<Item>) {
    let gone = Gone((value, update))
    // In a turn of its own: whoever shows the step has let go of it by then, and is not the last.
    Task { Task { @concurrent in gone.letGo() } }
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

/// What is held until somebody lets go of it, where nobody waits for that.
private final class Gone<Contents: Sendable>: Sendable {
  private let contents: Locked<Contents?>

  init(_ contents: Contents) { self.contents = Locked(contents) }

  func letGo() {
    // Outside of the lock.
    _ = contents.withLock { $0.take() }
  }
}
