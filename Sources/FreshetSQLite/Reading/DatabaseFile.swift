#if SQLite
  internal import Foundation
  internal import GRDB

  /// The file of an open database, with a check that its path still leads to it.
  ///
  /// SQLite reads and writes the file that it opened, even if the file was deleted or replaced.
  /// Anything written then is invisible to others, and lost with the process.
  struct DatabaseFile: Sendable {
    let path: String
    private let identity: Identity?

    /// The identity of a file: its number and its device.
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

    /// Records the current file of a database; a database in memory is never lost.
    init(of database: any DatabaseReader) {
      path = database.path
      identity = Identity(path)
    }

    /// Checks that the path still leads to the file.
    ///
    /// - Throws: `SQLiteStoreError.noFile` if the path leads to another file by now, or to none.
    /// - Complexity: O(1), a system call.
    func check() throws {
      if let identity, Identity(path) != identity { throw SQLiteStoreError.noFile(path: path) }
    }
  }
#endif
