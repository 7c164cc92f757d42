internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// The contents of files.
extension CacheFolder {
  /// Returns the contents of a file of at most `limit` bytes; `nil` if there is none.
  func contents(of name: String, limit: Int) throws -> Data? {
    guard let file = try openedFile(name, O_RDONLY) else { return nil }
    defer { close(file) }
    return try read(0..<length(of: file, name, limit: limit), of: file, name)
  }

  /// Returns the first `first` and the last `last` bytes of a file of at most `limit` bytes.
  ///
  /// It returns `nil` if there is no such file, or if the file is shorter than `least`.
  func ends(
    of name: String, first: Int, last: Int, from least: Int, limit: Int
  ) throws -> (first: Data, last: Data)? {
    guard let file = try openedFile(name, O_RDONLY) else { return nil }
    defer { close(file) }
    let length = try length(of: file, name, limit: limit)
    guard length >= max(least, first) else { return nil }
    let start = max(0, length - last)
    return (try read(0..<first, of: file, name), try read(start..<length, of: file, name))
  }

  private func length(of file: Int32, _ name: String, limit: Int) throws -> Int {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw Failure("cannot read", path(of: name)) }
    guard let length = Int(exactly: status.st_size), length <= limit else {
      throw Failure(lasting: "\(path(of: name)) is longer than the \(limit) bytes it may be")
    }
    return length
  }

  private func read(_ range: Range<Int>, of file: Int32, _ name: String) throws -> Data {
    var data = Data(count: range.count)
    // `bytes` lives for the whole closure, and `read` never passes its count.
    let count = try unsafe data.withUnsafeMutableBytes { bytes in
      var read = 0
      while read < bytes.count {
        let count = unsafe pread(
          file, bytes.baseAddress! + read, bytes.count - read, off_t(range.lowerBound + read))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw Failure("cannot read", path(of: name)) }
        // The file became shorter meanwhile.
        if count == 0 { break }
        read += count
      }
      return read
    }
    return count < range.count ? Data(data.prefix(count)) : data
  }

  /// Returns the length of a file in bytes; 0 if there is none.
  func length(of name: String) -> Int { Int(status(of: name)?.st_size ?? 0) }

  /// Creates a file with contents; anything that has the name already is set aside.
  func create(_ name: String, with data: Data) throws {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    var file = unsafe openat(descriptor, name, flags, 0o600)
    if file < 0, errno == EEXIST {
      try setAside(name)
      file = unsafe openat(descriptor, name, flags, 0o600)
    }
    guard file >= 0 else { throw Failure("cannot create", path(of: name)) }
    defer { close(file) }
    do {
      try write(data, to: file, at: 0, name)
    } catch {
      remove(name)
      throw error
    }
  }

  /// Replaces a file in one step: the new file is written under another name, then renamed.
  ///
  /// - Parameter isDurable: whether the file is on the disk on return, and not only with the
  ///   system.
  func replace(_ name: String, by data: Data, isDurable: Bool = false) throws {
    let temporary = "\(name).\(UUID().uuidString).new"
    try create(temporary, with: data)
    do {
      if isDurable { try sync(temporary) }
      try makeWay(at: name)
      guard unsafe renameat(descriptor, temporary, descriptor, name) == 0 else {
        throw Failure("cannot rename", path(of: temporary))
      }
      if isDurable { try syncNames() }
    } catch {
      remove(temporary)
      throw error
    }
  }

  /// Waits until the contents of a file are on the disk.
  func sync(_ name: String) throws {
    guard let file = try openedFile(name, O_RDWR) else {
      throw Failure("was removed:", path(of: name), ENOENT)
    }
    defer { close(file) }
    try Self.sync(file, path(of: name))
  }

  /// Waits until the names in this folder are on the disk.
  func syncNames() throws { try Self.sync(descriptor, path) }

  /// Waits until the contents of an open file, or the names in a folder, are on the disk.
  private static func sync(_ file: Int32, _ path: String) throws {
    #if canImport(Darwin)
      // `fsync` alone may leave the data in the cache of the drive.
      if fcntl(file, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(file) == 0 else { throw Failure("cannot sync", path) }
  }

  /// Removes temporary files that did not replace a file because of a crash.
  ///
  /// Newer temporary files may belong to another process.
  func removeAbandoned(startingWith prefix: String, before date: Date) {
    for file in names where file.hasPrefix(prefix) && file.hasSuffix(".new") {
      if let status = status(of: file), status.changed < date { remove(file) }
    }
  }

  /// Appends to a file at an offset, and cuts off the bytes that followed.
  ///
  /// - Returns: `false` if there is no such file, or if the file has another hard link; it must be
  ///   replaced then.
  func append(_ data: Data, to name: String, at offset: Int) throws -> Bool {
    guard let status = status(of: name), Self.isOurs(status), status.st_mode & 0o200 != 0,
      let file = try openedFile(name, O_WRONLY)
    else { return false }
    defer { close(file) }
    var opened = stat()
    guard unsafe fstat(file, &opened) == 0, opened.st_nlink == 1, opened.st_size >= offset else {
      return false
    }
    guard ftruncate(file, off_t(offset)) == 0 else {
      throw Failure("cannot write", path(of: name))
    }
    try write(data, to: file, at: offset, name)
    return true
  }

  private func write(_ data: Data, to file: Int32, at offset: Int, _ name: String) throws {
    // `bytes` lives for the whole closure, and `written` never passes its count.
    try unsafe data.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = unsafe pwrite(
          file, bytes.baseAddress! + written, bytes.count - written, off_t(offset + written))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Failure("cannot write", path(of: name)) }
        written += count
      }
    }
  }
}
