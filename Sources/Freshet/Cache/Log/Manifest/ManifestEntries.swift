/// The entries of a manifest, in the order of the list.
///
/// They are kept in chunks, and each chunk counts its rows. So a step finds and replaces the
/// entries of the rows that it changed without examining the others. The rows of each run are
/// counted, too.
///
/// Sums wrap around: forged entries are added before `FeedManifest.isPlausible` rejects them.
///
/// - Complexity: O(chunks) to find an entry or a row and to replace entries. A chunk has up to 128
///   entries. O(1) for the number of entries and rows.
struct ManifestEntries: Sendable {
  typealias Element = FeedManifest.Entry

  private struct Chunk: Sendable {
    var entries: [Element]
    var rows: Int

    init(_ entries: some Sequence<Element>) {
      self.entries = Array(entries)
      rows = self.entries.reduce(0) { $0 &+ $1.count }
    }
  }

  /// The maximum number of entries in a chunk.
  ///
  /// A chunk with less than a quarter of that is joined with the next one.
  private static var chunkLimit: Int { 128 }

  private var chunks: [Chunk] = []
  private(set) var count = 0
  /// The number of rows of the timeline that the entries represent.
  private(set) var rows = 0
  /// The number of rows of each run in the list, by the number of the run.
  ///
  /// `nil` until `countRuns()`: a list that is only read does not need it.
  private var rowsOfRuns: [UInt64: Int]?

  init() {}

  init(_ entries: some Sequence<Element>) {
    let entries = Array(entries)
    chunks = Self.chunks(of: entries)
    count = entries.count
    rows = chunks.reduce(0) { $0 &+ $1.rows }
  }

  /// Returns the number of rows of a run in the list.
  ///
  /// - Complexity: O(1) after `countRuns()`; otherwise O(entries).
  func rows(ofRun sequence: UInt64) -> Int {
    if let rowsOfRuns { return rowsOfRuns[sequence] ?? 0 }
    return lazy.compactMap(\.part).filter { $0.sequence == sequence }
      .reduce(0) { $0 &+ $1.rows.count }
  }

  /// Counts the rows of each run, and keeps these counts from now on.
  ///
  /// - Complexity: O(entries) the first time, then O(1).
  mutating func countRuns() {
    if rowsOfRuns != nil { return }
    var counts: [UInt64: Int] = [:]
    for part in lazy.compactMap(\.part) {
      counts[part.sequence] = (counts[part.sequence] ?? 0) &+ part.rows.count
    }
    rowsOfRuns = counts
  }

  // MARK: - Looking

  /// A position among the entries, to find them by their rows one after the other.
  struct Cursor {
    fileprivate var chunk = 0
    /// The index of the entry, and of its first row.
    fileprivate(set) var (index, row) = (0, 0)
    /// The index of the chunk's first entry.
    fileprivate var start = 0
  }

  /// Moves on to the entry that a row is in, or past the last entry if there is no such row.
  ///
  /// - Parameter row: the index of a row that is not above the entry at the cursor.
  /// - Complexity: O(chunks that are passed + 1).
  func seek(_ row: Int, _ cursor: inout Cursor) {
    while cursor.chunk < chunks.count {
      WorkCount.note()
      let chunk = chunks[cursor.chunk]
      if cursor.index == cursor.start, cursor.row + chunk.rows <= row {
        cursor.row += chunk.rows
        cursor.index += chunk.entries.count
      } else {
        for entry in chunk.entries[(cursor.index - cursor.start)...] {
          if row < cursor.row + entry.count { return }
          WorkCount.note()
          cursor.row += entry.count
          cursor.index += 1
        }
      }
      cursor.chunk += 1
      cursor.start = cursor.index
    }
  }

  /// Returns the entry at a cursor that is not past the last one.
  subscript(cursor: Cursor) -> Element {
    chunks[cursor.chunk].entries[cursor.index - cursor.start]
  }

