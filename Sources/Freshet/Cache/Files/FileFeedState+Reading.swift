internal import Foundation
internal import FreshetLists

extension FileFeedState {
  /// The number of rows that fill the first screen, which waits for them.
  private static var firstRows: Int { 50 }
  /// The maximum number of runs to read for it: rows that arrived one by one are in short runs.
  private static var firstRuns: Int { 24 }
  /// The maximum numbers of damaged runs, and of their parts, to skip for it.
  private static var damagedRuns: Int { 4 }
  private static var damagedEntries: Int { 256 }
  /// The maximum number of entries in a first screen, if many of them are gaps.
  private static var firstEntries: Int { 4_096 }

  /// Returns the rows of the first readable runs, enough for a screen, with gaps for those above.
  mutating func loadFirst() -> CachedRows<AnyItem>? {
    guard directory.isEnabled else { return nil }
    openBeginning()
    var rows: [CachedRows<AnyItem>.Row] = []
    var found: [UInt64: RunFiles<Item>.Found<AnyItem>] = [:]
    var items = 0
    (loadedEntries, loadedRows, firstRestEntry) = (0, 0, nil)
    openFiles()
    defer { files.folder = nil }
    var wasOutdated: Bool?
    while items < Self.firstRows, found.count < (items == 0 ? Self.damagedRuns : Self.firstRuns),
      loadedEntries < (items > 0 ? Self.firstEntries : Self.damagedEntries)
    {
      if loadedEntries == log.manifest.entries.count, beginning?.lost.isEmpty == false {
        // Too much of the beginning is damaged.
        open()
        if firstRestEntry != nil { break }
      }
      guard loadedEntries < log.manifest.entries.count else { break }
      let entry = log.manifest.entries[loadedEntries]
      if let part = entry.part, found[part.sequence] == nil {
        found[part.sequence] = files.find(part.sequence, count: part.total)
      }
      let read = readEntry(entry, at: loadedEntries, from: found, &wasOutdated)
      items += read.count(where: \.isItem)
      rows += read
      loadedEntries += 1
    }
    if log.manifest.entries.isEmpty { return nil }
    loadedRows = rows.count
    let isAll = beginning == nil && firstRestEntry == nil
    return cachedRows(rows, isComplete: isAll && loadedEntries == log.manifest.entries.count)
  }

  /// Returns the rows of all other runs.
  mutating func loadRest() -> CachedRows<AnyItem> {
    guard isOpen || beginning != nil else { return CachedRows() }
    open()
    let count = log.manifest.entries.count
    let start = min(firstRestEntry ?? loadedEntries, count)
    let entries = log.manifest.entries.slice(start..<count)
    openFiles()
    defer { files.folder = nil }
    let found = files.find(entries)
    var rows: [CachedRows<AnyItem>.Row] = firstRestEntry == nil ? [] : [.gap]
    // Memory is reserved for the rows that were read, not for the number in the log.
    rows.reserveCapacity(
      found.values.reduce(entries.count) { $0 + ((try? $1.get())??.count ?? 0) })
    var wasOutdated: Bool?
    for (index, entry) in zip(start..<count, entries) {
      rows += readEntry(entry, at: index, from: found, &wasOutdated)
    }
    guard firstRestEntry != nil else { return cachedRows(rows, isComplete: true) }
    // Of the rows after the first ones, only their former order is known.
    let unproven = (loadedRows + 1)..<(loadedRows + rows.count)
    return CachedRows(
      rows: rows,
      state: CachedState(
        head: log.manifest.state.head, tail: .open, refreshedAt: log.manifest.state.refreshedAt,
        unproven: unproven.isEmpty ? [] : [unproven]))
  }

  private func cachedRows(
    _ rows: [CachedRows<AnyItem>.Row], isComplete: Bool
  ) -> CachedRows<AnyItem> {
    let state = log.manifest.state { _ in
      guard case .item(let first, _)? = rows.first else { return nil }
      return ItemShape.number(of: Item._item(of: first.row))
    }
    return CachedRows(
      rows: rows, state: state, isComplete: isComplete,
      count: log.manifest.count + (beginning?.found.rest ?? 0))
  }

  /// Returns the rows of an entry; a gap if they are damaged.
  ///
  /// - Parameters:
  ///   - found: the runs that were read.
  ///   - wasOutdated: `isOutdated` as it was at the first damage of this load, because determining
  ///     it may take reading the whole log.
  private mutating func readEntry(
    _ entry: FeedManifest.Entry, at index: Int,
    from found: [UInt64: RunFiles<Item>.Found<AnyItem>], _ wasOutdated: inout Bool?
  ) -> [CachedRows<AnyItem>.Row] {
    guard case .run(let part, let mark) = entry else { return [.gap] }
    let before = files
    do {
      if let rows = files.take(part, of: try found[part.sequence]?.get()) {
        let start = rows.startIndex
        return rows.indices.map { row in
          rows[row].map { .item($0, mark.part(ofRow: row - start, among: rows.count)) } ?? .gap
        }
      }
    } catch {
      stop(error)
      files.issues.append(.damagedRows(count: part.rows.count))
    }
    let isOutdated = wasOutdated ?? isOutdated
    wasOutdated = isOutdated
    if isOutdated { files = before }
    lose(index)
    return [.gap]
  }

  /// Whether another cache of this name wrote since the log was read.
  ///
  /// Rows that are not found are then not damaged, but elsewhere.
  private var isOutdated: Bool {
    guard lock == nil, !isOff else { return false }
    if let beginning { return readBeginning() != beginning.found }
    let text = try? files.folder?.contents(of: "manifest", limit: FeedManifest.limit)
    return text.map { XXHash64.hash($0) } != logChecksum
  }

  /// Returns some of the rows; `nil` if other rows are stored than the feed assumes.
  mutating func load(_ range: Range<Int>, of count: Int) -> [CachedRows<Item>.Row]? {
    if beginning != nil { open() }
    guard directory.isEnabled, !isOff, !needsWhole, isOpen, log.manifest.count == count else {
      return nil
    }
    openFiles()
    defer { files.folder = nil }
    do {
      return try log.manifest.rows(range, in: &files).map { row in
        row.map { CachedRows.Row.item($0.content, $0.mark) } ?? .gap
      }
    } catch {
      stop(error)
      return nil
    }
  }

  /// Opens the folder, if it is one of ours, and marks it as used.
  private mutating func openFiles() {
    do {
      files.folder = try folder(creating: false)
      files.folder?.touch()
    } catch {
      if !Self.isLasting(error) { stop(error) }
    }
  }
}

extension CachedRows.Row {
  fileprivate var isItem: Bool { if case .item = self { true } else { false } }
}
