/// Rows side by side of a run that is stored.
///
/// A run is written once. Where one of its rows changes or goes, the list has the parts of it above
/// and below that row: an edit writes no more than what it changed (rule P4).
struct RunPart: Equatable {
  /// The number of the run.
  let sequence: UInt64
  /// The rows, as the run counts them.
  var rows: Range<Int>
  /// How many rows the run has in all.
  let total: Int

  /// Whether these are all its rows.
  var isWhole: Bool { rows.count == total }
}
