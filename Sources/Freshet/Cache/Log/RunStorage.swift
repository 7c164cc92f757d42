internal import FreshetLists

/// The storage of a feed's runs: rows that are stored together, under a number.
protocol RunStorage<Item> {
  /// The rows of the feed.
  associatedtype Item: ListItem
  /// The content of a row that a run stores.
  associatedtype Content

  /// Whether a run is kept for its unchanged rows when its other rows change.
  var keepsParts: Bool { get }

  /// Returns the content of an item that a run stores.
  func content(of item: Item) -> Content

  /// Stores a run under a number that no other run has or had.
  ///
  /// Page keys that cannot be stored are removed from its mark.
  ///
  /// - Returns: `false` if it cannot be stored in one piece, or if its only row cannot be stored.
  mutating func write(_ run: inout FeedManifest.Run<Content>, as sequence: UInt64) throws -> Bool

  /// Returns the rows of a run, with `nil` for each damaged row.
  ///
  /// If the whole run is damaged, it returns `nil`.
  ///
  /// - Throws: an error if the run cannot be read now.
  func read(_ sequence: UInt64, count: Int) throws -> [Content?]?

  /// Returns the rows of a part, out of all rows of its run.
  ///
  /// A storage may report the damaged rows. There is no default implementation: it would take
  /// precedence over a generic function of the storage.
  mutating func take(_ part: RunPart, of run: [Content?]?) -> ArraySlice<Content?>?

  /// Returns the stamp of a page's rows; `nil` if they will be read differently.
  func stamp(of page: [Item]) -> UInt64?
}

extension FeedManifest {
  /// Returns the rows at these indices, with `nil` for a gap and for each damaged row.
  func rows<Runs: RunStorage>(
    _ range: Range<Int>, in runs: inout Runs
  ) throws -> [Row<Runs.Content>?] {
    var rows: [Row<Runs.Content>?] = []
    var read: [UInt64: [Runs.Content?]?] = [:]
    var cursor = ManifestEntries.Cursor()
    entries.seek(range.lowerBound, &cursor)
    while cursor.row < range.upperBound, cursor.index < entries.count {
      let entry = entries[cursor]
      let start = cursor.row
      let end = start + entry.count
      defer { entries.seek(end, &cursor) }
      let wanted = range.clamped(to: start..<end)
      guard !wanted.isEmpty else { continue }
      guard case .run(let part, let mark) = entry else {
        rows.append(nil)
        continue
      }
      let run = try read[part.sequence] ?? runs.read(part.sequence, count: part.total)
      read[part.sequence] = .some(run)
      let contents = runs.take(part, of: run)
      for row in wanted.lowerBound - start..<wanted.upperBound - start {
        rows.append(
          contents?[part.rows.lowerBound + row].map {
            ($0, mark.part(ofRow: row, among: part.rows.count))
          })
      }
    }
    return rows
  }
}
