import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP

/// `freshet watch`: any paged JSON API as a list that is kept up to date.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: WatchHelp.abstract, discussion: WatchHelp.discussion)

  // The list of completions is empty: otherwise zsh would complete the start of an option as a URL.
  @Argument(help: "The first page: an http or https URL.", completion: .list([]))
  var url: String

  @OptionGroup(title: "Where things are")
  var list: ListOptions

  @OptionGroup(title: "How much, and how often")
  var loading: LoadingOptions

  @OptionGroup(title: "Who asks")
  var access: AccessOptions

  @OptionGroup(title: "Where it is kept")
  var cache: CacheOptions

  @OptionGroup(title: "How it looks")
  var look: TerminalOptions

  @Option(
    help:
      "Lines: table for people, jsonl for scripts; jsonl into a pipe, a full screen in a terminal.")
  var format: OutputFormat?

  // Header fields are not validated here: a pipe that contains them can be read only once.
  func validate() throws { _ = try watchedURL() }

  func run() async throws {
    StandardOutput.ignoreBrokenPipes()
    if !look.plain, !loading.once, format == nil,
      let terminal = Terminal(environment: ProcessInfo.processInfo.environment), Foreground.wait()
    {
      return try await run(in: terminal)
    }
    let notices = Notices()
    if look.outbox != nil {
      notices.note("--outbox marks rows of the full screen, not lines.", about: "outbox")
    }
    let format = format ?? (StandardOutput.output.isTerminal ? .table : .jsonl)
    var watcher = try watcher(UpdatePrinter(format: format), notices)
    try await watcher.showCache()
    repeat {
      let end = try await watcher.load()
      noteTitles(of: watcher.feed.value.items, notices)
      noteSections(of: watcher.feed.value.items, notices)
      noteDoubts(watcher.feed.value.diagnostics, notices)
      if loading.once {
        try await watcher.finish(end)
        if let failure = end.failure { throw failure }
        return
      }
      notices.say(end.failure)
      try await pause(loading.every.pause(after: end.failure, chance: .random(in: 0...1)))
    } while !Task.isCancelled
  }

  /// Reports ids that do not distinguish rows, and signs that the list is not complete.
  private func noteDoubts(_ diagnostics: FeedDiagnostics, _ notices: Notices) {
    let count = diagnostics.duplicateIDs
    if count > 0 {
      notices.note(
        "\(count) \(count == 1 ? "row is" : "rows are") not shown, as others have the same --id \(list.id): say what tells rows apart.",
        about: "ids")
    }
    if let limit = diagnostics.suspectedLimit {
      notices.note(
        "The answer is an array of exactly \(limit) rows, and nothing says whether they are all: check how the server pages its lists and pass that with --paging.",
        about: "limit of a page")
    }
    if let total = diagnostics.unexplainedTotal {
      notices.note(
        "The server counts \(total) rows, and the list has another number: pass --refresh all to read all of it again.",
        about: "total")
    }
  }

  /// Waits for the next round; ends the process if the reader closes the output meanwhile.
  private func pause(_ duration: Duration) async throws {
    var left = duration
    while left > .zero {
      try StandardOutput.output.checkReader()
      let part = min(left, .seconds(1))
      try await Task.sleep(for: part)
      left -= part
    }
    try StandardOutput.output.checkReader()
  }

  /// Reports if `--title` finds nothing in any row.
  private func noteTitles(of items: some Collection<WatchedItem>, _ notices: Notices) {
    guard let title = list.title, !items.isEmpty, items.allSatisfy(\.title.isEmpty) else { return }
    notices.note("No row has a text or a number at --title \(title).", about: "title")
  }

  /// Reports if `--section` finds nothing in any row.
  private func noteSections(of items: some Collection<WatchedItem>, _ notices: Notices) {
    guard let section = list.section, !items.isEmpty, items.allSatisfy(\.section.isEmpty) else {
      return
    }
    notices.note("No row has anything at --section \(section.pointer).", about: "section")
  }

  /// Shows the list in the terminal until the session ends.
  private func run(in terminal: Terminal) async throws {
    let events = EventQueue<TerminalSession.Event>()
    let notices = Notices { events.put(.screen(.said($0))) }
    let attempts = Attempts(notices, policy: loading.retryPolicy) {
      events.put(.screen(.waiting($0)))
    }
    let feed = try feed(
      attempts, notices, maximumRows: loading.bounds.maxRows, keeping: { _ in .max })()
    let rounds = LoadingRounds(
      bounds: loading.bounds, scope: loading.refresh.scope, every: loading.every,
      attempts: attempts)
    let outbox = try look.outbox.map { try OutboxFolder($0) }
    let columns = look.columns.isEmpty ? RowColumn.standard : RowColumn.distinct(look.columns)
    let end = try await TerminalSession(feed, rounds, outbox, in: terminal, events).run(
      .init(title: url, columns: columns, hasSections: list.section != nil))
    await feed.flush()
    if case .signal(let signal) = end { SignalPipe.shared?.obey(signal) }
  }

  private func watcher(_ printer: UpdatePrinter, _ notices: Notices) throws -> FeedWatcher {
    let attempts = Attempts(notices, policy: loading.retryPolicy)
    let (bounds, size) = (loading.bounds, loading.limit ?? 50)
    return FeedWatcher(
      .init(bounds: bounds, scope: loading.refresh.scope, pageSize: size), attempts: attempts,
      printer: printer,
      makeFeed: try feed(attempts, notices) { stored in
        attempts.noteStored(pageSize: stored)
        return bounds.rows(pageSize: stored ?? size)
      })
  }

  /// Returns a function that makes the feed.
  ///
  /// - Parameter keeping: how many rows of the cache to read, given the size of the first page if
  ///   it is known.
  private func feed(
    _ attempts: Attempts, _ notices: Notices, maximumRows: Int? = nil,
    keeping limit: @escaping @Sendable (_ pageSize: Int?) -> Int
  ) throws -> () -> Feed<WatchedItem> {
    let url = try watchedURL()
    var headers = try access.headers()
    try access.addUser(to: &headers)
    let source = NotingSource(base: try source(url, headers), attempts: attempts)
    if let limit = loading.limit, list.paging.style(true) == list.paging.style(false) {
      notices.note(
        "--limit \(limit) is not sent: --paging \(list.paging) has no parameter for it. Put it into the URL, or choose a paging that has one.",
        about: "limit")
    }
    if let parameter = cache.secretParameter(of: url, headers) {
      notices.note(
        "Rows are not kept on disk: the parameter \(parameter) looks like a secret. Name a place with --cache if they may be.",
        about: "cache")
    }
    let kept = LimitedCache(cache.place(url, list, headers), limit: limit, say: { notices.say($0) })
    let sectionName: @Sendable (WatchedItem) -> String = { $0.section }
    let hasSections = list.section != nil
    let configuration = FeedConfiguration(
      pageSize: loading.limit ?? 50, maximumRows: maximumRows, retryPolicy: loading.retryPolicy)
    return {
      Feed(
        source, cache: FeedCacheChoice(kept), sectionedBy: hasSections ? sectionName : nil,
        configuration: configuration)
    }
  }

  private func source(
    _ url: URL, _ headers: RequestHeaders
  ) throws -> HTTPFeedSource<WatchedItem> {
    let places = list.places
    let own = headers.own
    let transport = try access.transport()
    do {
      return try HTTPFeedSource(
        url, paging: list.paging.style(loading.limit != nil), items: list.items,
        credentials: HTTPCredentials(own),
        configuration: HTTPConfiguration(
          headers: headers.common,
          foreignLinks: access.allowForeignLinks ? .withoutCredentials : .refused,
          transport: transport),
        decoder: { VerbatimDecoder(places) })
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// The URL that the user may have meant, if only the scheme is missing.
  private var suggestedURL: String {
    if url.contains("://") || url.contains(where: "@?".contains) { return "https://…" }
    let isLocal = ["localhost", "127.", "[::1]"].contains(where: url.hasPrefix)
    return "\(isLocal ? "http" : "https")://\(url)"
  }

  /// Returns the URL, if it can be requested; error messages repeat no secret.
  private func watchedURL() throws -> URL {
    let shown = url.contains(where: "@?".contains) ? "This" : "\"\(url)\""
    guard let parsed = URL(string: url), let scheme = parsed.scheme?.lowercased(),
      ["http", "https"].contains(scheme), parsed.host?.isEmpty == false
    else { throw ValidationError("\(shown) is not an http or https URL. Try \(suggestedURL)") }
    guard parsed.user == nil, parsed.password == nil else {
      throw ValidationError("A URL does not hold the user: put the name into --user.")
    }
    return parsed
  }
}
