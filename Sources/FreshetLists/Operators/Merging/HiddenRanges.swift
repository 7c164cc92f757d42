/// Which rows of a list are shown, where ranges of them are hidden.
@usableFromInline
struct HiddenRanges: Sendable {
  /// The ranges of hidden rows, ascending, apart from each other.
  private var ranges: [Range<Int>] = []
  /// How many rows are hidden above each range.
  private var hiddenAbove: [Int] = []

  /// Hides these ranges, in any order, and they may overlap.
  @usableFromInline
  init(_ ranges: [Range<Int>] = []) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound {
        let end = max(last.upperBound, range.upperBound)
        self.ranges[self.ranges.count - 1] = last.lowerBound..<end
      } else {
        self.ranges.append(range)
      }
    }
    var hidden = 0
    hiddenAbove = self.ranges.map { range in
      defer { hidden += range.count }
      return hidden
    }
  }

  /// Whether a row is hidden.
  ///
  /// - Complexity: O(log ranges).
  func contains(_ index: Int) -> Bool {
    range(at: index).map { ranges[$0].contains(index) } ?? false
  }

  /// How many rows are shown above one.
  ///
  /// - Complexity: O(log ranges).
  func place(of index: Int) -> Int {
    guard let last = range(at: index) else { return index }
    return index - hiddenAbove[last] - min(ranges[last].count, index - ranges[last].lowerBound)
  }

  /// The last range that begins at or above a row.
  private func range(at index: Int) -> Int? {
    let next = ranges.partition { $0.lowerBound > index }
    return next > 0 ? next - 1 : nil
  }

  /// What edits of all rows do to those that are shown, where others are hidden afterwards.
  ///
  /// - Returns: the edits, and for each row they name after them its index among all rows.
  /// - Complexity: O((*k* + ranges) log (*k* + ranges)) for *k* edits and rows that are hidden or
  ///   shown anew.
  @usableFromInline
  func edits(
    _ edits: RowEdits, hiding after: HiddenRanges
  ) -> (shown: RowEdits, indices: [Int: Int]) {
    var shown = RowEdits()
    var indices: [Int: Int] = [:]
    func note(_ index: Int, _ list: WritableKeyPath<RowEdits, [Int]>) {
      let place = after.place(of: index)
      shown[keyPath: list].append(place)
      indices[place] = index
    }
    for index in edits.deleted where !contains(index) { shown.deleted.append(place(of: index)) }
    for index in edits.inserted where !after.contains(index) { note(index, \.inserted) }
    for index in edits.updated {
      let before = edits.placeBefore(index)
      switch (contains(before), after.contains(index)) {
      case (false, false): note(index, \.updated)
      case (false, true): shown.deleted.append(place(of: before))
      case (true, false): note(index, \.inserted)
      case (true, true): break
      }
    }
    let changed = Set(edits.inserted + edits.updated)
    let hidden = HiddenRanges(
      ranges.map { edits.placeAfter($0.lowerBound)..<edits.placeAfter($0.upperBound) })
    for index in Self.difference(hidden, after) where !changed.contains(index) {
      if after.contains(index) {
        shown.deleted.append(place(of: edits.placeBefore(index)))
      } else {
        note(index, \.inserted)
      }
    }
    shown.deleted.sort()
    shown.inserted.sort()
    shown.updated.sort()
    return (shown, indices)
  }

  /// The rows that are hidden in one and shown in the other.
  private static func difference(_ first: HiddenRanges, _ second: HiddenRanges) -> [Int] {
    // At each bound one of the two changes: they differ behind every other one.
    let bounds = (first.ranges + second.ranges).flatMap { [$0.lowerBound, $0.upperBound] }.sorted()
    return stride(from: 0, to: bounds.count, by: 2).flatMap { bounds[$0]..<bounds[$0 + 1] }
  }
}
