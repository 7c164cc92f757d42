internal import FreshetLists

/// Whether the rows that are loaded, with those that are not, explain the total that was reported.
///
/// A source may report more rows than before, but not at which places they were inserted. They may
/// be among the loaded rows, so that a number that is the difference of others is uncertain.
/// It is certain again once loaded rows account for all of them.
struct ExplainedTotal: Sendable {
  /// The number of rows after the last one as first counted, less those loaded since.
  private var below: Int?
  /// The last total that was explained.
  private var total: Int?
  /// The last request whose answer had another total than before.
  private var changedBy = 0
  /// How many rows each gap has more, or fewer, since the position of a page below it was reported.
  ///
  /// These rows may be in the gap, or among the loaded rows above it.
  private var moved: [Gap.ID: Int] = [:]
  /// The gaps of unknown size whose rows were after the last one before.
  private var fromBelow: Set<Gap.ID> = []
  /// Whether rows were loaded that no number included.
  private var isDoubtful = false
  /// Whether the total is explained.
  private(set) var isExplained = true

  /// Whether rows that are loaded after the last one are counted.
  var isFollowing: Bool { below != nil }

  /// Compares the total with the numbers of rows.
  ///
  /// - Parameter below: the rows after the last one, as the difference of the total and all others;
  ///   `nil` if the size of a gap is unknown.
  mutating func compare(_ total: Int, below: Int?) {
    guard let below else {
      self.total = self.total ?? total
      isExplained = total == self.total && moved.isEmpty && !isDoubtful
      return
    }
    let followed = self.below ?? below
    // What changed while the size of a gap was unknown may be anywhere.
    if self.below == nil, self.total.map({ $0 != total }) == true { isDoubtful = true }
    self.below = followed
    isExplained = followed == below && moved.isEmpty && !isDoubtful
    if isExplained { self.total = total }
  }

  /// Notes that the answer of a request had another total.
  mutating func noteChange(of request: Int) { (isExplained, changedBy) = (false, request) }

  /// Notes that all loaded rows, or the position of the last ones, were answered since a request.
  mutating func reset(since request: Int) { if request >= changedBy { self = ExplainedTotal() } }

  // MARK: - Rows

  /// Notes rows that were loaded after the last one, and skipped there; `nil` if their number is
  /// unknown.
  mutating func noteBelow(_ rows: Int?) {
    if rows == nil { isDoubtful = true }
    below = below.map { $0 - (rows ?? 0) }
  }

  /// Notes that a gap of unknown size has rows that were after the last one.
  mutating func noteBelow(in gap: Gap.ID) { fromBelow.insert(gap) }

  /// Notes rows that were loaded beside a gap.
  mutating func noteLoaded(_ rows: Int, from gap: Gap.ID) {
    if fromBelow.contains(gap) { noteBelow(rows) }
  }

  /// Notes the size of a gap, as the position of a page below it shows.
  ///
  /// - Parameter old: the size as it was known before; `nil` if it was unknown.
  mutating func noteSize(_ size: Int, of gap: Gap.ID, insteadOf old: Int?) {
    let isNew = fromBelow.remove(gap) != nil
    if isNew { noteBelow(size) }
    if let old {
      move(size - old, to: gap)
    } else if !isExplained {
      move(size, to: gap)
    }
  }

  /// Notes that what a gap was is a part of another one.
  mutating func noteMoved(from gap: Gap.ID, to other: Gap.ID) {
    if let rows = moved.removeValue(forKey: gap) { move(rows, to: other) }
  }

  /// Notes that there is no gap any more.
  mutating func noteClosed(_ gap: Gap.ID) {
    moved[gap] = nil
    if fromBelow.remove(gap) != nil { noteBelow(nil) }
  }

  private mutating func move(_ rows: Int, to gap: Gap.ID) {
    let sum = (moved[gap] ?? 0) + rows
    moved[gap] = sum == 0 ? nil : sum
  }
}
