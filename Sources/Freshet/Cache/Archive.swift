internal import Foundation

/// The simplest cache: one named value, which each save replaces.
///
/// ```swift
/// let profile = Archive<Profile>("profile", version: 2)
/// show(profile.load())  // at once, or nil
/// if let fresh = try? await api.profile() {
///   show(fresh)
///   try profile.save(fresh)
/// }
/// ```
///
/// The limits of a directory remove archives that were not loaded or saved for long
/// (``CacheLimits``).
///
/// Loading never fails: it returns `nil` for a value of another version, and for a damaged or a
/// missing file. A failed download leaves the stored value. Saving writes a new file and renames
/// it, so that a crash leaves the old value or the new one.
public struct Archive<Value>: Sendable {
  private let name: String
  private let version: Int
  private let directory: CacheDirectory
  private let coder: any ValueCoder<Value>

  private static var magic: UInt64 { 0x3176_6863_7261_7266 }
  private static var limit: Int { 64 << 20 }

  /// Creates the archive of a name.
  ///
  /// - Parameters:
  ///   - name: any text.
  ///   - version: the version of the value's type. Raise it when stored values no longer make
  ///     sense.
  ///   - directory: the directory of the archive.
  ///   - coder: turns a value into bytes and back.
  public init(
    _ name: String, version: Int = 1, in directory: CacheDirectory = .default,
    coder: some ValueCoder<Value>
  ) {
    self.name = name
    self.version = version
    self.directory = directory
    self.coder = coder
  }

  /// The name of the archive's folder.
  private var folder: String { directory.name(for: name, of: .archive) }

  /// The error for a value that could not be loaded again; such a value is not stored.
  private struct Unstorable: Error, CustomStringConvertible, LocalizedError {
    let description: String
    var errorDescription: String? { description }
  }

  /// Returns the stored value; `nil` if there is none of this version.
  public func load() -> Value? {
    guard directory.isEnabled,
      let folder = try? directory.open(creating: false)?.folder(folder, creating: false),
      let data = try? folder.contents(of: "value", limit: Self.limit)
    else { return nil }
    folder.touch()
    var reader = BinaryReader(data)
    guard (try? reader.read(UInt64.self)) == Self.magic,
      let checksum = try? reader.read(UInt64.self),
      let body = try? reader.readData(reader.remaining), XXHash64.hash(body) == checksum
    else { return nil }
    reader = BinaryReader(body)
    guard (try? reader.readText()) == name, (try? reader.read(Int64.self)) == Int64(version),
      let value = try? reader.readData(reader.remaining)
    else { return nil }
    return try? coder.decode(Data(value)).first ?? nil
  }

  /// Stores a value, and replaces the stored one.
  ///
  /// Does nothing while the directory is disabled.
  ///
  /// - Throws: the error of the coder or the file system, or an error if the value is too large or
  ///   does not read back. The value stored before stays.
  public func save(_ value: Value) throws {
    guard directory.isEnabled else { return }
    var body = BinaryWriter()
    body.write(name)
    body.write(Int64(version))
    let bytes = try coder.encode([value])
    guard let back = try coder.decode(bytes).first, back != nil else {
      throw Unstorable(description: "the value cannot be read back from what its coder wrote")
    }
    body.write(bytes)
    var file = BinaryWriter()
    file.write(Self.magic)
    file.write(XXHash64.hash(body.data))
    file.write(body.data)
    guard file.data.count <= Self.limit else {
      throw Unstorable(description: "the value is larger than \(Self.limit) bytes")
    }
    let use = CacheRegistry.files.mark(directory.useName(of: folder))
    use.waitForRemoval()
    let cache = try directory.open(creating: true)?.folder(folder, creating: true)
    let isNew = cache?.status(of: "value") == nil
    try cache?.replace("value", by: file.data)
    cache?.removeAbandoned(startingWith: "value.", before: Date(timeIntervalSinceNow: -600))
    // Examining all stored caches at each save would make a save as expensive as that.
    directory.enforceLimitsSoon(afterAtLeast: isNew ? .zero : .seconds(60))
    withExtendedLifetime(use) {}
  }

  /// Removes the stored value from disk, if there is one.
  public func remove() {
    if let directory = try? directory.open(creating: false) { directory.remove(folder) }
  }
}

extension Archive where Value: Codable {
  /// Creates the archive of a name for values stored as JSON.
  public init(_ name: String, version: Int = 1, in directory: CacheDirectory = .default) {
    self.init(name, version: version, in: directory, coder: JSONCoder())
  }
}
