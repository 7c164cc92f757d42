#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The lock of a folder, held until it goes.
final class FileLock: Sendable {
  let descriptor: Int32

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    // Closing alone would not give it up while a child process that was just started holds a copy of
    // the descriptor.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}

extension CacheFolder {
  /// Takes the lock of this folder; `nil` where another one has it.
  func takeLock(_ name: String) throws -> FileLock? {
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

  /// Whether the file of a lock is still the one of this name: nobody removed it.
  func holds(_ lock: FileLock, _ name: String) -> Bool {
    var open = stat()
    guard let named = status(of: name), unsafe fstat(lock.descriptor, &open) == 0 else {
      return false
    }
    return open.st_ino == named.st_ino && open.st_dev == named.st_dev
  }
}
