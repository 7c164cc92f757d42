public import struct Foundation.IndexPath
public import FreshetLists

extension IndexPath {
  /// Creates the index path of a row, as table and collection views use it.
  public init(_ path: RowPath) { self.init(indexes: [path.section, path.row]) }
}

extension RowPath {
  /// Creates the row path of an index path.
  ///
  /// An index path that has not exactly two indices becomes a path at which there is no row.
  public init(_ path: IndexPath) {
    self = path.count == 2 ? RowPath(section: path[0], row: path[1]) : RowPath(section: -1, row: -1)
  }
}
