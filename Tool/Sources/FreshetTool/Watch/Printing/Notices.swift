import Foundation
import Freshet
import Synchronization

/// The messages beside the list, on standard error unless they are shown elsewhere.
final class Notices: Sendable {
  private let reporter = Mutex(ErrorReporter())
  private let show: @Sendable (String) -> Void

  init(
    show: @escaping @Sendable (String) -> Void = { line in
      // A failure to write a message cannot be reported.
      try? StandardOutput.error.write(line.visible + "\n")
    }
  ) {
    self.show = show
  }

  /// Reports the failure of a round of loading, or the recovery if it did not fail.
  func say(_ failure: WatchFailure?) {
    print(
      reporter.withLock { reporter in
        failure.map { reporter.line(for: $0) } ?? reporter.recovery()
      })
  }

  /// Reports a note, once for each subject.
  func note(_ text: String, about subject: String) {
    print(reporter.withLock { $0.note(text, about: subject) })
  }

  /// Reports a problem of the cache, once for each kind.
  func say(_ issue: CacheIssue) {
    let subject =
      switch issue {
      case .damagedRows: "damaged rows"
      case .unreadable: "unreadable cache"
      case .notSaved: "cache not saved"
      case .leftOut: "rows not saved"
      @unknown default: issue.description
      }
    note("\(issue)", about: subject)
  }

  private func print(_ line: String?) {
    if let line { show(line) }
  }
}
