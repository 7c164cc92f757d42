#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif
internal import struct Foundation.Data

/// The lock of a folder, held for as long as this object exists.
final class FileLock: Sendable {
  let descriptor: Int32

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // A child process that was just started may hold a copy of the descriptor: closing alone would
    // not release the lock then.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

// The number of rows of a feed, in the lock file: enforcing limits does not have to read its log.
extension FileLock {
  /// Writes the number of stored rows, and so marks the cache as used.
  ///
  /// A file with another hard link is not changed.
  func write(rows: Int) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_nlink == 1 else { return }
    var text = BinaryWriter()
    text.write(Int64(rows))
    text.write(XXHash64.hash(text.data))
    // `bytes` lives for the whole closure.
    unsafe text.data.withUnsafeBytes { bytes in
      _ = unsafe pwrite(descriptor, bytes.baseAddress!, bytes.count, 0)
    }
  }
}

extension CacheFolder {
  /// The number of rows when the log was last rewritten or closed; `nil` if it is unknown.
  var rowCount: Int? {
    guard let text = try? contents(of: "lock", limit: 64) else { return nil }
    var reader = BinaryReader(text)
    guard let rows = try? reader.readData(8), let checksum = try? reader.read(UInt64.self),
      XXHash64.hash(rows) == checksum
    else { return nil }
    reader = BinaryReader(rows)
    return (try? reader.read(Int64.self)).flatMap { Int(exactly: $0) }
  }
}

extension CacheFolder {
  /// Locks this folder; returns `nil` if another cache holds the lock.
  func lock(_ name: String) throws -> FileLock? {
    try makeWay(at: name)
    guard let file = try openedFile(name, O_RDWR | O_CREAT) else {
      throw Failure("was removed:", path, ENOENT)
    }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { return FileLock(file) }
    let code = errno
    close(file)
    guard code == EWOULDBLOCK else { throw Failure("cannot lock", path(of: name), code) }
    return nil
  }

  /// Whether the file of a lock still has this name, so it was not removed.
  func holds(_ lock: FileLock, _ name: String) -> Bool {
    var open = stat()
    guard let named = status(of: name), unsafe fstat(lock.descriptor, &open) == 0 else {
      return false
    }
    return open.st_ino == named.st_ino && open.st_dev == named.st_dev
  }
}
