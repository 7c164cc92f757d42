public import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A folder of caches, which can be switched off and thrown away as a whole.
///
/// Use one for each account: signing out is then one `removeAll()`.
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

  /// Where the folder is; it need not exist.
  public let url: URL
  /// How much the feeds and archives in this folder may come to together.
  ///
  /// Those in a folder inside are bounded there, by the same limits unless it is given others.
  public let limits: CacheLimits

  /// The folder that the app chose, and the way from there through folders of ours.
  private let base: URL
  private let names: [String]

  /// Creates a directory of caches at a folder, which need not exist.
  ///
  /// Others may be able to write to it: what they put there can cost what is cached, and no more.
  public init(_ url: URL) { self.init(url.standardizedFileURL, [], CacheLimits()) }

  private init(_ base: URL, _ names: [String], _ limits: CacheLimits) {
    self.base = base
    self.names = names
    self.limits = limits
    url = names.reduce(base) { $0.appendingPathComponent($1) }
  }

  /// What this process said about a folder, and with it about all folders inside.
  private struct Setting {
    var isEnabled = true
    var removals = 0
  }
  private static let settings = Locked<[String: Setting]>([:])

  /// Whether caches in this folder, and in folders inside it, are read and written.
  ///
  /// They are until somebody says otherwise; switching off leaves what is stored.
  public var isEnabled: Bool {
    get { settings.allSatisfy(\.isEnabled) }
    nonmutating set {
      Self.settings.withLock { $0[url.path, default: Setting()].isEnabled = newValue }
    }
  }

  /// How often this folder was removed with all that is inside.
  var removals: Int { settings.reduce(0) { $0 + $1.removals } }

  /// What was said about this folder and those around it.
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

  /// A folder of caches inside this one.
  ///
  /// Any name will do: it is hashed.
  public func directory(named name: String) -> CacheDirectory {
    directory(named: name, of: .directory)
  }

  func directory(named name: String, of kind: Kind) -> CacheDirectory {
    CacheDirectory(base, names + [self.name(for: name, of: kind)], limits)
  }

  /// The same folder, with other limits (rule P9).
  ///
  /// Give all caches of a folder the same ones: each that is written holds all of them to its own.
  public func limited(to limits: CacheLimits) -> CacheDirectory {
    CacheDirectory(base, names, limits)
  }

  /// Removes every cache in this folder, and the folder if nothing else is in it.
  ///
  /// A feed that is open keeps its rows on screen and stores nothing any more: create it again.
  public func removeAll() {
    Self.settings.withLock { $0[url.path, default: Setting()].removals += 1 }
    guard let folder = try? open(creating: false) else { return }
    for name in folder.names where Self.isOurs(name) { folder.remove(name) }
    // Where others keep something here, or the app's path leads through a link, it stays.
    _ = unsafe rmdir(url.path)
  }

  /// What a folder in a directory holds: the same name may stand for one of each.
  enum Kind: String {
    case feed, archive, directory, family
  }

  /// The folder, open; `nil` where there is none.
  func open(creating: Bool) throws -> CacheFolder? {
    var folder = try CacheFolder.at(base, creating: creating)
    for name in names { folder = try folder?.folder(name, creating: creating) }
    return folder
  }

  /// Where the cache of this name lives: no name reaches outside the folder (rule P7).
  func folder(for name: String, of kind: Kind) -> URL {
    url.appendingPathComponent(self.name(for: name, of: kind))
  }

  /// The name of the folder in which the cache of a name lives.
  ///
  /// The hash is two xxHash64: no signature, but 128 bits that two names hardly share.
  func name(for name: String, of kind: Kind) -> String {
    let bytes = Data("\(kind):\(name)".utf8)
    let hash = [0, 1 as UInt64].map { seed in
      let digits = String(XXHash64.hash(bytes, seed: seed), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return hash.joined()
  }

  /// Whether something in the folder is a cache's: others may keep their files there too.
  private static func isOurs(_ name: String) -> Bool {
    let end = name.dropFirst(32)
    return name.count >= 32 && name.prefix(32).utf8.allSatisfy("0123456789abcdef".utf8.contains)
      && (end.isEmpty || end == CacheFolder.goingSuffix || end.hasPrefix(CacheFolder.asideSuffix))
  }
}
