internal import Foundation
public import FreshetLists

/// A feed on disk: a folder with a manifest log, and a file for each run of rows.
///
/// One record of the log is one commit. A crash or power loss at any byte leaves the state before
/// or after a commit (rule P2). Every file is checksummed: damaged rows become a gap. A damaged
/// manifest becomes an empty cache, or the first rows and a gap (rule P3). A second process that
/// opens the same feed reads it and does not write. Others who can write to the folder can destroy
/// its contents, but cause no other harm (rule P10).
///
/// ```
/// <directory>/<hash of the name>/   folder 0700, files 0600
///   lock                            held by the process that writes; says how many rows there are
///   manifest                        checkpoint, then commits; at the end of a long one how the
///                                   list begins
///   p<sequence>                     rows, immutable once referenced
///   damaged                         the last file that could not be read
/// ```
///
/// A step writes the rows that were inserted or updated (rule P4). The files of their neighbours
/// stay, and the manifest records which of their rows count. Adjacent files of a few rows are
/// joined when there are many. If a step leaves less than half of a file's rows, the rest is
/// written again; until then, the bytes of a deleted row stay on disk.
///
/// The time to the first screen does not depend on the number of rows and pages (rule P1). Of a
/// manifest of more than 32 kB, only both ends are read for it. The exceptions are page keys that
/// are too long to fit there, and limits of the directory that remove rows. The other rows are
/// decoded on all cores.
///
/// A row is left out if it has more than 16 MB, or if its coder cannot read it back. So is a page
/// key of more than 64 kB. After the next launch, the source is asked for them again.
///
/// ```swift
/// let cache = FileFeedCache<Post>("home", version: 2, coder: JSONCoder())
/// let feed = Feed(source, cache: FeedCacheChoice(cache))
/// ```
public final class FileFeedCache<Item: ListItem>: FeedCache, ErasedCache, LockingCache {
  private let state: Locked<FileFeedState<Item>>
  private let locks: LockPool
  let lockName: String

  /// Creates the cache of a feed.
  ///
  /// - Parameters:
  ///   - name: any text; it is hashed.
  ///   - version: the version of the items' type; rows of another version are not shown.
  ///   - directory: the folder of caches.
  ///   - coder: turns items into bytes and back.
  public convenience init(
    _ name: String, version: Int = 1, in directory: CacheDirectory = .default,
    coder: some ValueCoder<Item>
  ) {
    self.init(name, version: version, in: directory, coder: coder, locks: .shared)
  }

  init(
    _ name: String, version: Int = 1, in directory: CacheDirectory,
    coder: some ValueCoder<Item>, locks: LockPool, longLog: Int = FileFeedState<Item>.longLog
  ) {
    self.locks = locks
    lockName = directory.useName(of: directory.name(for: name, of: .feed))
    state = Locked(
      FileFeedState(
        name: name, version: version, directory: directory, coder: coder, longLog: longLog))
  }

  /// Releases the lock, so that another process or another cache of this name can write.
  ///
  /// A later save takes the lock again.
  func close() { state.withLock { $0.close() } }

  /// Releases the lock until the next step.
  func rest() { state.withLock { $0.rest() } }

  /// Returns the first rows that can be read, enough for a screen.
  public func loadFirst() -> CachedRows<Item>? { loadFirstErased()?.typed() }

  /// Returns the rows of all other runs.
  public func loadRest() -> CachedRows<Item> { loadRestErased().typed() }

  /// Returns some of the rows; `nil` if other rows are stored than the feed assumes.
  public func load(_ range: Range<Int>, of count: Int) -> [CachedRows<Item>.Row]? {
    state.withLock { $0.load(range, of: count) }
  }

  func loadFirstErased() -> CachedRows<AnyItem>? { state.withLock { $0.loadFirst() } }

  func loadRestErased() -> CachedRows<AnyItem> { state.withLock { $0.loadRest() } }

  /// Writes the runs that a step changed, then one record that makes them count.
  @discardableResult
  public func save(_ commit: FeedCommit<Item>) -> Bool {
    let (isStored, isLocked) = state.withLock { ($0.save(commit), $0.lock != nil) }
    if isLocked { locks.note(self) }
    return isStored
  }

  /// Removes everything that is stored of this feed, with its files.
  public func removeAll() { state.withLock { $0.removeAll() } }

  /// Returns the problems since the last call.
  public func takeIssues() -> [CacheIssue] { state.withLock { $0.takeIssues() } }
}

extension FeedCacheChoice where Item: Codable {
  /// Returns a choice of a folder on disk, with the rows as JSON.
  ///
  /// - Parameters:
  ///   - name: any text; it is hashed.
  ///   - version: the version of the items' type; rows of another version are not shown. Raise it
  ///     also if a decoder reads the same body differently: for a page that the source reports as
  ///     unchanged, the stored rows are used.
  ///   - directory: the folder of caches.
  public static func file(
    _ name: String, version: Int = 1, in directory: CacheDirectory = .default
  ) -> FeedCacheChoice {
    FeedCacheChoice(FileFeedCache(name, version: version, in: directory, coder: JSONCoder()))
  }
}

/// A cache that holds a lock while it writes, so that no other cache does.
protocol LockingCache: AnyObject, Sendable {
  /// The name of the lock, which caches with the same name share.
  var lockName: String { get }
  /// Releases the lock.
  func close()
  /// Releases the lock until the next step.
  func rest()
}
