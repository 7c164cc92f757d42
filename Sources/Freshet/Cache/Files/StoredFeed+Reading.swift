internal import Foundation
internal import FreshetLists

extension StoredFeed {
  /// How many damaged runs are passed over for the first screen, which waits for this.
  private static var firstRuns: Int { 4 }

  /// The rows of the first run that can be read, with gaps for those above it.
  mutating func loadFirst() -> CachedRows<Item>? {
    guard directory.isEnabled else { return nil }
    open()
    guard let count = manifest?.entries.count, count > 0 else { return nil }
    var rows: [CachedRows<Item>.Row] = []
    var runs = 0
    loadedEntries = 0
    let folder = readableFolder()
    while loadedEntries < count, runs < Self.firstRuns, !rows.contains(where: \.isItem) {
      if manifest?.entries[loadedEntries] != .gap { runs += 1 }
      rows += readEntry(loadedEntries, in: folder)
      loadedEntries += 1
    }
    return cachedRows(rows, isComplete: loadedEntries == count)
  }

  /// The rows of all other runs.
  mutating func loadRest() -> CachedRows<Item> {
    guard let count = manifest?.entries.count else { return CachedRows() }
    var rows: [CachedRows<Item>.Row] = []
    let folder = readableFolder()
    for entry in min(loadedEntries, count)..<count { rows += readEntry(entry, in: folder) }
    return cachedRows(rows, isComplete: true)
  }

  private func cachedRows(
    _ rows: [CachedRows<Item>.Row], isComplete: Bool
  ) -> CachedRows<Item> {
    let state = manifest?.state { _ in
      if case .item(let first, _)? = rows.first { ItemShape.number(of: first) } else { nil }
    }
    return CachedRows(
      rows: rows, state: state ?? CachedState(), isComplete: isComplete, count: manifest?.count)
  }

  /// The rows of an entry; where they are damaged it is a gap from now on.
  private mutating func readEntry(
    _ index: Int, in folder: CacheFolder?
  ) -> [CachedRows<Item>.Row] {
    guard case .run(let sequence, let count, let mark)? = manifest?.entries[index] else {
      return [.gap]
    }
    do {
      if let items = try items(of: sequence, count: count, in: folder) {
        let damaged = items.count { $0 == nil }
        if damaged > 0 { issues.append(.damagedRows(count: damaged)) }
        return items.indices.map { offset in
          items[offset].map { .item($0, mark.part(ofRow: offset, among: count)) } ?? .gap
        }
      }
    } catch {
      stop(error)
    }
    issues.append(.damagedRows(count: count))
    manifest?.lose(index)
    needsCheckpoint = true
    return [.gap]
  }

  /// Some of the rows; `nil` where others are stored than the feed takes to be.
  mutating func load(_ range: Range<Int>, of count: Int) -> [CachedRows<Item>.Row]? {
    guard directory.isEnabled, !isOff, !needsWhole, let manifest, manifest.count == count else {
      return nil
    }
    do {
      return try storedRows(range, of: manifest, in: readableFolder())
    } catch {
      stop(error)
      return nil
    }
  }

  /// The rows at these indices among all that are stored; a gap for each that is damaged.
  mutating func storedRows(
    _ range: Range<Int>, of manifest: FeedManifest, in folder: CacheFolder?
  ) throws -> [CachedRows<Item>.Row] {
    var rows: [CachedRows<Item>.Row] = []
    var start = 0
    for entry in manifest.entries where start < range.upperBound {
      let end = start + entry.count
      defer { start = end }
      guard end > range.lowerBound else { continue }
      guard case .run(let sequence, let count, let mark) = entry else {
        rows.append(.gap)
        continue
      }
      let items = try items(of: sequence, count: count, in: folder)
      if items == nil { issues.append(.damagedRows(count: count)) }
      for offset in range.clamped(to: start..<end) {
        let mark = mark.part(ofRow: offset - start, among: count)
        rows.append(items?[offset - start].map { .item($0, mark) } ?? .gap)
      }
    }
    return rows
  }

  /// The folder, if it is one of ours.
  private mutating func readableFolder() -> CacheFolder? {
    do {
      return try folder(creating: false)
    } catch {
      if !Self.isLasting(error) { stop(error) }
      return nil
    }
  }

  /// The items of a run; `nil` where its file is damaged, missing or no file of a cache.
  ///
  /// - Throws: why it cannot be read now.
  private mutating func items(
    of sequence: UInt64, count: Int, in folder: CacheFolder?
  ) throws -> [Item?]? {
    let file = Self.file(sequence)
    do {
      if let data = try folder?.contents(of: file, limit: RunFile.limit),
        let items = RunFile.decode(data, rows: count, sequence: sequence, coder: coder)
      {
        return items
      }
    } catch let failure as CacheFolder.Failure where failure.isLasting {
      // It makes way, as what is damaged does.
    }
    damaged.append(file)
    return nil
  }
}

extension CachedRows.Row {
  fileprivate var isItem: Bool { if case .item = self { true } else { false } }
}
