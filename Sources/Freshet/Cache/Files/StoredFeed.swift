internal import Foundation
internal import FreshetLists

/// What a `FileFeedCache` knows of the feed on disk.
struct StoredFeed<Item: ListItem>: Sendable {
  let name: String
  let version: Int
  let directory: CacheDirectory
  let coder: any ValueCoder<Item>
  /// The name of its folder.
  let folderName: String
  /// How often the directory had been removed when this cache was created.
  let removals: Int

  /// `nil` until it is read.
  var manifest: FeedManifest?
  var issues: [CacheIssue] = []
  /// The checksum of the log when it was read.
  var logChecksum: UInt64?
  /// The length of the log that is whole, and of its checkpoint.
  var length = 0
  var checkpoint = 0
  /// The number of the next run: later than that of any run that the log names or named, so that a log
  /// which loses its end names no other run than it did.
  var nextSequence: UInt64 = 1
  /// How many entries the first rows came from.
  var loadedEntries = 0
  /// Files that no entry names any more, to be removed once the log no longer names them either.
  var garbage: [UInt64] = []
  /// Files to be set aside by whoever may write.
  var damaged: [String] = []
  var needsCheckpoint = true
  /// Whether a step was missed: the next one stores all rows.
  var needsWhole = false
  /// Whether the file system failed: nothing is stored any more.
  var isOff = false
  var lock: FileLock?
  /// What was reported as left out, so that it is once.
  var leftOut: Set<Item.ID> = []
  var hasLeftOutKeys = false

  init(
    name: String, version: Int, directory: CacheDirectory, coder: some ValueCoder<Item>
  ) {
    self.name = name
    self.version = version
    self.directory = directory
    self.coder = coder
    folderName = directory.name(for: name, of: .feed)
    removals = directory.removals
  }

  /// Its folder; `nil` where there is none.
  func folder(creating: Bool) throws -> CacheFolder? {
    try directory.open(creating: creating)?.folder(folderName, creating: creating)
  }

  static func file(_ sequence: UInt64) -> String { "p\(sequence)" }

  /// Reads the manifest, once.
  mutating func open() {
    guard manifest == nil else { return }
    manifest = FeedManifest()
    do {
      let log = try folder(creating: false)?.contents(of: "manifest", limit: FeedManifest.limit)
      guard let log else { return }
      logChecksum = XXHash64.hash(log)
      let (manifest, length, checkpoint, lastSequence) = try FeedManifest.read(
        log, name: name, version: version)
      needsCheckpoint = length < log.count
      self.manifest = manifest
      self.length = length
      self.checkpoint = checkpoint
      nextSequence = lastSequence + 1
    } catch FeedManifest.Unreadable.otherVersion, FeedManifest.Unreadable.otherName {
      // Another list's rows are none of this one: they are overwritten.
    } catch {
      issues.append(.unreadable(reason: "\(error)"))
      // What cannot be read now is not damaged, and must not be overwritten.
      if Self.isLasting(error) { damaged.append("manifest") } else { isOff = true }
    }
  }

  /// Whether waiting does not help: then what cannot be read makes way for the next step.
  static func isLasting(_ error: any Error) -> Bool {
    error is FeedManifest.Unreadable || (error as? CacheFolder.Failure)?.isLasting == true
  }

  /// Stores nothing any more.
  mutating func stop(_ error: any Error) {
    if !isOff { issues.append(.notSaved(reason: "\(error)")) }
    isOff = true
  }

  /// Forgets everything stored.
  mutating func removeAll() {
    let (issues, coder) = (issues, coder)
    self = StoredFeed(name: name, version: version, directory: directory, coder: coder)
    self.issues = issues
    manifest = FeedManifest()
    needsWhole = true
    if let directory = try? directory.open(creating: false) { directory.remove(folderName) }
  }

  mutating func takeIssues() -> [CacheIssue] {
    defer { issues = [] }
    return issues
  }
}
