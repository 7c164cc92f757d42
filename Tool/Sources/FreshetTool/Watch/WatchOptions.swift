import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP

/// Where things are in the answers of a source.
struct ListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How the server names its pages; auto unless you say so.", valueName: PagingArgument.help),
    transform: { try PagingArgument($0) })
  var paging = PagingArgument.automatic

  @Option(
    help: ArgumentHelp(
      "Where the items are. Found by itself where there is one array.", valueName: "/pointer"),
    transform: { try PointerArgument.pointer($0) })
  var items: JSONPointer?

  @Option(
    help: ArgumentHelp("What tells rows apart, in an item; /id.", valueName: "/pointer"),
    transform: { try PointerArgument.pointer($0) })
  var id: JSONPointer = "/id"

  @Option(
    help: ArgumentHelp("What to print of a row, in an item.", valueName: "/pointer"),
    transform: { try PointerArgument.pointer($0) })
  var title: JSONPointer?

  @Option(
    help: ArgumentHelp("Which section a row is in.", valueName: "/pointer[:day]"),
    transform: { try PointerArgument.section($0) })
  var section: SectionPlace?

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp(
      "What changes by itself in an item, such as an age: no update tells of it; repeatable.",
      valueName: "/pointer"),
    transform: { try PointerArgument.pointer($0) })
  var ignored: [JSONPointer] = []

  var places: WatchedPlaces {
    WatchedPlaces(id: id, title: title, section: section, ignored: ignored)
  }
}

/// How much of the list is loaded, and how often it is looked at.
struct LoadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How many rows to ask for with each page, where the paging has a parameter for it.",
      valueName: "N"),
    transform: { try number($0, in: 1...1_000_000) })
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "How many pages to keep, or all; 1 unless you say so.", valueName: "N|all"),
    transform: { try PageCount($0) })
  var pages = PageCount.some(1)

  @Option(
    help: ArgumentHelp(
      "How many rows to keep; \(WatchBounds.standardRows) unless you say so.", valueName: "N"),
    transform: { try number($0, in: 1...100_000_000) })
  var maxRows: Int?

  @Option(
    help: ArgumentHelp(
      "How far a refresh reads: from the head until it meets what is known, or through all that is loaded.",
      valueName: "head|all"))
  var refresh = RefreshArgument.head

  @Flag(help: "Stop after the first complete load.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "How often to refresh, a tenth more or less; every 30s unless you say so.", valueName: "30s"),
    transform: { try Interval($0) })
  var every = Interval(duration: .seconds(30), description: "30s")

  @Option(
    help: ArgumentHelp(
      "How often a request that failed is sent again, never before the server allows it; 5 times with --once, else 2.",
      valueName: "N"),
    transform: { try number($0, in: 0...1000) })
  var retries: Int?

  var bounds: WatchBounds {
    WatchBounds(
      pages: pages, maxRows: maxRows ?? WatchBounds.standardRows, isMaxRowsAsked: maxRows != nil,
      gapPages: once ? 1000 : 100)
  }

  var retryPolicy: RetryPolicy {
    RetryPolicy(
      attempts: retries ?? (once ? 5 : 2), base: .milliseconds(500), limit: .seconds(300))
  }
}

/// Who asks, and what for.
struct AccessOptions: ParsableArguments {
  @Option(
    name: .customLong("header"),
    help: ArgumentHelp(
      "A header field, repeatable; or the fields of a file.", valueName: "Name: value|@file"))
  var fields: [String] = []

  @Option(
    help: ArgumentHelp("The media type to ask for; JSON unless you say so.", valueName: "type"))
  var accept: String?

  @Option(
    help: ArgumentHelp(
      "Who asks, with Basic authentication.", valueName: "name[:password]|@file"))
  var user: String?

  @Flag(help: "Follow next links to other origins, without credentials.")
  var allowForeignLinks = false

  /// The header fields but for the user's.
  func headers(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> RequestHeaders {
    var headers = RequestHeaders()
    try headers.add(environment: environment)
    for field in fields { try headers.add(argument: field) }
    if let accept { try headers.set("Accept", accept) }
    return headers
  }

  func addUser(
    to headers: inout RequestHeaders,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    guard let user else { return }
    let argument = try UserArgument(user, environment: environment, ask: UserArgument.ask)
    try headers.add(user: argument.name, password: argument.password)
  }
}

/// Where rows are kept between runs.
struct CacheOptions: ParsableArguments {
  @Option(
    name: .customLong("cache"),
    help: "The name of the cache; made of the URL and the options unless you choose one.")
  var name: String?

  @Option(
    name: .customLong("cache-folder"),
    help: ArgumentHelp("The folder of caches; the user's unless you choose one.", valueName: "path")
  )
  var folder: String?

  @Flag(name: .customLong("no-cache"), help: "Keep nothing on disk.")
  var isOff = false

  /// The cache of a list: in memory where none of it may be on disk.
  func place(
    _ url: URL, _ list: ListOptions, _ headers: RequestHeaders
  ) -> any FeedCache<WatchedItem> {
    guard let name = cacheName(url, list, headers) else { return RowsInMemory() }
    let directory = folder.map { CacheDirectory(URL(fileURLWithPath: $0)) } ?? .default
    return FileFeedCache(
      name, version: 2, in: directory, coder: WatchedCoder(places: list.places))
  }

  /// The name of the cache; `nil` where there is none: what somebody's credentials unlock is not shown to
  /// whoever asks next, and no secret is part of a name.
  func cacheName(_ url: URL, _ list: ListOptions, _ headers: RequestHeaders) -> String? {
    if isOff { return nil }
    if let name { return name }
    let query = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    guard !headers.hasSecrets, !query.contains(where: { SecretNames.contains($0.name) }) else {
      return nil
    }
    // Another way to read the same URL is another list.
    let pointers = [list.id, list.items, list.title, list.section?.pointer].map {
      $0?.description ?? "-"
    }
    return ([url.absoluteString, list.paging.description] + pointers + headers.cacheNames)
      .joined(separator: " ")
  }
}

/// Pointers as arguments, with what to do where one is none.
enum PointerArgument {
  static func pointer(_ argument: String) throws -> JSONPointer {
    guard let pointer = JSONPointer(argument) else { throw advice(argument) }
    return pointer
  }

  static func section(_ argument: String) throws -> SectionPlace {
    guard let place = SectionPlace(argument: argument) else { throw advice(argument) }
    return place
  }

  private static func advice(_ argument: String) -> ValidationError {
    argument.hasPrefix("/")
      ? ValidationError("In a JSON pointer, ~ is written ~0 and / in a name ~1.")
      : ValidationError("A JSON pointer begins with /: try /\(argument).")
  }
}

/// What `--refresh` offers.
enum RefreshArgument: String, ExpressibleByArgument, CaseIterable {
  case head, all

  var scope: RefreshScope { self == .head ? .head : .all }
}

extension Interval {
  /// How long to wait for the next refresh: a tenth more or less, as chance from 0 to 1 says, so that
  /// many who watch do not ask together, and never less than the server asked for (rule R4).
  func pause(after failure: WatchFailure?, chance: Double) -> Duration {
    let asked = Duration.seconds(min(max(0, failure?.retryAfter ?? 0), 86_400))
    return max(duration * (0.9 + 0.2 * chance), asked)
  }
}
