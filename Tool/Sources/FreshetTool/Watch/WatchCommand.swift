import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `freshet watch`: any paged JSON API as a list that is kept true.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Watch any paged JSON API as a list that is kept true.",
    discussion: """
      Prints the list, then what changes. Rows are cached, and shown first while the source cannot \
      be reached. With --format jsonl each update is one line of JSON whose operations, applied in \
      order, build the list.

      Exit codes: 64 usage, 69 network, 65 data, 75 incomplete with --once.
      """)

  @Argument(help: "The first page: an http or https URL.")
  var url: String

  @Option(help: ArgumentHelp("How the server names its pages.", valueName: PagingArgument.help))
  var paging = PagingArgument.automatic

  @Option(help: "Where the items are: a JSON pointer. Found by itself where there is one array.")
  var items: JSONPointer?

  @Option(help: "What tells rows apart: a JSON pointer into an item.")
  var id: JSONPointer = "/id"

  @Option(help: "What to print of a row: a JSON pointer into an item.")
  var title: JSONPointer?

  @Option(help: ArgumentHelp("Which section a row is in.", valueName: "/pointer[:day]"))
  var section: SectionPlace?

  @Option(help: "How many rows to ask for with each page.")
  var limit: Int?

  @Option(help: "How many pages to load, or all.")
  var pages = PageCount.some(1)

  @Flag(help: "Stop after the first complete load.")
  var once = false

  @Option(help: ArgumentHelp("How often to refresh.", valueName: "30s"))
  var every = Interval(duration: .seconds(30), description: "30s")

  @Option(help: "The name of the cache; the URL unless you choose one.")
  var cache: String?

  @Flag(help: "Keep nothing on disk.")
  var noCache = false

  @Option(
    name: .customLong("header"),
    help: ArgumentHelp(
      "A header for the URL's own origin only, repeatable.", valueName: "Name: value"))
  var headers: [String] = []

  @Option(help: "table for people, jsonl for scripts; table on a terminal.")
  var format: OutputFormat?

  func validate() throws {
    guard let parsed = URL(string: url), let scheme = parsed.scheme?.lowercased(),
      ["http", "https"].contains(scheme), parsed.host?.isEmpty == false
    else { throw ValidationError("\"\(url)\" is not an http or https URL. Try https://…") }
    if let limit, limit < 1 { throw ValidationError("--limit needs a number above zero.") }
    _ = try credentials()
  }

  func run() async throws {
    let format = format ?? (isatty(STDOUT_FILENO) == 1 ? .table : .jsonl)
    var watcher = FeedWatcher(feed: try feed(), pages: pages, output: Output(format: format))
    try watcher.showCache()
    var lastFailure: WatchFailure?
    repeat {
      let failure = try await watcher.load()
      if once {
        await watcher.feed.flush()
        if let failure { throw failure }
        return
      }
      if let failure, failure != lastFailure { complain(failure) }
      lastFailure = failure
      try await Task.sleep(for: every.duration)
    } while !Task.isCancelled
  }

  private func complain(_ failure: WatchFailure) {
    try? FileHandle.standardError.write(contentsOf: Data("Error: \(failure)\n".utf8))
  }

  private func feed() throws -> Feed<WatchedItem> {
    guard let url = URL(string: url) else { throw ValidationError("Not a URL: \(url)") }
    let places = WatchedItem.Places(id: id, title: title, section: section)
    let source: HTTPFeedSource<WatchedItem>
    do {
      source = try HTTPFeedSource<WatchedItem>(
        url, paging: paging.style(limit != nil), items: items, credentials: try credentials(),
        decoder: {
          let decoder = JSONDecoder()
          decoder.userInfo[.watchedPlaces] = places
          return decoder
        })
    } catch {
      throw ValidationError("\(error)")
    }
    // Another way to read the same URL is another list.
    let pointers = [id, items, title, section?.pointer].map { $0?.description ?? "-" }
    let name = cache ?? ([self.url] + pointers).joined(separator: " ")
    let sectionName: @Sendable (WatchedItem) -> String = { $0.section }
    return Feed(
      source, cache: noCache ? nil : .file(name),
      section: section == nil ? nil : sectionName,
      configuration: FeedConfiguration(pageSize: limit ?? 50))
  }

  private func credentials() throws -> [String: String] {
    var credentials: [String: String] = [:]
    for header in headers {
      let parts = header.split(separator: ":", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard parts.count == 2, !parts[0].isEmpty, header.allSatisfy({ !$0.isNewline }) else {
        throw ValidationError("--header needs \"Name: value\", not \"\(header)\".")
      }
      credentials[parts[0]] = parts[1]
    }
    return credentials
  }
}
