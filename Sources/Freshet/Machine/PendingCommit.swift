internal import FreshetLists

/// What is to be stored with the next step.
struct PendingCommit: Sendable {
  /// Whether what is stored is not the list before the next step.
  var isWhole = false
  /// Whether the reader's place and the time of the last refresh are stored.
  var isPlaceSaved = true
  /// The rows for which another key is known.
  var keyed: [RowID] = []
  /// What is stored of the page at the head.
  var page: CachedPage?
}
