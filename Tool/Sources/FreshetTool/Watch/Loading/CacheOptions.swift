import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP

/// The options for where rows are stored between runs.
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

  /// Returns the cache of a list; it is in memory if the list may not be stored on disk.
  func place(
    _ url: URL, _ list: ListOptions, _ headers: RequestHeaders
  ) -> any FeedCache<WatchedItem> {
    guard let name = cacheName(url, list, headers) else { return RowsInMemory() }
    let directory = folder.map { CacheDirectory(URL(fileURLWithPath: $0)) } ?? .default
    return FileFeedCache(
      name, version: 2, in: directory, coder: WatchedCoder(places: list.places))
  }

  /// Returns the first URL parameter that alone keeps rows off the disk; `nil` if there is none.
  func secretParameter(of url: URL, _ headers: RequestHeaders) -> String? {
    guard !isOff, name == nil, !headers.hasSecrets else { return nil }
    let parameters = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return parameters.lazy.map(\.name).first { LogText.masksSecret(in: "?\($0)=x") }
  }

  /// Returns the name of the cache; `nil` if the list may not be stored on disk.
  ///
  /// Rows that need credentials are stored only under a name that the user chose: the next user
  /// must not see them by default. No generated name contains a secret.
  func cacheName(_ url: URL, _ list: ListOptions, _ headers: RequestHeaders) -> String? {
    if isOff { return nil }
    if let name { return name }
    guard !headers.hasSecrets, !LogText.masksSecret(in: url.absoluteString) else { return nil }
    // The same URL read in another way is another list. Options at their defaults add nothing.
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
