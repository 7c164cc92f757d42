internal import Foundation
public import FreshetLists

/// A feed on disk: a folder with a file for each run of rows and a manifest log in which one record
/// is one commit.
///
/// A crash or power loss at any byte leaves the state before or after a commit (rule P2). Every
/// file is checksummed: damaged rows become a gap, a damaged manifest an empty cache, or the first
/// rows and a gap (rule P3). A second process that opens the same feed reads it and does not write.
/// Others who can write to the folder can spoil what is in it, and nothing else (rule P10).
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
/// stay, and the manifest says which rows of them count. Adjacent files of a few rows are joined
/// when there are many, and the rest of a file is written again when a step leaves less than half
/// of its rows. Until then the bytes of a deleted row are on disk.
///
/// The first screen takes the same time however many rows are stored and however many pages they
/// came in (rule P1): of a manifest of more than 32 kB only both ends are read for it, unless page
/// keys are so long that they do not fit there, or the limits of the directory let rows go. The
/// other rows are decoded on all cores.
///
/// A row of more than 16 MB, or one that its coder cannot read back, is left out, and so is a page
/// key of more than 64 kB: the next launch asks the source again.
///
/// ```swift
/// let cache = FileFeedCache<Post>("home", version: 2, coder: JSONCoder())
/// let feed = Feed(source, cache: FeedCacheChoice(cache))
/// ```
public final class FileFeedCache<Item: ListItem>: FeedCache, ErasedCache, LockingCache {
  private let state: Locked<StoredFeed<Item>>
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
    coder: some ValueCoder<Item>, locks: LockPool, longLog: Int = StoredFeed<Item>.longLog
  ) {
    self.locks = locks
    lockName = directory.useName(of: directory.name(for: name, of: .feed))
    state = Locked(
      StoredFeed(
        name: name, version: version, directory: directory, coder: coder, longLog: longLog))
  }

  /// Lets another process, or another cache of this name, write.
  ///
  /// A later save takes over again.
  func close() { state.withLock { $0.close() } }

  /// Lets others write until the next step.
  func rest() { state.withLock { $0.rest() } }

  /// The first rows that can be read, enough for a screen.
  public func loadFirst() -> CachedRows<Item>? { loadFirstErased()?.typed() }

  /// The rows of all other runs.
  public func loadRest() -> CachedRows<Item> { loadRestErased().typed() }

  /// Some of the rows; `nil` if other rows are stored than the feed assumes.
  public func load(_ range: Range<Int>, of count: Int) -> [CachedRows<Item>.Row]? {
    state.withLock { $0.load(range, of: count) }
  }

  func loadFirstErased() -> CachedRows<AnyItem>? { state.withLock { $0.loadFirst() } }

  func loadRestErased() -> CachedRows<AnyItem> { state.withLock { $0.loadRest() } }

  /// Writes the runs that a step touched, then one record that makes them count.
  @discardableResult
  public func save(_ commit: FeedCommit<Item>) -> Bool {
    let (isStored, isLocked) = state.withLock { ($0.save(commit), $0.lock != nil) }
    if isLocked { locks.note(self) }
    return isStored
  }

  /// Forgets everything that is stored of this feed, and removes its files.
  public func removeAll() { state.withLock { $0.removeAll() } }

  /// What went wrong since the last call.
  public func takeIssues() -> [CacheIssue] { state.withLock { $0.takeIssues() } }
}

extension FeedCacheChoice where Item: Codable {
  /// A folder on disk, rows as JSON.
  ///
  /// - Parameters:
  ///   - name: any text; it is hashed.
  ///   - version: the version of the items' type; rows of another version are not shown. Count it
  ///     up too where a decoder reads the same body otherwise: a page that the source calls
  ///     unchanged is the rows that are stored.
  ///   - directory: the folder of caches.
  public static func file(
    _ name: String, version: Int = 1, in directory: CacheDirectory = .default
  ) -> FeedCacheChoice {
    FeedCacheChoice(FileFeedCache(name, version: version, in: directory, coder: JSONCoder()))
  }
}

/// A cache that keeps others from writing while it does.
protocol LockingCache: AnyObject, Sendable {
  /// What the lock is of: caches with one name keep each other from writing.
  var lockName: String { get }
  /// Lets others write.
  func close()
  /// Lets others write until the next step.
  func rest()
}
