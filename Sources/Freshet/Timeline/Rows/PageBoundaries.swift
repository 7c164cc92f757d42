internal import FreshetLists

/// The page boundaries of a timeline, by the item that began or ended a page.
///
/// Each step hands a copy to the cache. The boundaries are divided among several dictionaries by
/// the hash of the item's id, and a change copies only the one that it changes: a list that grows
/// page by page does not copy all its boundaries with each page.
///
/// - Complexity: O(1) to copy and to look up; O(*n* / 64) for the first change after a copy.
struct PageBoundaries: Sendable {
  private static var partCount: UInt32 { 64 }

  /// The dictionaries; none until there is a boundary.
  private var parts: [[RowID: PageBoundary]] = []
  /// The number of items with a boundary.
  private(set) var count = 0

  private static func part(of id: RowID) -> Int { Int(id.row.hash % partCount) }

  /// The boundary of an item.
  subscript(id: RowID) -> PageBoundary? {
    get { parts.isEmpty ? nil : parts[Self.part(of: id)][id] }
    set {
      if parts.isEmpty {
        if newValue == nil { return }
        parts = Array(repeating: [:], count: Int(Self.partCount))
      }
      let part = Self.part(of: id)
      let before = parts[part].count
      parts[part][id] = newValue
      count += parts[part].count - before
    }
  }

  /// Forgets a page key, or all page keys if `key` is `nil`.
  ///
  /// - Complexity: O(*n*).
  mutating func forget(_ key: PageKey?) {
    for (id, boundary) in self {
      if key == nil || boundary.next == key { self[id]?.next = nil }
      if key == nil || boundary.previous == key { self[id]?.previous = nil }
    }
  }

  /// Removes the boundary of an item, and returns it.
  mutating func removeValue(forKey id: RowID) -> PageBoundary? {
    guard let boundary = self[id] else { return nil }
    self[id] = nil
    return boundary
  }
}

extension PageBoundaries: Sequence {
  /// Iterates the boundaries in no order.
  func makeIterator() -> some IteratorProtocol<(key: RowID, value: PageBoundary)> {
    parts.lazy.flatMap { $0 }.makeIterator()
  }
}
