import Foundation
import Freshet
import Synchronization

/// What is said beside the list, on standard error unless it is shown elsewhere.
final class Notices: Sendable {
  private let reporter = Mutex(ErrorReporter())
  private let show: @Sendable (String) -> Void

  init(
    show: @escaping @Sendable (String) -> Void = { line in
      // Nobody can be told that telling fails.
      try? StandardOutput.error.write(line.visible + "\n")
    }
  ) {
    self.show = show
  }

  /// Says what went wrong in a round of loading, or that nothing did.
  func say(_ failure: WatchFailure?) {
    print(
      reporter.withLock { reporter in
        failure.map { reporter.line(for: $0) } ?? reporter.recovery()
      })
  }

  /// Says something once.
  func note(_ text: String, about subject: String) {
    print(reporter.withLock { $0.note(text, about: subject) })
  }

  /// Says what is wrong with the cache, each kind of trouble once.
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
