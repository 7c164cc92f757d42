internal import Foundation
internal import FreshetLists

extension StoredFeed {
  /// Writes the runs that a step touched, then one record that makes them count.
  mutating func save(_ commit: FeedCommit<Item>) -> Bool {
    guard directory.isEnabled else {
      needsWhole = true
      return false
    }
    open()
    guard !isOff else { return false }
    do {
      guard directory.removals == removals else {
        throw CacheFolder.Failure(lasting: "caches were removed in \(directory.url.path)")
      }
      return try store(commit)
    } catch {
      stop(error)
      return false
    }
  }

  private mutating func store(_ commit: FeedCommit<Item>) throws -> Bool {
    guard let folder = try lockedFolder() else {
      // Another one writes now; the first step after it stores everything.
      if !needsWhole {
        let path = directory.url.appendingPathComponent(folderName).path
        files.issues.append(.notSaved(reason: "another feed of this name writes \(path)"))
      }
      needsWhole = true
      return false
    }
    files.folder = folder
    defer { files.folder = nil }
    let plan = try log.plan(commit, isWhole: needsWhole, in: &files)
    needsWhole = false
    try add(plan.log, in: folder)
    return true
  }

  /// Adds to the log, or writes it anew.
  private mutating func add(_ addition: FeedLog.Plan.Log, in folder: CacheFolder) throws {
    let whole: Data
    switch addition {
    case .checkpoint(let data): whole = data
    case .record(let record, let offset):
      if try folder.append(record, to: "manifest", at: offset) { return }
      whole = try log.beginAnew()
    }
    if let reason = log.leftOut { files.leaveOut(nil, reason) }
    try folder.replace("manifest", by: whole)
    for sequence in log.takeGarbage() { folder.remove(RunFiles<Item>.name(sequence)) }
  }
}
