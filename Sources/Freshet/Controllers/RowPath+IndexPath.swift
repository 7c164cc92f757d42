public import struct Foundation.IndexPath
public import FreshetLists

extension IndexPath {
  /// The index path of a row, as table and collection views use it.
  public init(_ path: RowPath) { self.init(indexes: [path.section, path.row]) }
}

extension RowPath {
  /// The row at an index path; one without two indices becomes a path where no row stands.
  public init(_ path: IndexPath) {
    self = path.count == 2 ? RowPath(section: path[0], row: path[1]) : RowPath(section: -1, row: -1)
  }
}
