public import Foundation

/// The place where an outbox keeps its mutations.
public struct OutboxStorage: Sendable {
  /// The folder; `nil` for memory only.
  let folder: URL?
  /// Whether several processes may have it open.
  var isShared = false

  /// A folder of the name, among the files of the app that are not caches.
  ///
  /// It is outside all folders of caches: no limit and no removal of caches touches it. Each
  /// account has an outbox of its own, as mutations are sent only as the account that performed
  /// them.
  ///
  /// - Parameters:
  ///   - name: any text: it is hashed.
  ///   - account: the account whose mutations these are; `nil` if there is only one.
  ///   - isShared: whether several processes may have it open, such as an app and its extensions.
  ///     One of them sends. All of them pass `true`.
  ///   - folder: the folder that contains it; `defaultFolder` unless another one is set.
  public static func file(
    _ name: String, account: String? = nil, isShared: Bool = false, in folder: URL? = nil
  ) -> OutboxStorage {
    let home = folder ?? defaultFolder
    let id = account.map { "\(name)\u{0}\($0)" } ?? name
    let hashes = [0, 1 as UInt64].map { XXHash64.hash(Data(id.utf8), seed: $0) }
    return OutboxStorage(
      folder: home.appendingPathComponent(
        hashes.map { String($0, radix: 16) }.joined(separator: "-")), isShared: isShared)
  }

  /// Memory, for tests and previews.
  ///
  /// Mutations are lost when the process ends.
  public static let memory = OutboxStorage(folder: nil)

  /// Begins to open the file and to read its records.
  func opening() -> Task<OutboxFile.Opened, any Error> {
    Task { @concurrent [folder, isShared] in
      try folder.map { try OutboxFile.open($0, isShared: isShared) } ?? OutboxFile.Opened()
    }
  }

  /// The app's own folder for outboxes, among its files that are not caches.
  public static var defaultFolder: URL {
    let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    let support =
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/share")
    return support.appendingPathComponent(app).appendingPathComponent("Freshet outboxes")
  }
}
