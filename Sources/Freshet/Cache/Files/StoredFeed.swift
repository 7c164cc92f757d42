internal import Foundation
internal import FreshetLists

/// What a `FileFeedCache` knows of the feed on disk.
struct StoredFeed<Item: ListItem>: Sendable {
  let directory: CacheDirectory
  /// The name of its folder.
  let folderName: String
  /// How often the directory had been removed when this cache was created.
  let removals: Int
  /// Limits take it away from nobody.
  private let use: CachesInUse.Mark

  var log: FeedLog
  var files: RunFiles<Item>
  /// Whether the log was read.
  var isOpen = false
  /// The checksum of the log when it was read.
  var logChecksum: UInt64?
  /// How many entries the first rows came from.
  var loadedEntries = 0
  /// Whether a step was missed: the next one stores all rows.
  var needsWhole = false
  /// Whether the file system failed: nothing is stored any more.
  var isOff = false
  var lock: FileLock?

  init(
    name: String, version: Int, directory: CacheDirectory, coder: any ValueCoder<Item>,
    removals: Int? = nil
  ) {
    self.directory = directory
    folderName = directory.name(for: name, of: .feed)
    self.removals = removals ?? directory.removals
    use = CachesInUse.files.mark(directory.useName(of: folderName)) {
      directory.enforceLimitsSoon()
    }
    log = FeedLog(name: name, version: version)
    files = RunFiles(seed: log.runSeed, coder: coder)
  }

  /// Its folder; `nil` where there is none.
  func folder(creating: Bool) throws -> CacheFolder? {
    use.waitForRemoval()
    return try directory.open(creating: creating)?.folder(folderName, creating: creating)
  }

  /// Reads the log, once.
  mutating func open() {
    guard !isOpen else { return }
    isOpen = true
    let (name, version) = (log.name, log.version)
    begin(FeedLog(name: name, version: version))
    do {
      let text = try folder(creating: false)?.contents(of: "manifest", limit: FeedManifest.limit)
      guard let text else { return }
      logChecksum = XXHash64.hash(text)
      begin(try FeedLog(text, name: name, version: version))
      if let limit = directory.limits.rows { log.keep(limit) }
    } catch FeedManifest.Unreadable.otherVersion, FeedManifest.Unreadable.otherName {
      // Another list's rows are none of this one: they are overwritten.
    } catch {
      files.issues.append(.unreadable(reason: "\(error)"))
      // What cannot be read now is not damaged, and must not be overwritten.
      if Self.isLasting(error) { files.damaged.append("manifest") } else { isOff = true }
    }
  }

  /// Replaces the log, and the seed of the runs' checksums with it.
  private mutating func begin(_ log: FeedLog) {
    self.log = log
    files.seed = log.runSeed
  }

  /// Whether waiting does not help: then what cannot be read makes way for the next step.
  static func isLasting(_ error: any Error) -> Bool {
    error is FeedManifest.Unreadable || (error as? CacheFolder.Failure)?.isLasting == true
  }

  /// Lets others write.
  ///
  /// A later step takes over again.
  mutating func close() {
    guard let lock else { return }
    lock.write(rows: log.manifest.count)
    self.lock = nil
    LockReleases.shared.tell(directory.useName(of: folderName))
    directory.enforceLimitsSoon()
  }

  /// Lets others write until the next step, which sees whether anybody did.
  ///
  /// - Complexity: O(entries).
  mutating func rest() {
    guard lock != nil else { return }
    let text = try? folder(creating: false)?.contents(of: "manifest", limit: FeedManifest.limit)
    logChecksum = text.map { XXHash64.hash($0) }
    close()
  }

  /// Stores nothing any more.
  mutating func stop(_ error: any Error) {
    if !isOff { files.issues.append(.notSaved(reason: "\(error)")) }
    isOff = true
  }

  /// Forgets everything stored.
  mutating func removeAll() {
    let issues = files.issues
    self = StoredFeed(
      name: log.name, version: log.version, directory: directory, coder: files.coder,
      removals: removals)
    files.issues = issues
    isOpen = true
    needsWhole = true
    if let directory = try? directory.open(creating: false) { directory.remove(folderName) }
  }

  mutating func takeIssues() -> [CacheIssue] {
    defer { files.issues = [] }
    return files.issues
  }
}
