import Freshet
import GRDB

/// An earthquake as the demo's server knows it, and keeps it in a table.
struct ServedQuake: ListItem, Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "freshet_quake"

  /// The table, for PostgreSQL.
  static let schema = """
    CREATE TABLE IF NOT EXISTS \(databaseTableName) (
      id text PRIMARY KEY, time bigint NOT NULL, updated bigint NOT NULL,
      magnitude float8 NOT NULL, place text NOT NULL, latitude float8 NOT NULL,
      longitude float8 NOT NULL, depth float8 NOT NULL,
      "isRevised" boolean NOT NULL, "isStarred" boolean NOT NULL)
    """

  static let example = ServedQuake(
    id: "us1", time: 0, updated: 0, magnitude: 4.5, place: "Dompu", latitude: 0.5, longitude: 0.5,
    depth: 10.5)

  let id: String
  /// When it happened, in milliseconds since 1970.
  let time: Int
  /// When it was last revised, in milliseconds since 1970.
  var updated: Int
  var magnitude: Double
  var place: String
  let latitude: Double
  let longitude: Double
  let depth: Double
  var isRevised = false
  var isStarred = false
}
