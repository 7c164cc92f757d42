public import Foundation

/// What stands on disk of one feed, for whoever wants to look into its cache.
///
/// ```swift
/// for report in try CacheReport.reports(at: folder) {
///   print(report.name, report.rows, report.problems)
/// }
/// ```
///
/// It is read without a lock and changes nothing. Of a feed that is being written it may say a
/// moment that is over, but calls nothing damaged that was replaced meanwhile.
public struct CacheReport: Sendable {
  /// A part of the list.
  @nonexhaustive
  public enum Part: Equatable, Sendable {
    /// Rows that follow each other.
    case run(Run)
    /// Rows that nobody has seen may be here.
    case gap
  }

  /// Adjacent rows that are stored in one file.
  ///
  /// After edits, several parts of the list may be in one file.
  public struct Run: Equatable, Sendable {
    /// The name of the file.
    public let file: String
    /// How many rows there are.
    public let rows: Int
    /// How long the file is, in bytes.
    public let bytes: Int
    /// Where the pages beside the rows are, and when the source answered with them.
    public let mark: PageBoundary
    /// Whether the rows can be read: the file is there, and as it was written.
    public let isReadable: Bool
  }

  /// The folder in which it stands.
  public let url: URL
  /// The name of the cache; empty where the manifest cannot be read.
  public let name: String
  /// The version of the items' type.
  public let version: Int
  /// The parts of the list, in order.
  public let parts: [Part]
  /// What is stored beside the rows: the ends, the age, the reader's place, the page at the head.
  public let state: CachedState
  /// How many steps the log holds behind the last whole state.
  public let steps: Int
  /// How long all files are together, in bytes.
  public let bytes: Int
  /// What is damaged now, in words.
  public let problems: [String]
  /// Whether a damaged file was set aside before: nothing is read from it, and its rows are gaps.
  public let hasFileSetAside: Bool

  /// How many files hold the rows.
  public var files: Int { Set(runs.map(\.file)).count }
  /// How many rows are stored.
  public var rows: Int { runs.reduce(0) { $0 + $1.rows } }
  /// How many gaps there are among them.
  public var gaps: Int { parts.count { $0 == .gap } }
  /// The rows in files, in the order of the list; several may be in one file.
  public var runs: [Run] {
    parts.compactMap { if case .run(let run) = $0 { run } else { nil } }
  }

  /// What is stored at a place: of the feed whose folder it is, or of all feeds in a folder of
  /// caches and the folders inside, such as that of a family.
  ///
  /// - Returns: a report for each feed, in the order of their names; none where there is none.
  /// - Throws: why the folder cannot be read.
  public static func reports(at url: URL) throws -> [CacheReport] {
    guard let folder = try CacheFolder.at(url, creating: false) else { return [] }
    return reports(in: folder, at: url, depth: 0).sorted {
      ($0.name, $0.url.path) < ($1.name, $1.url.path)
    }
  }

  /// How deep folders of caches lie in each other.
  private static var depthLimit: Int { 8 }

  private static func reports(
    in folder: CacheFolder, at url: URL, depth: Int
  ) -> [CacheReport] {
    if folder.status(of: "manifest") != nil { return [report(of: folder, at: url)] }
    guard depth < depthLimit else { return [] }
    return folder.names.flatMap { name -> [CacheReport] in
      // What is being removed, or was set aside, is nobody's.
      guard !name.contains("."), let inner = try? folder.folder(name, creating: false) else {
        return []
      }
      return reports(in: inner, at: url.appendingPathComponent(name), depth: depth + 1)
    }
  }
}

extension CacheReport {
  /// How often to read anew what is written faster than it is read.
  private static var readLimit: Int { 8 }

  /// What stands in a folder; files that a writer removed since the manifest was read are not
  /// missing.
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

/// A file of rows as it is found.
private struct File {
  /// How long it is; `nil` where it is missing.
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
