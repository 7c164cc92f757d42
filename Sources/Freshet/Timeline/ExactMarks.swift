/// The rows whose keys lead on right from what the rows are now.
///
/// A key leads past the row that its answer ended with. Where that row went or changed, the key
/// stays with the row that is there now, and what belongs between the two is on no page that it
/// leads to: only a list whose order is known can tell.
struct ExactMarks<ID: Hashable & Sendable>: Sendable {
  /// The rows that ended the answer which said what continues them.
  var ends: Set<ID> = []
  /// The rows that began the answer which said what leads up to them.
  var starts: Set<ID> = []

  /// The row went, or is something else now.
  mutating func remove(_ id: ID) {
    if !ends.isEmpty { ends.remove(id) }
    if !starts.isEmpty { starts.remove(id) }
  }
}
