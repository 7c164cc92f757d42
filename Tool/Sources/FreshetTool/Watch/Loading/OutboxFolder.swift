import ArgumentParser
import Foundation
import Freshet

/// A folder with the outboxes of an app, whose unsent edits the screen marks.
struct OutboxFolder: Sendable {
  private let url: URL

  /// Creates the folder at a path.
  ///
  /// - Throws: a `WatchFailure` if there is no outbox.
  init(_ path: String) throws {
    url = URL(fileURLWithPath: path)
    guard (try? OutboxReport.reports(at: url).isEmpty) == false else {
      throw WatchFailure(
        "There is no outbox at \(path.visible): name the folder that contains it.",
        code: Self.nothing)
    }
  }

  /// `EX_NOINPUT`: there is no outbox to read.
  private static let nothing = ExitCode(66)

  /// Returns the ids of the items with edits that are not sent.
  ///
  /// It reads the files off the main actor.
  @concurrent
  func unsent() async -> Set<RowID> {
    let reports = (try? OutboxReport.reports(at: url)) ?? []
    return Set(
      reports.flatMap(\.mutations).compactMap { mutation in
        (try? JSONReader.value(of: mutation.itemID.utf8)).flatMap(RowID.init)
      })
  }
}
