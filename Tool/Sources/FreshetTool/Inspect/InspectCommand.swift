import ArgumentParser
import Foundation
import Freshet

/// `freshet inspect`: the contents of a cache on disk.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show what a cache holds: rows, gaps, page keys, problems.",
    discussion: """
      Nothing is changed, and no lock is taken: a list that is being watched can be looked at. A folder of \
      caches, such as that of a family, lists its feeds. Edits that the source has not taken are not on \
      disk.

      EXAMPLES:
        freshet inspect                  # all caches of freshet watch
        freshet inspect commits          # the one that --cache names
        freshet inspect ~/Library/Caches/MyApp/Freshet
        freshet inspect --json commits | jq .gaps

      EXIT CODES: 0 all is well; 65 something cannot be read; 66 there is no such cache.
      """)

  @Argument(
    help: "The folder of a cache or of caches, or the name of one; all unless you say so.",
    completion: .directory)
  var cache: String?

  @Option(
    name: .customLong("cache-folder"),
    help: ArgumentHelp(
      "Where caches with a name are; the user's unless you say so.", valueName: "path"),
    completion: .directory)
  var folder: String?

  @Flag(help: "Print a line of JSON for each feed.")
  var json = false

  func run() throws {
    StandardOutput.ignoreBrokenPipes()
    let reports = try reports()
    guard !reports.isEmpty else {
      throw WatchFailure("There is no cache at \(cache ?? home.path).", code: Self.nothing)
    }
    let now = Date()
    let isOne = reports.count == 1
    for report in reports {
      let lines =
        json ? [ReportText.json(report)] : ReportText.lines(report, at: now, isWhole: isOne)
      try StandardOutput.output.write(lines.map { $0 + "\n" }.joined())
    }
    if reports.contains(where: { !$0.problems.isEmpty }) { throw ExitCode(65) }
  }

  /// `EX_NOINPUT`: there is no cache to inspect.
  private static let nothing = ExitCode(66)

  private var home: URL {
    folder.map { URL(fileURLWithPath: $0) } ?? CacheDirectory.default.url
  }

  /// Returns the reports of the caches at the path, or of those with that name.
  private func reports() throws -> [CacheReport] {
    do {
      guard let cache else { return try CacheReport.reports(at: home) }
      var isFolder: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: cache, isDirectory: &isFolder),
        isFolder.boolValue
      {
        return try CacheReport.reports(at: URL(fileURLWithPath: cache))
      }
      return try CacheReport.reports(at: home).filter { $0.name == cache }
    } catch {
      throw WatchFailure("\(error)", code: Self.nothing)
    }
  }
}
