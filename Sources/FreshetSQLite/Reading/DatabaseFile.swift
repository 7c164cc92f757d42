#if SQLite
  internal import Foundation
  internal import GRDB

  /// The file of an open database: whether it is still what its path leads to.
  ///
  /// SQLite reads and writes the file that it opened, even if that was deleted or another one was
  /// put in its place: what is written then is invisible to others, and lost with the process.
  struct DatabaseFile: Sendable {
    let path: String
    private let identity: Identity?

    /// Which file it is, on which device.
    private struct Identity: Equatable {
      let device: UInt64
      let file: UInt64

      init?(_ path: String) {
        var info = stat()
        guard unsafe stat(path, &info) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: info.st_dev)
        file = UInt64(truncatingIfNeeded: info.st_ino)
      }
    }

    /// The file of a database, as it is now; one in memory is never lost.
    init(of database: any DatabaseReader) {
      path = database.path
      identity = Identity(path)
    }

    /// - Throws: `SQLiteStoreError.noFile` where the path leads elsewhere by now, or nowhere.
    /// - Complexity: O(1), a system call.
    func check() throws {
      if let identity, Identity(path) != identity { throw SQLiteStoreError.noFile(path: path) }
    }
  }
#endif
