public import Foundation

/// A report on an outbox as it is on disk, to inspect it.
///
/// ```swift
/// for report in try OutboxReport.reports(at: OutboxStorage.defaultFolder) {
///   print(report.url.path, report.pending.count, report.failed.count)
/// }
/// ```
///
/// Reading takes no lock and changes nothing, so the app that has the outbox open may go on. The
/// report of an outbox that is being written may be out of date.
public struct OutboxReport: Sendable {
  /// The folder of the outbox.
  public let url: URL
  /// The mutations that are not answered yet, in the order in which they were performed.
  ///
  /// What is being sent counts as waiting: the file does not record it.
  public let mutations: [PendingMutation]
  /// The length of its files, in bytes.
  public let bytes: Int
  /// Descriptions of the present damage.
  public let problems: [String]
  /// Whether a copy of a damaged file was kept.
  public let hasFileSetAside: Bool

  /// Those that are sent without further action of the user.
  public var pending: [PendingMutation] { mutations.filter { $0.failure == nil } }
  /// Those that wait for the user, as they failed for good.
  public var failed: [PendingMutation] { mutations.filter { $0.failure != nil } }

  /// Returns the reports on all outboxes at a location.
  ///
  /// The location is the folder of an outbox, or one that contains such folders, however deep.
  ///
  /// - Returns: a report for each outbox, in the order of their paths; empty if there are none.
  /// - Throws: an error if the folder cannot be read.
  public static func reports(at url: URL) throws -> [OutboxReport] {
    let url = url.standardizedFileURL
    guard let folder = try CacheFolder.at(url, creating: false) else { return [] }
    return folder.search(for: OutboxFile.name, at: url) { OutboxReport(of: $0, at: $1) }
      .sorted { $0.url.path < $1.url.path }
  }

  private init(of folder: CacheFolder, at url: URL) {
    self.url = url
    var stored = OutboxFile.Opened()
    var problems: [String] = []
    do {
      var failure: (any Error)?
      stored = try OutboxFile.contents(
        of: folder, OutboxFile.identity(of: url), failure: &failure)
      if let failure { problems.append("a delivery of another process cannot be read: \(failure)") }
      if stored.damaged > 0 {
        problems.append("\(stored.damaged) bytes are damaged, and the mutations in them are lost")
      }
    } catch {
      problems.append("the mutations cannot be read: \(error)")
    }
    // The types are those of another app, which may be able to send what this one cannot.
    var queue = OutboxQueue(stored.records) { _ in false }
    _ = queue.importDeliveries(stored.deliveries, known: stored.records.added)
    mutations = queue.all.map { PendingMutation($0) }
    bytes = ([OutboxFile.name] + stored.deliveries.map(\.name)).reduce(0) {
      $0 + folder.length(of: $1)
    }
    hasFileSetAside = folder.status(of: OutboxFile.damagedName) != nil
    self.problems = problems
  }
}
