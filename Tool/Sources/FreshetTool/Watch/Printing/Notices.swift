import Foundation
import Freshet
import Synchronization

/// Standard error, and what was said there.
final class Notices: Sendable {
  private let complaints = Mutex(Complaints())

  /// Says what went wrong in a round of loading, or that nothing did.
  func say(_ failure: WatchFailure?) {
    print(
      complaints.withLock { complaints in
        failure.map { complaints.line(for: $0) } ?? complaints.recovery()
      })
  }

  /// Says something once.
  func note(_ text: String, about subject: String) {
    print(complaints.withLock { $0.note(text, about: subject) })
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
    note("\(issue) The list itself is not affected.", about: subject)
  }

  private func print(_ line: String?) {
    guard let line else { return }
    // Nobody can be told that telling fails.
    try? StandardOutput.error.write(line.visible + "\n")
  }
}
