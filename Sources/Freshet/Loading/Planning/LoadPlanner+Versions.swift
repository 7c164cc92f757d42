internal import FreshetLists

// The states of a source that numbers them (rule W9).
extension LoadPlanner {
  /// The number of times that a load restarts because the source changed meanwhile.
  ///
  /// After that, a refresh follows the load instead.
  private static var restartLimit: Int { 8 }

  /// Returns whether changes are newer than all changes so far, and records them.
  ///
  /// Changes without a number always are.
  mutating func isNews(_ version: Int?) -> Bool {
    guard isNewer(version) else { return false }
    if let version { sourceVersion = version }
    return true
  }

  /// Returns whether changes are newer than all changes so far.
  func isNewer(_ version: Int?) -> Bool {
    guard let version, let sourceVersion else { return true }
    return version > sourceVersion
  }

  /// Returns the decision for a load with a page that is older than changes since.
  ///
  /// It is `nil` if all of its pages include the changes.
  mutating func compareVersion(
    of page: Page<AnyItem, PageKey>, for load: inout Load, in timeline: Timeline
  ) -> PageDecision? {
    guard let version = page.version else { return nil }
    let oldest = min(load.walk.version ?? version, version)
    load.walk.version = oldest
    guard let sourceVersion, oldest < sourceVersion else { return nil }
    guard load.walk.outdatedPages < Self.restartLimit else {
      followUp.join(nil, for: .refresh, load.scope)
      return nil
    }
    load.walk.outdatedPages += 1
    return .wait(restart(load, in: timeline))
  }
}
