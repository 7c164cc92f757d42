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
public final class CacheDirectory: Sendable {
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
  private let enabled = Locked(true)

  /// Creates a directory of caches at a folder, which need not exist.
  public init(_ url: URL) { self.url = url }

  /// Whether caches in this folder are read and written.
  ///
  /// They are until somebody says otherwise; switching off leaves what is stored.
  public var isEnabled: Bool {
    get { enabled.withLock { $0 } }
    set { enabled.withLock { $0 = newValue } }
  }

  /// A folder of caches inside this one.
  ///
  /// Any name will do: it is hashed.
  public func directory(named name: String) -> CacheDirectory {
    CacheDirectory(folder(for: name))
  }

  /// Removes every cache in this folder.
  public func removeAll() { File.remove(url) }

  /// Where the cache of this name lives: no name reaches outside the folder (rule P7).
  ///
  /// The hash is two xxHash64, not a signature; the full name is stored inside and compared, so
  /// that two names which share a hash are a miss.
  func folder(for name: String) -> URL {
    let bytes = Data(name.utf8)
    let hash = [0, 1 as UInt64].map { seed in
      let digits = String(XXHash64.hash(bytes, seed: seed), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return url.appendingPathComponent(hash.joined())
  }
}
