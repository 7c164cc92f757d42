internal import Foundation
internal import FreshetLists

/// The runs of a feed, each in a file of its own.
struct RunFiles<Item: ListItem>: RunStorage, Sendable {
  /// How long a page key may be, as JSON.
  private static var keyLimit: Int { 64 << 10 }

  let coder: any ValueCoder<Item>
  /// The seed of their checksums.
  var seed: UInt64
  /// Their folder, as long as it is open.
  var folder: CacheFolder?
  var issues: [CacheIssue] = []
  /// Damaged files, to be moved aside once this cache holds the lock.
  var damaged: [String] = []
  /// What was reported as left out, so that it is once: rows, and `nil` for page keys.
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
      // It makes way, as what is damaged does.
      return nil
    }
  }

  /// What is found where a run is to be: its rows, `nil` where it is damaged, or why it cannot be
  /// read now.
  typealias Found<Row> = Result<[Row?]?, any Error>

  /// Looks for a run.
  func find(_ sequence: UInt64, count: Int) -> Found<AnyItem> {
    Result {
      guard let items = try read(sequence, count: count) else { return nil }
      // From here on rows are type-erased.
      var rows: [AnyItem?] = []
      rows.reserveCapacity(items.count)
      for item in items { rows.append(item.map { AnyItem($0) }) }
      return rows
    }
  }

  /// Looks for the runs of some entries, on all cores: to decode rows is most of the work.
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

  /// The rows of a part, `nil` for each damaged row; `nil` if the whole run is damaged.
  ///
  /// What is damaged is reported.
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

  /// The shape of the items' type, if they read back as they are.
  func stamp(of page: [Item]) -> UInt64? {
    guard let first = page.first, let back = try? coder.decode(try coder.encode(page)),
      back == page
    else { return nil }
    return ItemShape.number(of: first)
  }

  /// Reports once that a row is not stored, or, if `id` is `nil`, a page key.
  mutating func leaveOut(_ id: Item.ID?, _ reason: String) {
    if leftOut.insert(id).inserted { issues.append(.leftOut(reason: reason)) }
  }
}
