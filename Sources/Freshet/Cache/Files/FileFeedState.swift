internal import Foundation
internal import FreshetLists

/// The state of a `FileFeedCache`: its knowledge of the feed on disk.
struct FileFeedState<Item: ListItem>: Sendable {
  let directory: CacheDirectory
  /// The name of the feed's folder.
  let folderName: String
  /// The number of times the directory had been removed when this cache was created.
  let removals: Int
  /// Marks the cache as in use, so that limits do not remove it.
  private let use: CacheRegistry.Mark

  var log: FeedLog
  var files: RunFiles<Item>
  /// Whether the log was read.
  var isOpen = false
  /// The beginning of the list and its unreadable entries, if only that was read of the log.
  private(set) var beginning: (found: FeedManifest.Beginning, lost: [Int])?
  /// The first entry of the rest of the list, if the log differs from the beginning that was read.
  var firstRestEntry: Int?
  /// The length from which on a log ends with the beginning of the list.
  ///
  /// A shorter log is read as a whole.
  let longLog: Int
  /// The checksum of the log when it was read.
  var logChecksum: UInt64?
  /// The number of entries that contained the first rows, and the number of these rows.
  var loadedEntries = 0
  var loadedRows = 0
  /// Whether a step was missed: the next one stores all rows.
  var needsWhole = false
  /// Whether the file system failed, so that nothing is stored any more.
  var isOff = false
  var lock: FileLock?

  static var longLog: Int { 32 << 10 }

  init(
    name: String, version: Int, directory: CacheDirectory, coder: any ValueCoder<Item>,
    removals: Int? = nil, longLog: Int = Self.longLog
  ) {
    self.longLog = longLog
    self.directory = directory
    folderName = directory.name(for: name, of: .feed)
    self.removals = removals ?? directory.removals
    use = CacheRegistry.files.mark(directory.useName(of: folderName)) {
      directory.enforceLimitsSoon()
    }
    log = FeedLog(name: name, version: version)
    files = RunFiles(seed: log.runSeed, coder: coder)
  }

  /// Opens the feed's folder; returns `nil` if there is none.
  func folder(creating: Bool) throws -> CacheFolder? {
    use.waitForRemoval()
    return try directory.open(creating: creating)?.folder(folderName, creating: creating)
  }

  /// Reads the beginning of the list if the log ends with it, otherwise the whole log.
  mutating func openBeginning() {
    guard !isOpen, beginning == nil else { return }
    guard let found = readBeginning(), found.count <= directory.limits.rows ?? .max else {
      return open()
    }
    beginning = (found, [])
    begin(FeedLog(found, name: log.name, version: log.version))
  }

  /// Reads the beginning of the list from the end of the log on disk.
  func readBeginning() -> FeedManifest.Beginning? {
    let ends = try? folder(creating: false)?.ends(
      of: "manifest", first: FeedManifest.ownerLength(log.name),
      last: FeedManifest.Beginning.limit, from: longLog, limit: FeedManifest.limit)
    guard let (first, last) = ends,
      let moment = FeedManifest.moment(of: first, name: log.name, version: log.version)
    else { return nil }
    return FeedManifest.Beginning.read(
      last, name: log.name, version: log.version, moment: moment)?.beginning
  }

  /// Replaces an unreadable run with a gap.
  mutating func lose(_ index: Int) {
    log.lose(index)
    beginning?.lost.append(index)
  }

  /// Reads the log, once.
  mutating func open() {
    guard !isOpen else { return }
    let part = beginning
    beginning = nil
    readLog()
    guard let part else { return }
    if log.starts(with: part.found) {
      for index in part.lost { log.lose(index) }
    } else {
      // The log is torn, or another cache wrote meanwhile: the rows on display stay.
      firstRestEntry = log.index(after: part.found)
      needsWhole = true
    }
  }

  private mutating func readLog() {
    isOpen = true
    let (name, version) = (log.name, log.version)
    begin(FeedLog(name: name, version: version))
    do {
      let text = try folder(creating: false)?.contents(of: "manifest", limit: FeedManifest.limit)
      guard let text else { return }
      logChecksum = XXHash64.hash(text)
      begin(try FeedLog(text, name: name, version: version))
      if let limit = directory.limits.rows { log.trim(to: limit) }
    } catch FeedManifest.Unreadable.otherVersion, FeedManifest.Unreadable.otherName {
      // The rows belong to another list: they are overwritten.
    } catch {
      files.issues.append(.unreadable(reason: "\(error)"))
      // A file that cannot be read now is not damaged, and must not be overwritten.
      if Self.isLasting(error) { files.damaged.append("manifest") } else { isOff = true }
    }
  }

  /// Replaces the log, and the seed of the runs' checksums with it.
  private mutating func begin(_ log: FeedLog) {
    self.log = log
    files.seed = log.runSeed
  }

  /// Whether an error is permanent: then the next step replaces the unreadable file.
  static func isLasting(_ error: any Error) -> Bool {
    error is FeedManifest.Unreadable || (error as? CacheFolder.Failure)?.isLasting == true
  }

  /// Releases the lock.
  ///
  /// A later step takes the lock again.
  mutating func close() {
    guard let lock else { return }
    lock.write(rows: log.manifest.count)
    self.lock = nil
    LockReleases.shared.tell(directory.useName(of: folderName))
    directory.enforceLimitsSoon()
  }

  /// Releases the lock until the next step, which detects whether another cache wrote.
  ///
  /// - Complexity: O(entries).
  mutating func rest() {
    guard lock != nil else { return }
    let text = try? folder(creating: false)?.contents(of: "manifest", limit: FeedManifest.limit)
    logChecksum = text.map { XXHash64.hash($0) }
    close()
  }

  /// Stops storing, because of an error.
  mutating func stop(_ error: any Error) {
    if !isOff { files.issues.append(.notSaved(reason: "\(error)")) }
    isOff = true
  }

  /// Removes everything that is stored.
  mutating func removeAll() {
    let issues = files.issues
    self = FileFeedState(
      name: log.name, version: log.version, directory: directory, coder: files.coder,
      removals: removals, longLog: longLog)
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
