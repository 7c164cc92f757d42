internal import Foundation
internal import FreshetLists

extension FileFeedState {
  /// Writes the runs that a step changed, then one record that makes them count.
  mutating func save(_ commit: FeedCommit<Item>) -> Bool {
    guard directory.isEnabled else {
      needsWhole = true
      return false
    }
    open()
    guard !isOff else { return false }
    do {
      try checkRemovals()
      guard let folder = try lockedFolder() else {
        // The first step after the writes of the other cache stores all rows.
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
      if let reason = log.leftOut { files.leaveOut(nil, reason) }
      needsWhole = false
      try perform(plan, in: folder)
      // Caches may have been removed meanwhile. A removal is counted before the first file is
      // deleted.
      do {
        try checkRemovals()
      } catch {
        for name in folder.names { folder.remove(name) }
        throw error
      }
      return true
    } catch {
      stop(error)
      return false
    }
  }

  private func checkRemovals() throws {
    guard directory.removals == removals else {
      throw CacheFolder.Failure(lasting: "caches were removed in \(directory.url.path)")
    }
  }

  /// The end of a long log.
  private var trailer: Data { log.size.length < longLog ? Data() : log.trailer }

  /// Appends to the log, or rewrites it.
  private mutating func perform(_ plan: FeedLog.Plan, in folder: CacheFolder) throws {
    let start = log.size.length - plan.text.count
    if !plan.beginsAnew, try folder.append(plan.text + trailer, to: "manifest", at: start) {
      return
    }
    let whole = plan.beginsAnew ? plan.text : try log.beginAnew()
    if let reason = log.leftOut { files.leaveOut(nil, reason) }
    try folder.replace("manifest", by: whole + trailer)
    for sequence in log.garbage { folder.remove(RunFile.name(sequence)) }
    log.garbage = []
    lock?.write(rows: log.manifest.count)
    directory.enforceLimitsSoon()
  }
}
