internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// An open folder of caches.
///
/// Other users may be able to write to the folders around it. Its contents are therefore accessed
/// through its descriptor and never through a link. Only plain files and folders of this user
/// count, and nothing of another user is written or removed (rule P10). Everything that it creates
/// is private to the user (rule P7).
final class CacheFolder: Sendable {
  /// An error of the file system.
  struct Failure: Error, CustomStringConvertible {
    let description: String
    /// Whether the file can never be read as one of a cache, so that it has to be set aside.
    var isLasting = false

    init(_ action: String, _ path: String, _ code: Int32 = errno) {
      description = unsafe "\(action) \(path): \(String(cString: strerror(code)))"
    }

    init(lasting description: String) {
      self.description = description
      isLasting = true
    }
  }

  /// The path at which it was opened, for messages and to list its contents.
  let path: String
  let descriptor: Int32

  private init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  // MARK: - Folders

  /// Opens the folder that the app chose; returns `nil` if there is none.
  ///
  /// Links in the app's path are followed.
  static func at(_ url: URL, creating: Bool) throws -> CacheFolder? {
    if creating {
      do {
        try FileManager.default.createDirectory(
          at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw Failure("cannot create", url.path, errno == 0 ? ENOENT : errno)
      }
    }
    let descriptor = unsafe open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if !creating, errno == ENOENT || errno == ENOTDIR { return nil }
      throw Failure("cannot open", url.path)
    }
    return CacheFolder(descriptor, url.path)
  }

  /// Opens a folder in this one; returns `nil` if there is none.
  ///
  /// With `creating`, anything of that name that is not a folder of this user is set aside. Other
  /// users lose their access to the folder.
  func folder(_ name: String, creating: Bool) throws -> CacheFolder? {
    guard creating else { return try openFolder(name) }
    do {
      let folder = try openFolder(name) ?? makeFolder(name)
      _ = fchmod(folder.descriptor, 0o700)
      return folder
    } catch let failure as Failure where failure.isLasting {
      try setAside(name, as: name + Self.asideSuffix)
      return try makeFolder(name)
    }
  }

  private func openFolder(_ name: String) throws -> CacheFolder? {
    try openedFile(name, O_RDONLY | O_DIRECTORY, S_IFDIR).map {
      CacheFolder($0, path(of: name))
    }
  }

  private func makeFolder(_ name: String) throws -> CacheFolder {
    // Another process may create it at the same time.
    let isNew = unsafe mkdirat(descriptor, name, 0o700) == 0
    guard isNew || errno == EEXIST else { throw Failure("cannot create", path(of: name)) }
    do {
      if let folder = try openFolder(name) { return folder }
    } catch {
      // On a file system without owners, it is unknown which files are ours.
      if isNew { _ = unsafe unlinkat(descriptor, name, AT_REMOVEDIR) }
      throw error
    }
    throw Failure("cannot open", path(of: name), ENOENT)
  }

  // MARK: - Looking

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// The names of its contents.
  ///
  /// If another folder took the path of this one just now, they may be its names. They are still
  /// looked up in this folder.
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

  /// Returns the status of a file; of a link, not of its target.
  func status(of name: String) -> stat? {
    var status = stat()
    return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  static func isOurs(_ status: stat, _ kind: mode_t = S_IFREG) -> Bool {
    status.st_mode & S_IFMT == kind && status.st_uid == geteuid()
  }

  /// Opens a file of this user; returns `nil` if there is none.
  ///
  /// By default, it has to be a plain file. Opening never waits, as it would for a pipe.
  func openedFile(_ name: String, _ flags: Int32, _ kind: mode_t = S_IFREG) throws -> Int32? {
    let safely = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let file = unsafe openat(descriptor, name, flags | safely, 0o600)
    let code = errno
    var status = stat()
    if file >= 0 {
      if unsafe fstat(file, &status) == 0, Self.isOurs(status, kind) { return file }
      close(file)
    } else {
      guard code != ENOENT else { return nil }
      let found = self.status(of: name)
      let mayBeOpened = found.map { Self.isOurs($0, kind) && $0.st_mode & 0o400 != 0 } ?? true
      if mayBeOpened { throw Failure("cannot open", path(of: name), code) }
    }
    let what = kind == S_IFDIR ? "folder" : "plain file"
    throw Failure(lasting: "\(path(of: name)) is not a \(what) of this user's")
  }

  // MARK: - Setting aside and removing

  /// Sets aside anything of this name that is not a plain file of this user.
  func makeWay(at name: String) throws {
    if let status = status(of: name), !Self.isOurs(status) { try setAside(name) }
  }

  /// The suffix of a folder that was set aside.
  static var asideSuffix: String { ".damaged" }
  /// The suffix of a cache that is being removed.
  static var goingSuffix: String { ".going" }

  /// Renames a file that does not belong here, to keep it for inspection.
  ///
  /// It replaces the one that was set aside before, unless that belongs to another user.
  func setAside(_ name: String, as aside: String = "damaged") throws {
    guard status(of: name) != nil else { return }
    var aside = aside
    remove(aside)
    if status(of: aside) != nil { aside += "-\(UUID().uuidString)" }
    guard unsafe renameat(descriptor, name, descriptor, aside) == 0 else {
      throw Failure("cannot move away", path(of: name))
    }
  }

  /// Removes a file, link or folder of this user.
  ///
  /// The target of a link stays; a folder is removed with its contents.
  func remove(_ name: String) {
    guard let status = status(of: name), status.st_uid == geteuid() else { return }
    guard Self.isOurs(status, S_IFDIR) else {
      _ = unsafe unlinkat(descriptor, name, 0)
      return
    }
    guard let folder = try? openFolder(name) else { return }
    for name in folder.names { folder.remove(name) }
    _ = unsafe unlinkat(descriptor, name, AT_REMOVEDIR)
  }
}
