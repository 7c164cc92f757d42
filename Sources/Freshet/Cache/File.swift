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

  /// Writes a file that does not exist yet, or exists and is overwritten.
  static func write(_ data: Data, to url: URL, exclusively: Bool = false) throws {
    try write(data, to: url, O_WRONLY | O_CREAT | (exclusively ? O_EXCL : O_TRUNC))
  }

  /// Replaces a file in one step: by another name, then renamed.
  static func replace(_ url: URL, by data: Data) throws {
    let temporary = url.appendingPathExtension("new")
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

  /// Takes the lock of a folder for as long as the process holds the descriptor, unless another
  /// process has it.
  static func lock(_ url: URL) -> Int32? {
    let file = unsafe open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { return file }
    close(file)
    return nil
  }

  static func unlock(_ file: Int32) { close(file) }

  private static func write(_ data: Data, to url: URL, _ flags: Int32) throws {
    let file = unsafe open(url.path, flags | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure("cannot create", url.path) }
    defer { close(file) }
    try write(data, to: file, url)
  }

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
