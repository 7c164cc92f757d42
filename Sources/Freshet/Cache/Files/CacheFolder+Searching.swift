internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// Folders that can be recognized by one of their files.
extension CacheFolder {
  /// The maximum depth of nested folders.
  private static var depthLimit: Int { 8 }

  /// Returns what a closure makes of each folder that contains a file of a name.
  ///
  /// Inner folders are included, but not those of a folder that was found. One folder of each depth
  /// is open at a time.
  ///
  /// - Parameters:
  ///   - name: the name of the file.
  ///   - url: the location of this folder.
  func search<Found>(
    for name: String, at url: URL, depth: Int = 0, _ body: (CacheFolder, URL) -> Found
  ) -> [Found] {
    if let status = status(of: name), status.st_mode & S_IFMT != S_IFDIR {
      return [body(self, url)]
    }
    guard depth < Self.depthLimit else { return [] }
    return names.flatMap { inner -> [Found] in
      // Folders that are being removed or were set aside belong to no cache.
      guard !inner.contains("."), let folder = try? folder(inner, creating: false) else {
        return []
      }
      return folder.search(
        for: name, at: url.appendingPathComponent(inner), depth: depth + 1, body)
    }
  }
}
