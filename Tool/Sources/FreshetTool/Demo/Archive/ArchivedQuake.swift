import Freshet
import FreshetSQLite
import GRDB

/// An earthquake of the archive: a table of SQLite that is too long to read as a whole.
struct ArchivedQuake: ListItem, Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "quake"

  let id: Int
  /// When it happened, in milliseconds since 1970.
  let time: Int
  var magnitude: Double
  let place: String
  let depth: Double
}
