internal import Foundation

/// Whether a next link counts pages or rows, so that rows which come or go above it shift what it
/// leads to (rule T5).
enum CountingLink {
  private static let counters: Set<String> = [
    "page", "p", "pg", "paged", "pageno", "pagenum", "pagenumber", "pageindex", "currentpage",
    "offset", "skip", "start", "startindex", "startat", "first", "firstresult", "from", "startrow",
    "pageoffset", "startpage",
  ]
  private static let cursors: [String] = ["cursor", "token", "after", "before", "marker", "contin"]
  private static let sizes: Set<String> = [
    "limit", "perpage", "pagesize", "size", "count", "rows", "top", "maxresults", "n", "take",
    "pagelen", "pagelimit", "resultsperpage", "itemsperpage",
  ]

  /// The parameter by which a link counts, or `nil`.
  ///
  /// What else the link holds may be the list's own; a cursor that the URL before had not makes the
  /// link stable.
  static func parameter(of link: URL, from url: URL) -> String? {
    let (before, after) = (query(of: url), query(of: link))
    let changed = after.filter { before[$0.key] != $0.value }
    for (name, value) in changed where !value.isEmpty {
      let joined = joined(name)
      if cursors.contains(where: joined.contains) { return nil }
    }
    let counter = changed.filter { counters.contains(joined($0.key)) && isCount($0.value) }.keys
      .min()
    if let counter { return counter }
    let path = link.path.split(separator: "/")
    if path.count > 1, let last = path.last, isCount(String(last)), link.path != url.path,
      ["page", "p", "pages"].contains(path[path.count - 2].lowercased())
    {
      return "page"
    }
    return nil
  }

  /// How many rows a list has up to the end of the page that a URL asks for, going by what the URL
  /// says.
  ///
  /// Only names that leave no doubt are read, and a page counts from one: what is taken for less than it
  /// is leads to an error, what is taken for more to silence.
  static func position(of url: URL, rows: Int) -> Int {
    let query = query(of: url)
    let offsets = query.filter {
      ["offset", "skip", "startindex", "startat"].contains(joined($0.key))
    }
    if let offset = offsets.values.compactMap({ Int($0) }).max(), offset > 0 {
      return offset.counting(rows) ?? rows
    }
    let (above, isBeyond) = (page(of: url) - 1).multipliedReportingOverflow(
      by: size(url) ?? rows)
    return isBeyond ? rows : above.counting(rows) ?? rows
  }

  /// The page that a URL asks for, counted from one.
  static func page(of url: URL) -> Int {
    let names = ["page", "pageno", "pagenum", "pagenumber"]
    let pages = query(of: url).filter { names.contains(joined($0.key)) }.values
    return max(1, pages.compactMap { Int($0) }.max() ?? 1)
  }

  /// The number of rows that a URL asks for.
  static func size(_ url: URL) -> Int? {
    query(of: url).filter { sizes.contains(joined($0.key)) }.values.compactMap { Int($0) }.max()
  }

  private static func isCount(_ text: String) -> Bool {
    !text.isEmpty && text.count <= 18 && text.utf8.allSatisfy { 48...57 ~= $0 }
  }

  private static func joined(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  private static func query(of url: URL) -> [String: String] {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }
}

extension CharacterSet {
  /// What needs no escape anywhere in a URL (RFC 3986, section 2.3).
  static let unreserved = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
}

extension URL {
  /// The URL with query parameters set to these values.
  func settingQuery(_ parameters: [String: String]) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
    func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? text
    }
    // What the user wrote stays as it is written: a plus may mean a space.
    var items = (parts.percentEncodedQueryItems ?? []).filter {
      parameters[$0.name.removingPercentEncoding ?? $0.name] == nil
    }
    items += parameters.sorted { $0.key < $1.key }.map {
      URLQueryItem(name: encoded($0.key), value: encoded($0.value))
    }
    parts.percentEncodedQueryItems = items
    return parts.url ?? self
  }
}
