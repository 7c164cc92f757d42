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
  /// The length of the file, in bytes.
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
    var contents = OutboxRecord.Contents()
    var problems: [String] = []
    do {
      let data = try folder.contents(of: OutboxFile.name, limit: OutboxFile.limit) ?? Data()
      contents = OutboxRecord.read(data, of: OutboxFile.identity(of: url))
      if contents.damaged > 0 {
        problems.append("\(contents.damaged) bytes are damaged, and the mutations in them are lost")
      }
    } catch {
      problems.append("the mutations cannot be read: \(error)")
    }
    // The types are those of another app, which may be able to send what this one cannot.
    mutations = OutboxQueue(contents.records) { _ in false }.all.map { PendingMutation($0) }
    bytes = folder.length(of: OutboxFile.name)
    hasFileSetAside = folder.status(of: OutboxFile.damagedName) != nil
    self.problems = problems
  }
}
