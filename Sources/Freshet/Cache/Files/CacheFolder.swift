internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A folder of caches that is open.
///
/// Others may be able to write around it. So what is in it is reached through its descriptor and
/// through no link, only plain files and folders of this user count, and nothing of another user is
/// written or removed (rule P10). What it makes is private to the user (rule P7).
final class CacheFolder: Sendable {
  /// What the file system said.
  struct Failure: Error, CustomStringConvertible {
    let description: String
    /// Whether what stands there can never be read as a file of a cache: it has to make way.
    var isLasting = false

    init(_ action: String, _ path: String, _ code: Int32 = errno) {
      description = unsafe "\(action) \(path): \(String(cString: strerror(code)))"
    }

    init(lasting description: String) {
      self.description = description
      isLasting = true
    }
  }

  /// Where it was found: for messages, and to list what is in it.
  let path: String
  let descriptor: Int32

  private init(_ descriptor: Int32, _ path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  // MARK: - Folders

  /// The folder that the app chose, through links where the app's path has some; `nil` where there
  /// is none.
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

  /// A folder in this one; `nil` where there is none.
  ///
  /// Where it is to be created, what is no folder of this user's makes way, and others are shut
  /// out.
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
    // Another process may make it at the same time.
    let isNew = unsafe mkdirat(descriptor, name, 0o700) == 0
    guard isNew || errno == EEXIST else { throw Failure("cannot create", path(of: name)) }
    do {
      if let folder = try openFolder(name) { return folder }
    } catch {
      // A file system without owners cannot say what is ours.
      if isNew { _ = unsafe unlinkat(descriptor, name, AT_REMOVEDIR) }
      throw error
    }
    throw Failure("cannot open", path(of: name), ENOENT)
  }

  // MARK: - Looking

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// The names of what is in it.
  ///
  /// They may be those of another folder if this one's place was taken just now: they are looked up
  /// in this one all the same.
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }

  /// What has this name, itself and not what it links to.
  func status(of name: String) -> stat? {
    var status = stat()
    return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  static func isOurs(_ status: stat, _ kind: mode_t = S_IFREG) -> Bool {
    status.st_mode & S_IFMT == kind && status.st_uid == geteuid()
  }

  /// Opens what has this name, a plain file of this user's if not said otherwise; `nil` where there
  /// is nothing.
  ///
  /// It does not wait, as it would for a pipe.
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

  // MARK: - Making way

  /// Moves away what stands where a file is to be, unless it is a plain file of this user's.
  func makeWay(at name: String) throws {
    if let status = status(of: name), !Self.isOurs(status) { try setAside(name) }
  }

  /// What the name of a folder ends with that was set aside.
  static var asideSuffix: String { ".damaged" }
  /// What the name of a cache ends with that is being removed.
  static var goingSuffix: String { ".going" }

  /// Keeps what has no place here for whoever wants to look at it: the last one found, and all that
  /// is another user's.
  func setAside(_ name: String, as aside: String = "damaged") throws {
    guard status(of: name) != nil else { return }
    var aside = aside
    remove(aside)
    if status(of: aside) != nil { aside += "-\(UUID().uuidString)" }
    guard unsafe renameat(descriptor, name, descriptor, aside) == 0 else {
      throw Failure("cannot move away", path(of: name))
    }
  }

  /// Removes what is this user's: a file, a link but not what it leads to, or a folder with all
  /// that is in it.
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
