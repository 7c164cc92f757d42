internal import struct Foundation.URL

extension FeedError: CustomStringConvertible, CustomDebugStringConvertible {
  /// A description for logs: the failure, its place, and what to try.
  ///
  /// It is one line. Secrets are masked, and text from a server is escaped and bounded (rule N5).
  public var description: String {
    switch self {
    case .pagingLoop(let key):
      "Paging goes in circles at key \(LogText(key)): the server repeats pages. Refresh, or check the key that the source derives from a page."
    case .staleKey(let key):
      "The page key \(LogText(key)) no longer leads anywhere. Refresh to start from the head."
    case .decoding(let path, let expected, let found, let url):
      "Expected \(LogText(expected)) at \(path.isEmpty ? "the root" : LogText(path).description)\(Self.place("of", url)), found \(LogText(found)). \(Self.advice(expected: expected, found))"
    case .unreadPages(let seen, let advice, let url):
      "There are more rows than this way of paging reaches\(Self.place("at", url)): the answer holds \(LogText(seen)). \(LogText(advice))"
    case .source(let error as any LoadFailure & CustomStringConvertible):
      LogText("\(error)", limit: 3000).description
    case .source(let error):
      "The source failed: \(LogText("\(error)", limit: 1000))"
    }
  }

  /// The same text as `description`, so that debug output contains no secrets either.
  public var debugDescription: String { description }

  private static func place(_ word: String, _ url: URL?) -> String {
    url.map { " \(word) \(LogText($0))" } ?? ""
  }

  private static func advice(expected: String, _ found: String) -> String {
    switch expected {
    case "JSON" where found.contains("cut off"): "Ask again, for smaller pages if it stays so."
    case "JSON" where found.contains("UTF-") || found.contains("surrogate"):
      "JSON is UTF-8: the server sends another encoding, or damaged text."
    case "JSON": "Check the address, the credentials and the Accept field."
    case _ where expected.hasPrefix("at most"): "Ask for smaller pages."
    default: "Check the type of the items, and where in the body they are."
    }
  }
}
