internal import Foundation
internal import FreshetLists

/// The state of a `FileFeedCache`: what it knows of the feed on disk.
struct StoredFeed<Item: ListItem>: Sendable {
  let directory: CacheDirectory
  /// The name of its folder.
  let folderName: String
  /// How often the directory had been removed when this cache was created.
  let removals: Int
  /// Limits do not remove a cache that is in use.
  private let use: CacheRegistry.Mark

  var log: FeedLog
  var files: RunFiles<Item>
  /// Whether the log was read.
  var isOpen = false
  /// How the list begins, where no more than that was read of the log, and which of its entries
  /// could not be read.
  private(set) var beginning: (found: FeedManifest.Beginning, lost: [Int])?
  /// Where the rest of the list begins in the log, if that is not the one whose beginning was read.
  var firstRestEntry: Int?
  /// How long a log is that ends with how the list begins: a shorter one is read as a whole.
  let longLog: Int
  /// The checksum of the log when it was read.
  var logChecksum: UInt64?
  /// How many entries the first rows came from, and how many rows those were.
  var loadedEntries = 0
  var loadedRows = 0
  /// Whether a step was missed: the next one stores all rows.
  var needsWhole = false
  /// Whether the file system failed: nothing is stored any more.
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

  /// Its folder; `nil` if there is none.
  func folder(creating: Bool) throws -> CacheFolder? {
    use.waitForRemoval()
    return try directory.open(creating: creating)?.folder(folderName, creating: creating)
  }

  /// Reads the beginning of the list if a long log ends with it, or else all of the log.
  mutating func openBeginning() {
    guard !isOpen, beginning == nil else { return }
    guard let found = readBeginning(), found.count <= directory.limits.rows ?? .max else {
      return open()
    }
    beginning = (found, [])
    begin(FeedLog(found, name: log.name, version: log.version))
  }

  /// How the list begins, as the log on disk ends.
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

  /// Replaces a run that cannot be read by a gap.
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
      // It is torn, or another one wrote meanwhile: what is shown stays.
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
