internal import Foundation

// Taking the lock, and cleaning up before the first write.
extension FileFeedState {
  /// Returns the folder once this cache holds its lock; `nil` if another cache holds it.
  mutating func lockedFolder() throws -> CacheFolder? {
    guard let folder = try folder(creating: lock == nil) else {
      throw CacheFolder.Failure(lasting: "the folder of the cache was removed")
    }
    if let lock {
      guard folder.holds(lock, "lock") else {
        throw CacheFolder.Failure(lasting: "\(folder.path) was removed")
      }
      return folder
    }
    lock = try folder.lock("lock")
    guard lock != nil else { return nil }
    try readAgain(in: folder)
    log.skipNumbers()
    sweep(folder)
    directory.enforceLimitsSoon()
    return folder
  }

  /// Reads the log again if another cache wrote since it was read.
  ///
  /// The next step then stores all rows.
  private mutating func readAgain(in folder: CacheFolder) throws {
    var log: Data?
    do {
      log = try folder.contents(of: "manifest", limit: FeedManifest.limit)
    } catch let failure as CacheFolder.Failure where failure.isLasting {
      // The file is not a log of ours: it is set aside.
    }
    if log.map({ XXHash64.hash($0) }) == logChecksum {
      for file in files.damaged { try folder.setAside(file) }
    } else {
      let issues = files.issues
      isOpen = false
      open()
      files.issues = issues
      needsWhole = true
    }
    files.damaged = []
    if isOff { throw CacheFolder.Failure("cannot be read now:", folder.path, EAGAIN) }
  }

  /// Removes the leftovers of a crash: runs that no entry names, and files that were not renamed.
  private func sweep(_ folder: CacheFolder) {
    let known = Set((log.manifest.sequences + log.garbage).map(RunFile.name))
    for name in folder.names {
      let isRun = name.first == "p" && UInt64(name.dropFirst()) != nil
      if isRun && !known.contains(name) || name.hasSuffix(".new") { folder.remove(name) }
    }
  }
}
