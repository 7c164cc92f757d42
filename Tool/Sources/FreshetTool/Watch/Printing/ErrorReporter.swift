/// What is said on standard error, each thing once.
struct ErrorReporter {
  private var failures: Set<String> = []
  private var notes: Set<String> = []

  /// The line that says a failure, unless it was said since the source was last reached.
  mutating func line(for failure: WatchFailure) -> String? {
    failures.insert(failure.summary).inserted ? "Error: \(failure)" : nil
  }

  /// The line that says that all is well again, if anything was wrong.
  mutating func recovery() -> String? {
    guard !failures.isEmpty else { return nil }
    failures = []
    return "Reached again."
  }

  /// The line of a note, unless one about the same was said before.
  mutating func note(_ text: String, about subject: String) -> String? {
    notes.insert(subject).inserted ? "Note: \(text)" : nil
  }
}
