internal import FreshetLists

/// Whether the numbers of rows, loaded or not, add up to the total that was reported.
///
/// A source may report more rows than before, but not at which places they were inserted. They may
/// be among the loaded rows, so that a number that is the difference of others is uncertain. It is
/// certain again once loaded rows account for all of them.
struct TotalBalance: Sendable {
  /// The number of rows after the last one as first counted, less those loaded since.
  private var below: Int?
  /// The last total to which the numbers added up.
  private var total: Int?
  /// The last request whose answer had another total than before.
  private var lastChange = 0
  /// How many rows each gap has more, or fewer, since the position of a page below it was reported.
  ///
  /// These rows may be in the gap, or among the loaded rows above it.
  private var sizeChanges: [Gap.ID: Int] = [:]
  /// The gaps of unknown size whose rows were after the last one before.
  private var gapsFromBelow: Set<Gap.ID> = []
  /// Whether rows were loaded that no number included, or the total changed while one was unknown.
  private var isDoubtful = false
  /// Whether the numbers add up to the total.
  private(set) var isEven = true

  /// Whether rows that are loaded after the last one are counted.
  var isFollowing: Bool { below != nil }
  /// Whether rows that are loaded beside some gaps are counted.
  var hasGapsFromBelow: Bool { !gapsFromBelow.isEmpty }

  /// Compares the total with the numbers of rows.
  ///
  /// - Parameter below: the rows after the last one, as the difference of the total and all others;
  ///   `nil` if the size of a gap is unknown.
  mutating func compare(_ total: Int, below: Int?) {
    guard let below else {
      self.total = self.total ?? total
      isEven = total == self.total && sizeChanges.isEmpty && !isDoubtful
      return
    }
    if self.below == nil, self.total.map({ $0 != total }) == true { isDoubtful = true }
    self.below = self.below ?? below
    isEven = imbalance(below: below) == 0
    if isEven { self.total = total }
  }

  /// Returns how many rows were inserted or deleted that no number accounts for, as far as known.
  ///
  /// - Parameter below: as in `compare(_:below:)`.
  /// - Complexity: O(gaps whose sizes changed).
  func imbalance(below: Int?) -> Int? {
    guard let below, !isDoubtful else { return nil }
    return sizeChanges.values.reduce(abs(below - (self.below ?? below))) { $0 + abs($1) }
  }

  /// Returns how many rows the total has more than the numbers; `nil` if there is no number.
  func unaccounted(below: Int) -> Int? { self.below.map { below - $0 } }

  /// Notes that the answer of a request had another total.
  mutating func noteChange(of request: Int) { (isEven, lastChange) = (false, request) }

  /// Notes that all loaded rows, or the position of the last ones, were answered since a request.
  mutating func reset(since request: Int) { if request >= lastChange { reset() } }

  /// Notes that all rows are known.
  mutating func reset() {
    let change = lastChange
    self = TotalBalance()
    lastChange = change
  }

  // MARK: - Rows

  /// Removes rows that were loaded after the last one, or skipped there; `nil` if their number is
  /// unknown.
  mutating func removeBelow(_ rows: Int?) {
    if rows == nil { isDoubtful = true }
    below = below.map { $0 - (rows ?? 0) }
  }

  /// Notes that a gap of unknown size has rows that were after the last one.
  mutating func noteGapFromBelow(_ gap: Gap.ID) { gapsFromBelow.insert(gap) }

  /// Notes rows that were loaded beside a gap.
  mutating func noteLoaded(_ rows: Int, from gap: Gap.ID) {
    if gapsFromBelow.contains(gap) { removeBelow(rows) }
  }

  /// Notes the size of a gap, as the position of a page below it shows.
  ///
  /// - Parameter old: the size as it was known before; `nil` if it was unknown.
  mutating func noteSize(_ size: Int, of gap: Gap.ID, insteadOf old: Int?) {
    if gapsFromBelow.remove(gap) != nil { removeBelow(size) }
    if old != nil || !isEven { addSizeChange(size - (old ?? 0), of: gap) }
  }

  /// Notes that a gap became a part of another one, or passed its changes on to it.
  mutating func transferSizeChange(of gap: Gap.ID, to other: Gap.ID) {
    if let rows = sizeChanges.removeValue(forKey: gap) { addSizeChange(rows, of: other) }
  }

  /// Notes that a gap is no longer there.
  mutating func noteClosed(_ gap: Gap.ID) {
    sizeChanges[gap] = nil
    if gapsFromBelow.remove(gap) != nil { removeBelow(nil) }
  }

  private mutating func addSizeChange(_ rows: Int, of gap: Gap.ID) {
    let sum = (sizeChanges[gap] ?? 0) + rows
    sizeChanges[gap] = sum == 0 ? nil : sum
  }
}
