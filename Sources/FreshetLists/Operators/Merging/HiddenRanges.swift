/// The ranges of rows that are hidden in a list.
@usableFromInline
struct HiddenRanges: Sendable {
  /// The hidden ranges, ascending; none overlaps or touches another.
  private var ranges: [Range<Int>] = []
  /// The number of hidden rows above each range.
  private var hiddenAbove: [Int] = []

  /// Creates hidden ranges from ranges in any order, which may overlap.
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

  /// Returns whether a row is hidden.
  ///
  /// - Complexity: O(log ranges).
  func contains(_ index: Int) -> Bool {
    range(at: index).map { ranges[$0].contains(index) } ?? false
  }

  /// Returns the number of shown rows above a row.
  ///
  /// - Complexity: O(log ranges).
  func place(of index: Int) -> Int {
    guard let last = range(at: index) else { return index }
    return index - hiddenAbove[last] - min(ranges[last].count, index - ranges[last].lowerBound)
  }

  /// Returns the last range that begins at or above a row.
  private func range(at index: Int) -> Int? {
    let next = ranges.partition { $0.lowerBound > index }
    return next > 0 ? next - 1 : nil
  }

  /// Returns the edits of the shown rows that result from edits of all rows.
  ///
  /// - Parameters:
  ///   - edits: the edits of all rows.
  ///   - after: the ranges that are hidden after the edits.
  /// - Returns: the edits, and the index among all rows for each place after that they name.
  /// - Complexity: O((*k* + ranges) log (*k* + ranges)) for *k* edits and rows that become hidden
  ///   or shown.
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

  /// Returns the rows that are hidden in one and shown in the other.
  private static func difference(_ first: HiddenRanges, _ second: HiddenRanges) -> [Int] {
    // One of the two changes at each bound, so they differ after every other bound.
    let bounds = (first.ranges + second.ranges).flatMap { [$0.lowerBound, $0.upperBound] }.sorted()
    return stride(from: 0, to: bounds.count, by: 2).flatMap { bounds[$0]..<bounds[$0 + 1] }
  }
}
