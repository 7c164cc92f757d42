public import Foundation

/// A folder of caches, which can be switched off and thrown away as a whole.
///
/// Use one for each account: signing out is then one `removeAll()`.
///
/// ```swift
/// let account = CacheDirectory.default.directory(named: user.id)
/// let feed = FeedController(source, cache: .file("home", in: account))
/// account.removeAll()
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

  /// The folder.
  public let url: URL

  /// Creates a directory of caches at a folder, which need not exist.
  public init(_ url: URL) { self.url = url.standardizedFileURL }

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
    CacheDirectory(folder(for: name, of: .directory))
  }

  /// Removes every cache in this folder.
  ///
  /// A feed that is open keeps its rows on screen and stores nothing any more: create it again.
  public func removeAll() {
    Self.settings.withLock { $0[url.path, default: Setting()].removals += 1 }
    File.remove(url)
  }

  /// What a folder in a directory holds: the same name may stand for one of each.
  enum Kind: String {
    case feed, archive, directory
  }

  /// Where the cache of this name lives: no name reaches outside the folder (rule P7).
  ///
  /// The hash is two xxHash64: no signature, but 128 bits that two names hardly share.
  func folder(for name: String, of kind: Kind) -> URL {
    let bytes = Data("\(kind):\(name)".utf8)
    let hash = [0, 1 as UInt64].map { seed in
      let digits = String(XXHash64.hash(bytes, seed: seed), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return url.appendingPathComponent(hash.joined())
  }
}
