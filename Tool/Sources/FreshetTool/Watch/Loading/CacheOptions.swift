import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP

/// Where rows are kept between runs.
struct CacheOptions: ParsableArguments {
  @Option(
    name: .customLong("cache"),
    help: "The name of the cache; made of the URL and the options unless you choose one.")
  var name: String?

  @Option(
    name: .customLong("cache-folder"),
    help: ArgumentHelp(
      "The folder of caches; the user's unless you choose one.", valueName: "path"),
    completion: .directory)
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

  /// The URL's first parameter that alone keeps the rows from the disk; `nil` where there is none.
  func secretParameter(of url: URL, _ headers: RequestHeaders) -> String? {
    guard !isOff, name == nil, !headers.hasSecrets else { return nil }
    let parameters = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return parameters.lazy.map(\.name).first { LogText.masksSecret(in: "?\($0)=x") }
  }

  /// The name of the cache; `nil` where there is none: what somebody's credentials unlock is not
  /// shown to whoever asks next, and no secret is part of a name.
  func cacheName(_ url: URL, _ list: ListOptions, _ headers: RequestHeaders) -> String? {
    if isOff { return nil }
    if let name { return name }
    guard !headers.hasSecrets, !LogText.masksSecret(in: url.absoluteString) else { return nil }
    // Another way to read the same URL is another list; what is not said needs no word.
    let said: [(String, String?)] = [
      (
        "paging",
        list.paging.description == PagingArgument.automatic.description ? nil : "\(list.paging)"
      ),
      ("id", list.id == "/id" ? nil : list.id.description), ("items", list.items?.description),
      ("title", list.title?.description), ("section", list.section?.pointer.description),
    ]
    let options = said.compactMap { name, value in value.map { "--\(name) \($0)" } }
    return ([url.absoluteString] + options + headers.cacheNames).joined(separator: " ")
  }
}
