import Foundation
import Freshet

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

  deinit { try? FileManager.default.removeItem(at: url) }
}
