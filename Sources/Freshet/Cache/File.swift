internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The few calls a cache needs of the file system.
///
/// Files are private to the user (rule P7).
enum File {
  /// What the file system said.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ action: String, _ path: String, _ code: Int32 = errno) {
      description = unsafe "\(action) \(path): \(String(cString: strerror(code)))"
    }
  }

  /// Creates a folder and those above it, for this user only.
  static func makeFolder(_ url: URL) throws {
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure("cannot create", url.path, errno == 0 ? ENOENT : errno)
    }
  }

  /// Writes a file that does not exist yet.
  static func write(_ data: Data, to url: URL) throws {
    let file = unsafe open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure("cannot create", url.path) }
    defer { close(file) }
    try write(data, to: file, url)
  }

  /// Replaces a file in one step: by another name, then renamed.
  static func replace(_ url: URL, by data: Data) throws {
    let temporary = url.appendingPathExtension("\(UUID().uuidString).new")
    defer { remove(temporary) }
    try write(data, to: temporary)
    guard unsafe rename(temporary.path, url.path) == 0 else {
      throw Failure("cannot rename", temporary.path)
    }
  }

  /// Adds to a file at an offset, cutting off what stood behind it.
  static func append(_ data: Data, to url: URL, at offset: Int) throws {
    let file = unsafe open(url.path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw Failure("cannot open", url.path) }
    defer { close(file) }
    guard ftruncate(file, off_t(offset)) == 0, lseek(file, off_t(offset), SEEK_SET) >= 0 else {
      throw Failure("cannot write", url.path)
    }
    try write(data, to: file, url)
  }

  /// The contents of a file of at most `limit` bytes, or `nil` if there is none.
  static func read(_ url: URL, limit: Int) throws -> Data? {
    let file = unsafe open(url.path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Failure("cannot open", url.path)
    }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    let data = try handle.read(upToCount: limit + 1) ?? Data()
    guard data.count <= limit else { throw Failure("too long", url.path, EFBIG) }
    return data
  }

  /// Removes a file or an empty or full folder; what is not there needs no removing.
  static func remove(_ url: URL) {
    try? FileManager.default.removeItem(at: url)
  }

  /// Takes the lock of a folder for as long as the descriptor is open; `nil` where another one has
  /// it.
  static func lock(_ url: URL) throws -> Int32? {
    let file = unsafe open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure("cannot open", url.path) }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { return file }
    let code = errno
    close(file)
    guard code == EWOULDBLOCK else { throw Failure("cannot lock", url.path, code) }
    return nil
  }

  /// Whether an open file is still the one of this name: nobody removed it.
  static func isCurrent(_ file: Int32, _ url: URL) -> Bool {
    var (open, named) = (stat(), stat())
    return unsafe fstat(file, &open) == 0 && stat(url.path, &named) == 0
      && open.st_ino == named.st_ino && open.st_dev == named.st_dev
  }

  static func unlock(_ file: Int32) { close(file) }

  private static func write(_ data: Data, to file: Int32, _ url: URL) throws {
    // `bytes` lives for the whole closure, and `written` never passes its count.
    try unsafe data.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        #if canImport(Darwin)
          let count = unsafe Darwin.write(file, bytes.baseAddress! + written, bytes.count - written)
        #elseif canImport(Glibc)
          let count = unsafe Glibc.write(file, bytes.baseAddress! + written, bytes.count - written)
        #else
          let count = unsafe Musl.write(file, bytes.baseAddress! + written, bytes.count - written)
        #endif
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Failure("cannot write", url.path) }
        written += count
      }
    }
  }
}
