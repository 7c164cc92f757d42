internal import Foundation
internal import FreshetLists

/// The runs of a feed, each in a file of its own.
struct RunFiles<Item: ListItem>: RunStorage, Sendable {
  /// The maximum length of a page key, as JSON.
  private static var keyLimit: Int { 64 << 10 }

  let coder: any ValueCoder<Item>
  /// The seed of the runs' checksums.
  var seed: UInt64
  /// The folder of the files, while it is open.
  var folder: CacheFolder?
  var issues: [CacheIssue] = []
  /// Damaged files, to be moved aside once this cache holds the lock.
  var damaged: [String] = []
  /// The rows that were reported as left out, so that each is reported once; `nil` for page keys.
  private var leftOut: Set<Item.ID?> = []

  init(seed: UInt64, coder: any ValueCoder<Item>) {
    self.seed = seed
    self.coder = coder
  }

  var keepsParts: Bool { true }

  func content(of item: Item) -> Item { item }

  mutating func write(
    _ run: inout FeedManifest.Run<Item>, as sequence: UInt64
  ) throws -> Bool {
    let data: Data
    do {
      data = try RunFile.encode(
        run.contents, sequence: sequence, seed: seed, coder: coder)
    } catch {
      if run.contents.count == 1, let id = run.contents.first?.id {
        leaveOut(id, "row \(id): \(error)")
      }
      return false
    }
    for key in [\PageBoundary.next, \.previous]
    where (run.mark[keyPath: key]?.json.utf8.count ?? 0) > Self.keyLimit {
      run.mark[keyPath: key] = nil
      leaveOut(nil, "a page key is longer than \(Self.keyLimit) bytes")
    }
    guard let folder else { throw CacheFolder.Failure(lasting: "no folder is open") }
    try folder.create(RunFile.name(sequence), with: data)
    return true
  }

  func read(_ sequence: UInt64, count: Int) throws -> [Item?]? {
    do {
      let data = try folder?.contents(of: RunFile.name(sequence), limit: RunFile.limit)
      return data.flatMap {
        RunFile.decode($0, rows: count, sequence: sequence, seed: seed, coder: coder)
      }
    } catch let failure as CacheFolder.Failure where failure.isLasting {
      // It is set aside like a damaged file.
      return nil
    }
  }

  /// The result of looking for a run.
  ///
  /// It is the rows, `nil` if the run is damaged, or an error if it cannot be read now.
  typealias Found<Row> = Result<[Row?]?, any Error>

  /// Reads a run, if there is one.
  func find(_ sequence: UInt64, count: Int) -> Found<AnyItem> {
    Result {
      guard let items = try read(sequence, count: count) else { return nil }
      // From here on, rows are type-erased.
      var rows: [AnyItem?] = []
      rows.reserveCapacity(items.count)
      for item in items { rows.append(item.map { AnyItem($0) }) }
      return rows
    }
  }

  /// Reads the runs of some entries on all cores, because decoding is most of the work.
  func find(_ entries: some Sequence<FeedManifest.Entry>) -> [UInt64: Found<AnyItem>] {
    let runs = Dictionary(
      entries.lazy.compactMap(\.part).map { ($0.sequence, $0.total) }, uniquingKeysWith: { $1 })
    let sequences = Array(runs.keys)
    let found = Locked([UInt64: Found<AnyItem>](minimumCapacity: runs.count))
    DispatchQueue.concurrentPerform(iterations: runs.count) { index in
      let sequence = sequences[index]
      let run = find(sequence, count: runs[sequence] ?? 0)
      found.withLock { $0[sequence] = run }
    }
    return found.withLock { $0 }
  }

  /// Returns the rows of a part, with `nil` for each damaged row.
  ///
  /// If the whole run is damaged, it returns `nil`.
  ///
  /// It reports the damage.
  mutating func take<Row>(_ part: RunPart, of run: [Row?]?) -> ArraySlice<Row?>? {
    guard let rows = run?[part.rows] else {
      let name = RunFile.name(part.sequence)
      if !damaged.contains(name) { damaged.append(name) }
      issues.append(.damagedRows(count: part.rows.count))
      return nil
    }
    let lost = rows.count { $0 == nil }
    if lost > 0 { issues.append(.damagedRows(count: lost)) }
    return rows
  }

  /// Returns the shape of the items' type, if the items read back unchanged.
  func stamp(of page: [Item]) -> UInt64? {
    guard let first = page.first, let back = try? coder.decode(try coder.encode(page)),
      back == page
    else { return nil }
    return ItemShape.number(of: first)
  }

  /// Reports, once, that a row is not stored, or a page key if `id` is `nil`.
  mutating func leaveOut(_ id: Item.ID?, _ reason: String) {
    if leftOut.insert(id).inserted { issues.append(.leftOut(reason: reason)) }
  }
}
