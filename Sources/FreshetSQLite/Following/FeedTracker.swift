#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// An observer that reports changed rows, with their neighbours, to the feeds over a table.
  ///
  /// GRDB calls it on the queue of the writing connection. The rows and their neighbours are
  /// therefore those of exactly the state after the commit.
  final class FeedTracker<Item: ListItem & FetchableRecord & TableRecord>: TransactionObserver,
    Sendable
  {
    typealias Filter = @Sendable (QueryInterfaceRequest<Item>) -> QueryInterfaceRequest<Item>

    /// The number of rows of one transaction up to which each of them is looked up.
    private static var limit: Int { 1_000 }

    private struct State {
      var changes = ObservedChanges<Item>()
      /// The version of the database when changes were last read.
      var version: DatabaseVersion?
      /// The order of the rows, as the table is in that version.
      var order: TableOrder?
      var ids = RowIDs<Item>()
    }

    let hub = SourceChangeHub<Item>()
    private let columns: [SortColumn]
    private let filter: Filter
    private let state = Locked(State())

    init(sortedBy columns: [SortColumn], filter: @escaping Filter) {
      (self.columns, self.filter) = (columns, filter)
    }

    // MARK: - Running

    /// Begins to observe transactions, unless it does already.
    func begin(_ db: Database) throws {
      if state.withLock({ $0.version != nil }) { return check(db) }
      try prepare(db)
      db.add(transactionObserver: self)
    }

    /// Ends the observation if no feed follows any more.
    func endIfUnused(_ db: Database) {
      if hub.isFollowed { return }
      db.remove(transactionObserver: self)
      state.withLock { $0 = State() }
    }

    private func prepare(_ db: Database) throws {
      db.clearSchemaCache()
      let version = try DatabaseVersion(db)
      let order = try TableOrder(columns, of: Item.databaseTableName, db)
      let reader = try RequestReader<Item>(.init { [filter] in filter($0) }, db)
      state.withLock { state in
        state.changes.begin(reader, db)
        (state.version, state.order) = (version, order)
        state.ids.begin(reader.rows?.shape)
      }
    }

    /// The name of the rowid that pages have to contain, so that deleted rows are known.
    var rowIDName: String? { state.withLock { $0.ids.column } }

    /// Records the rows of a page.
    func note(_ rows: [(rowID: Int64, id: Item.ID)]) {
      state.withLock { state in for (rowID, id) in rows { state.ids.note(rowID, id) } }
    }

    // MARK: - Transactions

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
      state.withLock { $0.changes.observes(kind) }
    }

    func databaseDidChange(with event: DatabaseEvent) {
      state.withLock { $0.changes.note(event) }
    }

    func databaseDidChange() { state.withLock { $0.changes.pending.isUnknown = true } }

    func databaseDidRollback(_ db: Database) {
      state.withLock { $0.changes.pending = RowChanges() }
    }

    func databaseDidCommit(_ db: Database) {
      state.withLock { $0.changes.commit(db) }
      report(db)
    }

    /// Looks for changes of other connections, and for those without a commit.
    func check(_ db: Database) {
      guard !db.isInsideTransaction else { return }
      state.withLock { $0.changes.findUnreported(db) }
      report(db)
    }

    // MARK: - Reporting

    private func report(_ db: Database) {
      let changes = state.withLock { state in
        defer { state.changes.committed = RowChanges() }
        return state.changes.committed
      }
      do {
        try db.withSnapshot {
          guard let changes = try read(changes, db) else { return }
          hub.publish(changes)
        }
      } catch {
        // The feeds learn the reason when they read their rows again.
        hub.publish(.unknown)
      }
    }

    /// Reads changed rows; returns `nil` if there are none.
    private func read(
      _ changes: RowChanges<Item.ID>, _ db: Database
    ) throws -> PlacedChanges<Item>? {
      let version = try DatabaseVersion(db)
      guard state.withLock({ $0.version == version }) else {
        try prepare(db)
        return .unknown
      }
      if changes.isEmpty { return nil }
      let (rows, order) = state.withLock { ($0.changes.reader?.rows, $0.order) }
      guard let rows, let order, !changes.isUnknown, changes.rowIDs.count <= Self.limit,
        !mayHaveDisplaced(changes, rows.shape)
      else { return .unknown }
      let reader = KeysetReader(filter(Item.all()), in: order, db)
      let found = try reader.placements(of: changes.rowIDs, rowID: rows.rowID)
      let placed = Set(found.map(\.placement.item.id))
      return state.withLock { state in
        guard
          found.allSatisfy({ state.ids.check($0.rowID, $0.placement.item.id, in: rows.rowID) })
        else { return .unknown }
        let removed = changes.rowIDs.compactMap { state.ids.remove($0) }
          .filter { !placed.contains($0) }
        for (rowID, placement) in found { state.ids.note(rowID, placement.item.id) }
        return PlacedChanges(removed: removed, placed: found.map(\.placement).fromTop())
      }
    }

    /// Returns whether rows may have been removed without a report, because others replaced them.
    ///
    /// A row that has the id of the one it replaced moves to its own place.
    private func mayHaveDisplaced(_ changes: RowChanges<Item.ID>, _ shape: TableShape) -> Bool {
      changes.mayHaveDisplaced
        || shape.isUnique && shape.key == nil && !changes.inserted.isEmpty
    }
  }

  extension PlacedChanges {
    /// Changes that are not known in detail.
    fileprivate static var unknown: Self {
      var changes = Self()
      changes.isComplete = false
      return changes
    }
  }
#endif
