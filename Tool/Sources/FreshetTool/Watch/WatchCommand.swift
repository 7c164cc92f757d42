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
      be reached. Pointers are JSON pointers (RFC 6901), such as /data/items.

      With --format jsonl each update is one line of JSON. Its operations are a batch, as table \
      views know it: take out the rows of "delete", the "from" rows of "move" and the sections of \
      "deleteSection", whose numbers count in the list before; then put in the sections of \
      "insertSection", the rows of "insert" and the "to" rows of "move", whose numbers count in the \
      list after; then put the rows of "update" in place. Deletions come highest first and \
      insertions lowest first, so that a script can do them one by one. A path is [section, row].

      Rows of a URL that was asked for with --header are only cached where --cache names the place.

      Exit codes: 64 usage, 69 network, 65 data, 75 incomplete with --once.
      """)

  @Argument(help: "The first page: an http or https URL.")
  var url: String

  @Option(
    help: ArgumentHelp(
      "How the server names its pages; auto unless you say so.", valueName: PagingArgument.help),
    transform: { try PagingArgument($0) })
  var paging = PagingArgument.automatic

  @Option(
    help: ArgumentHelp(
      "Where the items are. Found by itself where there is one array.", valueName: "/pointer"))
  var items: JSONPointer?

  @Option(help: ArgumentHelp("What tells rows apart, in an item.", valueName: "/pointer"))
  var id: JSONPointer = "/id"

  @Option(help: ArgumentHelp("What to print of a row, in an item.", valueName: "/pointer"))
  var title: JSONPointer?

  @Option(help: ArgumentHelp("Which section a row is in.", valueName: "/pointer[:day]"))
  var section: SectionPlace?

  @Option(
    help: ArgumentHelp(
      "How many rows to ask for with each page, where the paging has a parameter for it.",
      valueName: "N"),
    transform: { try number($0, in: 1...1_000_000) })
  var limit: Int?

  @Option(
    help: "How many pages to load after each refresh, or all; 1 unless you say so.",
    transform: { try PageCount($0) })
  var pages = PageCount.some(1)

  @Flag(help: "Stop after the first complete load.")
  var once = false

  @Option(
    help: ArgumentHelp("How often to refresh; every 30s unless you say so.", valueName: "30s"),
    transform: { try Interval($0) })
  var every = Interval(duration: .seconds(30), description: "30s")

  @Option(help: "The name of the cache; made of the URL and the options unless you choose one.")
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
    _ = try credentials()
  }

  func run() async throws {
    let format = format ?? (isatty(STDOUT_FILENO) == 1 ? .table : .jsonl)
    var watcher = FeedWatcher(feed: try feed(), pages: pages, output: Output(format: format))
    try await watcher.showCache()
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
    let fields = HTTPHeaders(try credentials())
    let credentials = HTTPCredentials { _ in fields }
    let source: HTTPFeedSource<WatchedItem>
    do {
      source = try HTTPFeedSource<WatchedItem>(
        url, paging: paging.style(limit != nil), items: items, credentials: credentials,
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
    let name = cache ?? ([self.url, paging.description] + pointers).joined(separator: " ")
    // What somebody's credentials unlock is not shown to whoever asks next.
    let isCached = !noCache && (cache != nil || headers.isEmpty)
    let sectionName: @Sendable (WatchedItem) -> String = { $0.section }
    return Feed(
      source, cache: isCached ? .file(name) : nil,
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
