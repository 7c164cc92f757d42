public import Foundation

/// A report on one feed as it is on disk, to inspect its cache.
///
/// ```swift
/// for report in try CacheReport.reports(at: folder) {
///   print(report.name, report.rows, report.problems)
/// }
/// ```
///
/// Reading takes no lock and changes nothing. The report of a feed that is being written may be
/// out of date, but does not call a file damaged that was replaced meanwhile.
public struct CacheReport: Sendable {
  /// A part of the list.
  @nonexhaustive
  public enum Part: Equatable, Sendable {
    /// Rows that follow each other.
    case run(Run)
    /// A place where rows may be missing.
    case gap
  }

  /// Adjacent rows that are stored in one file.
  ///
  /// After edits, several parts of the list may be in one file.
  public struct Run: Equatable, Sendable {
    /// The name of the file.
    public let file: String
    /// The number of rows of the list that the file holds.
    public let rows: Int
    /// The length of the file, in bytes.
    public let bytes: Int
    /// The keys of the adjacent pages, and the time when the source answered with the rows.
    public let mark: PageBoundary
    /// Whether the rows can be read: the file exists and is not damaged.
    public let isReadable: Bool
  }

  /// The folder of the cache.
  public let url: URL
  /// The name of the cache; empty if the manifest cannot be read.
  public let name: String
  /// The version of the items' type.
  public let version: Int
  /// The parts of the list, in order.
  public let parts: [Part]
  /// The state that is stored beside the rows, such as the ends, the age and the first page.
  public let state: CachedState
  /// The number of steps in the log after the last whole state.
  public let steps: Int
  /// The length of all files together, in bytes.
  public let bytes: Int
  /// Descriptions of the present damage.
  public let problems: [String]
  /// Whether a damaged file was set aside; it is not read, and its rows are gaps.
  public let hasFileSetAside: Bool

  /// The number of files that hold the rows.
  public var files: Int { Set(runs.map(\.file)).count }
  /// The number of stored rows.
  public var rows: Int { runs.reduce(0) { $0 + $1.rows } }
  /// The number of gaps among them.
  public var gaps: Int { parts.count { $0 == .gap } }
  /// The rows in files, in the order of the list; several may be in one file.
  public var runs: [Run] {
    parts.compactMap { if case .run(let run) = $0 { run } else { nil } }
  }

  /// Returns the reports on all feeds at a location.
  ///
  /// The location is the folder of a feed, or a folder of caches, such as that of a family. Inner
  /// folders are included.
  ///
  /// - Returns: a report for each feed, in the order of their names; empty if there are no feeds.
  /// - Throws: an error if the folder cannot be read.
  public static func reports(at url: URL) throws -> [CacheReport] {
    guard let folder = try CacheFolder.at(url, creating: false) else { return [] }
    return folder.search(for: "manifest", at: url) { report(of: $0, at: $1) }
      .sorted { ($0.name, $0.url.path) < ($1.name, $1.url.path) }
  }
}

extension CacheReport {
  /// The number of attempts to read a cache that is written faster than it is read.
  private static var readLimit: Int { 8 }

  /// Returns the report on the feed in a folder.
  ///
  /// Files that a writer removed since the manifest was read do not count as missing.
  ///
  /// - Parameter didReadManifest: called before anything else is read.
  static func report(
    of folder: CacheFolder, at url: URL, didReadManifest: () -> Void = {}
  ) -> CacheReport {
    func manifest() -> Result<Data, any Error> {
      Result { try folder.contents(of: "manifest", limit: FeedManifest.limit) ?? Data() }
    }
    var text = manifest()
    var reads = 1
    while true {
      didReadManifest()
      let report = CacheReport(folder, at: url, manifest: text)
      guard !report.problems.isEmpty, reads < readLimit else { return report }
      let newer = manifest()
      if (try? newer.get()) == (try? text.get()) { return report }
      (text, reads) = (newer, reads + 1)
    }
  }

  private init(_ folder: CacheFolder, at url: URL, manifest: Result<Data, any Error>) {
    var problems: [String] = []
    var log = FeedLog(name: "", version: 0)
    var owner = (name: "", version: 0)
    do {
      let text = try manifest.get()
      owner = FeedManifest.owner(of: text) ?? owner
      log = try FeedLog(text, name: owner.name, version: owner.version)
      let torn = log.tornBytes
      if torn > 0 { problems.append("the last \(torn) bytes of the manifest are torn or damaged") }
    } catch {
      problems.append("the manifest cannot be read: \(error)")
    }
    self.url = url
    (name, version) = owner
    state = log.manifest.state
    steps = log.size.records
    var files: [UInt64: File] = [:]
    var lost: [String: Int] = [:]
    parts = log.manifest.entries.map { entry in
      guard case .run(let part, let mark) = entry else { return .gap }
      let file = files[part.sequence] ?? File(folder, part, seed: log.runSeed)
      files[part.sequence] = file
      let run = Run(
        file: RunFile.name(part.sequence), rows: part.rows.count, bytes: file.bytes ?? 0,
        mark: mark, isReadable: file.isReadable)
      if !file.isReadable { lost[run.file, default: 0] += run.rows }
      return .run(run)
    }
    for (sequence, file) in files.sorted(by: { $0.key < $1.key }) where !file.isReadable {
      let name = RunFile.name(sequence)
      let state = file.bytes == nil ? "missing" : "damaged"
      problems.append("\(name) is \(state): \(lost[name] ?? 0) rows are lost")
    }
    hasFileSetAside = folder.status(of: "damaged") != nil
    bytes = folder.names.reduce(0) { $0 + folder.length(of: $1) }
    self.problems = problems
  }
}

/// A file of rows on disk.
private struct File {
  /// The length of the file; `nil` if it is missing.
  let bytes: Int?
  let isReadable: Bool

  init(_ folder: CacheFolder, _ part: RunPart, seed: UInt64) {
    let name = RunFile.name(part.sequence)
    let data = try? folder.contents(of: name, limit: RunFile.limit)
    bytes = data?.count
    isReadable =
      data.flatMap {
        RunFile.body(of: $0, rows: part.total, sequence: part.sequence, seed: seed)
      } != nil
  }
}
