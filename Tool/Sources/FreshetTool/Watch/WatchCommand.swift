import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP

/// `freshet watch`: any paged JSON API as a list that is kept true.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: WatchHelp.abstract, discussion: WatchHelp.discussion)

  @Argument(help: "The first page: an http or https URL.")
  var url: String

  @OptionGroup(title: "Where things are")
  var list: ListOptions

  @OptionGroup(title: "How much, and how often")
  var loading: LoadingOptions

  @OptionGroup(title: "Who asks")
  var access: AccessOptions

  @OptionGroup(title: "Where it is kept")
  var cache: CacheOptions

  @Option(help: "table for people, jsonl for scripts; table on a terminal.")
  var format: OutputFormat?

  func validate() throws {
    _ = try watchedURL()
    _ = try access.headers()
  }

  func run() async throws {
    StandardOutput.ignoreBrokenPipes()
    let notices = Notices()
    let format = format ?? (StandardOutput.output.isTerminal ? .table : .jsonl)
    var watcher = try watcher(UpdatePrinter(format: format), notices)
    try await watcher.showCache()
    repeat {
      let end = try await watcher.load()
      noteTitles(of: watcher.feed.value.items, notices)
      if loading.once {
        try await watcher.finish(end)
        if let failure = end.failure { throw failure }
        return
      }
      notices.say(end.failure)
      try await Task.sleep(
        for: loading.every.pause(after: end.failure, chance: .random(in: 0...1)))
    } while !Task.isCancelled
  }

  /// Says where `--title` shows nothing of any row.
  private func noteTitles(of items: some Collection<WatchedItem>, _ notices: Notices) {
    guard let title = list.title, !items.isEmpty, items.allSatisfy(\.title.isEmpty) else { return }
    notices.note("No row has a text or a number at --title \(title).", about: "title")
  }

  private func watcher(_ printer: UpdatePrinter, _ notices: Notices) throws -> FeedWatcher {
    let url = try watchedURL()
    var headers = try access.headers()
    try access.addUser(to: &headers)
    let attempts = Attempts(notices, policy: loading.retryPolicy)
    let source = NotingSource(base: try source(url, headers), attempts: attempts)
    let (bounds, size) = (loading.bounds, loading.limit ?? 50)
    if let limit = loading.limit, list.paging.style(true) == list.paging.style(false) {
      notices.note(
        "--limit \(limit) is not sent: --paging \(list.paging) has no parameter for it. Put it into the URL, or choose a paging that has one.",
        about: "limit")
    }
    let kept = KeptRows(
      cache.place(url, list, headers), limit: { bounds.rows(pageSize: $0 ?? size) },
      say: { notices.say($0) })
    let sectionName: @Sendable (WatchedItem) -> String = { $0.section }
    let hasSections = list.section != nil
    let configuration = FeedConfiguration(pageSize: size, retryPolicy: loading.retryPolicy)
    return FeedWatcher(
      .init(bounds: bounds, scope: loading.refresh.scope, pageSize: size), attempts: attempts,
      printer: printer
    ) {
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
    do {
      return try HTTPFeedSource(
        url, paging: list.paging.style(loading.limit != nil), items: list.items,
        credentials: HTTPCredentials(own),
        configuration: HTTPConfiguration(
          headers: headers.common,
          foreignLinks: access.allowForeignLinks ? .withoutCredentials : .refused),
        decoder: { VerbatimDecoder(places) })
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// The URL, if it is one to ask; what is said else repeats no secret.
  private func watchedURL() throws -> URL {
    let shown = url.contains(where: "@?".contains) ? "This" : "\"\(url)\""
    guard let parsed = URL(string: url), let scheme = parsed.scheme?.lowercased(),
      ["http", "https"].contains(scheme), parsed.host?.isEmpty == false
    else { throw ValidationError("\(shown) is not an http or https URL. Try https://…") }
    guard parsed.user == nil, parsed.password == nil else {
      throw ValidationError("A URL does not hold the user: put the name into --user.")
    }
    return parsed
  }
}
