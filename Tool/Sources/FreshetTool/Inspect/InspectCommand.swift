import ArgumentParser
import Foundation
import Freshet

/// `freshet inspect`: the contents of caches and outboxes on disk.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show what caches and outboxes hold: rows, gaps, unsent edits, problems.",
    discussion: """
      Nothing is changed, and no lock is taken: a list that is being watched can be looked at. A folder of \
      caches, such as that of a family, lists its feeds. An outbox lists the mutations that the source \
      has not answered, by their types and without their contents. Edits that were not made through an \
      outbox are not on disk.

      EXAMPLES:
        freshet inspect                  # all caches of freshet watch, and the outbox of freshet demo
        freshet inspect commits          # the one that --cache names
        freshet inspect ~/Library/Caches/MyApp/Freshet
        freshet inspect --json commits | jq .gaps

      EXIT CODES: 0 all is well; 65 something cannot be read; 66 there is no such cache.
      """)

  @Argument(
    help: "A folder of caches or outboxes, or the name of a cache; all unless you say so.",
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
    let (caches, outboxes) = try reports()
    guard !caches.isEmpty || !outboxes.isEmpty else {
      throw WatchFailure("There is no cache at \(cache ?? home.path).", code: Self.nothing)
    }
    let now = Date()
    for report in caches {
      let isWhole = caches.count == 1
      try write(
        json ? [ReportText.json(report)] : ReportText.lines(report, at: now, isWhole: isWhole))
    }
    for report in outboxes {
      let isWhole = outboxes.count == 1
      try write(
        json ? [ReportText.json(report)] : ReportText.lines(report, at: now, isWhole: isWhole))
    }
    let problems = caches.flatMap(\.problems) + outboxes.flatMap(\.problems)
    if !problems.isEmpty { throw ExitCode(65) }
  }

  private func write(_ lines: [String]) throws {
    try StandardOutput.output.write(lines.map { $0 + "\n" }.joined())
  }

  /// `EX_NOINPUT`: there is no cache to inspect.
  private static let nothing = ExitCode(66)

  private var home: URL {
    folder.map { URL(fileURLWithPath: $0) } ?? CacheDirectory.default.url
  }

  /// Returns the reports of the caches and outboxes at the path, or of the caches with that name.
  private func reports() throws -> ([CacheReport], [OutboxReport]) {
    do {
      guard let cache else {
        let outboxes = folder == nil ? OutboxStorage.defaultFolder : home
        return (
          try CacheReport.reports(at: home), try OutboxReport.reports(at: outboxes)
        )
      }
      var isFolder: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: cache, isDirectory: &isFolder),
        isFolder.boolValue
      {
        let url = URL(fileURLWithPath: cache)
        return (try CacheReport.reports(at: url), try OutboxReport.reports(at: url))
      }
      return (try CacheReport.reports(at: home).filter { $0.name == cache }, [])
    } catch {
      throw WatchFailure("\(error)", code: Self.nothing)
    }
  }
}
