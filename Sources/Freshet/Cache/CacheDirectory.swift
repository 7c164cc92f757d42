public import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A folder of caches, which can be disabled and removed as a whole.
///
/// Use one folder for each account: signing out is then one `removeAll()`.
///
/// ```swift
/// let account = CacheDirectory.default.directory(named: user.id)
/// let feed = FeedController(source, cache: .file("home", in: account))
/// account.removeAll()  // signed out
/// ```
public struct CacheDirectory: Sendable {
  /// The app's own folder for caches: `Freshet` in the user's caches, under the app's name.
  public static let `default`: CacheDirectory = {
    let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    let caches =
      FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      ?? FileManager.default.temporaryDirectory
    return CacheDirectory(caches.appendingPathComponent(app).appendingPathComponent("Freshet"))
  }()

  /// The location of the folder, which need not exist.
  public let url: URL
  /// The limits of all feeds and archives in this folder together.
  ///
  /// The caches of an inner folder have limits of their own: the same ones unless others are set.
  public let limits: CacheLimits

  /// The folder that the app chose, and the names of the inner folders from there.
  private let base: URL
  private let names: [String]

  /// Creates a directory of caches at a folder, which need not exist.
  ///
  /// If others can write to the folder, they can destroy cached data, but cause no other harm.
  public init(_ url: URL) { self.init(url.standardizedFileURL, [], CacheLimits()) }

  private init(_ base: URL, _ names: [String], _ limits: CacheLimits) {
    self.base = base
    self.names = names
    self.limits = limits
    url = names.reduce(base) { $0.appendingPathComponent($1) }
  }

  /// A setting of this process for a folder, which applies to all folders inside.
  private struct Setting {
    var isEnabled = true
    var removals = 0
  }
  private static let settings = Locked<[String: Setting]>([:])

  /// Whether caches in this folder, and in folders inside it, are read and written.
  ///
  /// It is `true` by default. Setting it to `false` leaves the stored files.
  public var isEnabled: Bool {
    get { settings.allSatisfy(\.isEnabled) }
    nonmutating set {
      Self.settings.withLock { $0[url.path, default: Setting()].isEnabled = newValue }
    }
  }

  /// The number of times that this folder was removed with its contents.
  var removals: Int { settings.reduce(0) { $0 + $1.removals } }

  /// The settings of this folder and of the folders around it.
  private var settings: [Setting] {
    Self.settings.withLock { settings in
      var folder = url
      var found: [Setting] = []
      while folder.pathComponents.count > 1 {
        if let setting = settings[folder.path] { found.append(setting) }
        folder.deleteLastPathComponent()
      }
      return found
    }
  }

  /// Returns a folder of caches inside this one.
  ///
  /// Any name is allowed: it is hashed.
  public func directory(named name: String) -> CacheDirectory {
    directory(named: name, of: .directory)
  }

  func directory(named name: String, of kind: Kind) -> CacheDirectory {
    CacheDirectory(base, names + [self.name(for: name, of: kind)], limits)
  }

  /// Returns the same folder with other limits (rule P9).
  ///
  /// Use the same limits for all caches of a folder: each cache that is written enforces its
  /// limits on all of them.
  public func limited(to limits: CacheLimits) -> CacheDirectory {
    CacheDirectory(base, names, limits)
  }

  /// Removes every cache in this folder, and the folder if nothing else is in it.
  ///
  /// An open feed keeps its rows on screen, and stores nothing any more: create it again.
  public func removeAll() {
    Self.settings.withLock { $0[url.path, default: Setting()].removals += 1 }
    guard let folder = try? open(creating: false) else { return }
    for name in folder.names where Self.isOurs(name) { folder.remove(name) }
    // The folder stays if it contains other files, or if the app's path leads through a link.
    _ = unsafe rmdir(url.path)
  }

  /// The kind of a folder's contents; one of each kind may have the same name.
  enum Kind: String {
    case feed, archive, directory, family
  }

  /// Opens the folder; returns `nil` if there is none.
  func open(creating: Bool) throws -> CacheFolder? {
    var folder = try CacheFolder.at(base, creating: creating)
    for name in names { folder = try folder?.folder(name, creating: creating) }
    return folder
  }

  /// Returns the folder of a cache; no name leads outside this directory (rule P7).
  func folder(for name: String, of kind: Kind) -> URL {
    url.appendingPathComponent(self.name(for: name, of: kind))
  }

  /// Returns the name of the folder of a cache.
  ///
  /// The hash consists of two xxHash64 values. It is not a signature, but two names hardly share
  /// its 128 bits.
  func name(for name: String, of kind: Kind) -> String {
    let bytes = Data("\(kind):\(name)".utf8)
    let hash = [0, 1 as UInt64].map { seed in
      let digits = String(XXHash64.hash(bytes, seed: seed), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return hash.joined()
  }

  /// Whether a file or folder belongs to a cache; other files may be in the same folder.
  private static func isOurs(_ name: String) -> Bool {
    let end = name.dropFirst(32)
    return name.count >= 32 && name.prefix(32).utf8.allSatisfy("0123456789abcdef".utf8.contains)
      && (end.isEmpty || end == CacheFolder.goingSuffix || end.hasPrefix(CacheFolder.asideSuffix))
  }
}
