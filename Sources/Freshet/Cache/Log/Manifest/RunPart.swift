/// Adjacent rows of a stored run.
///
/// A run is written once and never changes. When one of its rows is edited or deleted, the list
/// keeps the part above that row and the part below it. So an edit writes only what it changed
/// (rule P4).
struct RunPart: Equatable {
  /// The number of the run.
  let sequence: UInt64
  /// The rows, by their indices in the run.
  var rows: Range<Int>
  /// The number of all rows of the run.
  let total: Int

  /// Whether these are all rows of the run.
  var isWhole: Bool { rows.count == total }
}
