import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A folder that goes with the test.
final class TemporaryDirectory: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("freshet-\(UUID().uuidString)")

  var caches: CacheDirectory { CacheDirectory(url) }

  /// All files that hold something, by their path in the folder.
  var files: [String: Data] {
    let paths = FileManager.default.subpaths(atPath: url.path) ?? []
    return Dictionary(
      uniqueKeysWithValues: paths.compactMap { path in
        let file = try? FileHandle(forReadingFrom: url.appendingPathComponent(path))
        return try? file?.readToEnd().map { (path, $0) }
      })
  }

  func write(_ data: Data, to path: String) throws {
    try data.write(to: url.appendingPathComponent(path))
  }

  /// Lets the cache of a name be as old as that, once nobody uses it any more.
  func date(
    _ name: String, of kind: CacheDirectory.Kind = .feed, in caches: CacheDirectory? = nil,
    _ date: Date
  ) async throws {
    let caches = caches ?? self.caches
    let folder = caches.folder(for: name, of: kind)
    let use = caches.useName(of: folder.lastPathComponent)
    #expect(await eventually { !CacheRegistry.files.contains(use) })
    // Who looks at limits says of what is in use that it is.
    await caches.limitsEnforced()
    let files = FileManager.default
    for path in (files.subpaths(atPath: folder.path) ?? []).map(folder.appendingPathComponent)
      + [folder]
    {
      try files.setAttributes([.modificationDate: date], ofItemAtPath: path.path)
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