  /// Returns the chunk that contains an entry, and the entry's index there.
  ///
  /// The index after the last entry belongs to the last chunk.
  private func place(of index: Int) -> (chunk: Int, offset: Int) {
    var (chunk, offset) = (0, index)
    while chunk + 1 < chunks.count, offset >= chunks[chunk].entries.count {
      offset -= chunks[chunk].entries.count
      chunk += 1
    }
    WorkCount.note(chunk + 1)
    return (chunk, offset)
  }

  /// Returns the entries in a range.
  ///
  /// - Complexity: O(chunks) to find the first one, and O(1) for each.
  func slice(_ range: Range<Int>) -> [Element] {
    if range.isEmpty { return [] }
    var (entries, place) = ([Element](), place(of: range.lowerBound))
    entries.reserveCapacity(range.count)
    while entries.count < range.count {
      let rest = range.count - entries.count
      entries += chunks[place.chunk].entries[place.offset...].prefix(rest)
      place = (place.chunk + 1, 0)
    }
    WorkCount.note(entries.count)
    return entries
  }

  // MARK: - Changing

  private mutating func note(_ entries: some Sequence<Element>, adding sign: Int) {
    for entry in entries {
      rows = rows &+ sign &* entry.count
      guard rowsOfRuns != nil, let part = entry.part else { continue }
      let left = rows(ofRun: part.sequence) &+ sign &* part.rows.count
      rowsOfRuns?[part.sequence] = left == 0 ? nil : left
    }
  }

  /// Divides entries into chunks.
  private static func chunks(of entries: [Element]) -> [Chunk] {
    if entries.count <= chunkLimit { return entries.isEmpty ? [] : [Chunk(entries)] }
    let parts = 2 * entries.count / chunkLimit
    return (0..<parts).map { part in
      Chunk(entries[part * entries.count / parts..<(part + 1) * entries.count / parts])
    }
  }
}

// No collection: going from index to index would look for each chunk again.
extension ManifestEntries: Sequence {
  var isEmpty: Bool { count == 0 }

  /// Returns the entry at an index.
  ///
  /// - Complexity: O(chunks).
  subscript(index: Int) -> Element {
    let place = place(of: index)
    return chunks[place.chunk].entries[place.offset]
  }

  /// Returns the index of the first row of an entry.
  ///
  /// - Complexity: O(chunks).
  func firstRow(of index: Int) -> Int {
    let place = place(of: index)
    return chunks[..<place.chunk].reduce(0) { $0 + $1.rows }
      + chunks[place.chunk].entries[..<place.offset].reduce(0) { $0 + $1.count }
  }

  /// Replaces the entries in a range.
  ///
  /// - Complexity: O(chunks), and O(*m*) for *m* entries that are replaced or inserted.
  mutating func replaceSubrange(_ range: Range<Int>, with new: some Collection<Element>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Entries out of range")
    let (start, end) = (place(of: range.lowerBound), place(of: range.upperBound))
    var changed = start.chunk..<Swift.min(end.chunk + 1, chunks.count)
    var entries = changed.flatMap { chunks[$0].entries }
    WorkCount.note(entries.count)
    let replaced = start.offset..<(start.offset + range.count)
    note(entries[replaced], adding: -1)
    note(new, adding: 1)
    count += new.count - range.count
    entries.replaceSubrange(replaced, with: new)
    if entries.count < Self.chunkLimit / 4, changed.upperBound < chunks.count {
      entries += chunks[changed.upperBound].entries
      changed = changed.lowerBound..<(changed.upperBound + 1)
    }
    chunks.replaceSubrange(changed, with: Self.chunks(of: entries))
  }

  /// Returns an iterator that passes the entries chunk by chunk.
  func makeIterator() -> some IteratorProtocol<Element> {
    WorkCount.note(count)
    return chunks.lazy.flatMap(\.entries).makeIterator()
  }
}

extension ManifestEntries: Equatable {
  static func == (first: Self, second: Self) -> Bool {
    first.count == second.count && first.elementsEqual(second)
  }
}

extension ManifestEntries: ExpressibleByArrayLiteral {
  init(arrayLiteral entries: Element...) { self.init(entries) }
}
