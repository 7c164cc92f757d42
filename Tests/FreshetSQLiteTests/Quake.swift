#if SQLite
  import Foundation
  import Freshet
  import GRDB

  struct Quake: ListItem, Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "quake"

    var id: String
    var magnitude: Double
    var place: String?

    init(_ number: Int, _ version: Int = 0) {
      id = "us\(number)"
      magnitude = Double(version)
      place = version % 3 == 0 ? nil : "place \(version)"
    }
  }

  /// A folder that is removed with its last user.
  final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID().uuidString)")
    deinit { try? FileManager.default.removeItem(at: url) }
  }
#endif
