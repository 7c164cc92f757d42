/// The messages on standard error, each reported once.
struct ErrorReporter {
  private var failures: Set<String> = []
  private var notes: Set<String> = []

  /// Returns the line for a failure, unless it was reported since the source was last reached.
  mutating func line(for failure: WatchFailure) -> String? {
    failures.insert(failure.summary).inserted ? "Error: \(failure)" : nil
  }

  /// Returns the line that reports a recovery, if there was a failure.
  mutating func recovery() -> String? {
    guard !failures.isEmpty else { return nil }
    failures = []
    return "Reached again."
  }

  /// Returns the line of a note, unless one on the same subject was reported before.
  mutating func note(_ text: String, about subject: String) -> String? {
    notes.insert(subject).inserted ? "Note: \(text)" : nil
  }
}
