internal import FreshetLists

/// The storage of a feed's runs: rows that are stored together, under a number.
protocol RunStorage<Item> {
  /// The rows of the feed.
  associatedtype Item: ListItem
  /// What a run holds of a row.
  associatedtype Content

  /// Whether a run stays for its unchanged rows when others of it change.
  var keepsParts: Bool { get }

  /// What a run holds of an item.
  func content(of item: Item) -> Content

  /// Stores a run under a number that no other run has or had.
  ///
  /// Page keys that cannot be stored are taken off its mark.
  ///
  /// - Returns: `false` if it cannot be stored in one piece, or if its only row cannot be stored.
  mutating func write(_ run: inout FeedManifest.Run<Content>, as sequence: UInt64) throws -> Bool

  /// The rows of a run, `nil` for each damaged row; `nil` if the whole run is damaged.
  ///
  /// - Throws: why it cannot be read now.
  func read(_ sequence: UInt64, count: Int) throws -> [Content?]?

  /// The rows of a part, out of all rows of its run.
  ///
  /// A storage may report those that are damaged. There is no default: it would be preferred to a
  /// generic function of the storage.
  mutating func take(_ part: RunPart, of run: [Content?]?) -> ArraySlice<Content?>?

  /// The stamp of a page's rows as they will be read back; `nil` if they will differ from these.
  func stamp(of page: [Item]) -> UInt64?
}

extension FeedManifest {
  /// The rows at these indices; `nil` for a gap, and for each that is damaged.
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
