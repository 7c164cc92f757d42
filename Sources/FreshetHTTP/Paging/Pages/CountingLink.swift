internal import Foundation

/// Whether a next link counts pages or rows, so that rows which come or go above it shift what it
/// leads to (rule T5).
///
/// Arithmetic tells, whatever a parameter is called: a count grows by one, or by the rows of a
/// page. A cursor that is a whole number grows by other amounts, as ids have holes. Where the two
/// look the same, as on a first page with the ids 1 to 50 and a link to 50, the name decides; else
/// it counts until a link says otherwise: that costs a second look at most, and the other mistake a
/// row.
enum CountingLink {
  /// What counts whatever it grows by.
  private static let counters: Set<String> = [
    "page", "pg", "paged", "pageno", "pagenum", "pagenumber", "pageindex", "currentpage", "offset",
    "skip", "startindex", "startat", "firstresult", "startrow", "pageoffset", "startpage",
  ]
  private static let cursors: [String] = ["cursor", "token", "after", "before", "marker", "contin"]
  /// Words of parameters that take the id of a row.
  private static let rows: Set<String> = [
    "id", "since", "until", "last", "max", "min", "key", "next", "older", "newer", "than",
  ]
  private static let sizes: Set<String> = [
    "limit", "perpage", "pagesize", "size", "count", "rows", "top", "maxresults", "n", "take",
    "pagelen", "pagelimit", "resultsperpage", "itemsperpage",
  ]

  /// The parameter by which a link counts, or `nil`.
  ///
  /// What else the link holds may be the list's own; a token that moves makes the link stable.
  ///
  /// - Parameters:
  ///   - rows: how many rows the page at the URL has; `nil` leaves it to the names.
  ///   - lastID: the id of its last row, where that is a whole number.
  static func parameter(
    of link: URL, from url: URL, rows: Int? = nil, lastID: Int? = nil
  ) -> String? {
    let (before, after) = (query(of: url), query(of: link))
    let changed = after.filter { before[$0.key] != $0.value }
    for (name, value) in changed where !value.isEmpty && !isCount(value) {
      let joined = joined(name)
      if before[name] != nil || cursors.contains(where: joined.contains) { return nil }
    }
    let counts = changed.filter { isCount($0.value) && !sizes.contains(joined($0.key)) }
    if let named = counts.keys.filter({ counters.contains(joined($0)) }).min() { return named }
    if isPageOfPath(link, url) { return "page" }
    guard let rows, link.host == url.host, link.port == url.port else { return nil }
    let size = size(link) ?? size(url) ?? rows
    let steps = counts.filter { name, value in
      let isID = lastID != nil && Int(value) == lastID && takesID(name)
      return !isID && isStep(from: before[name], to: value, rows, size)
    }
    return steps.keys.min() ?? (changed.isEmpty ? stepOfPath(link, url, rows, size) : nil)
  }

  private static func takesID(_ name: String) -> Bool {
    let joined = joined(name)
    return cursors.contains(where: joined.contains)
      || SignalName(name).words.contains(where: rows.contains)
  }

  /// Whether a count goes on from one value to another, behind so many rows of a page of that size.
  private static func isStep(from old: String?, to new: String, _ rows: Int, _ size: Int) -> Bool {
    guard let new = Int(new) else { return false }
    // A page may be short of what is counted, where rows are left out.
    let page = max(1, min(rows, size))...max(1, rows, size).doubled
    guard let old, !old.isEmpty else {
      return new == 1 || new == 2 || page.contains(new - 1) || page.contains(new)
    }
    guard let old = Int(old), new > old else { return false }
    let step = new - old
    if step == 1 || step == rows || step == size { return true }
    return page.contains(step) && old > 0 && (old % step == 0 || (old - 1) % step == 0)
  }

  /// Whether a link ends in a page's number, `/page/2`.
  private static func isPageOfPath(_ link: URL, _ url: URL) -> Bool {
    let path = link.path.split(separator: "/")
    guard path.count > 1, let last = path.last, isCount(String(last)), link.path != url.path else {
      return false
    }
    return ["page", "p", "pages"].contains(path[path.count - 2].lowercased())
  }

  /// What counts where a link differs in one place of its path, `/list/50` from `/list/100`.
  private static func stepOfPath(_ link: URL, _ url: URL, _ rows: Int, _ size: Int) -> String? {
    let (before, after) = (url.path.split(separator: "/"), link.path.split(separator: "/"))
    guard before.count == after.count else { return nil }
    let changed = zip(before, after).filter { $0 != $1 }.map { (String($0), String($1)) }
    guard changed.count == 1, let (old, new) = changed.first, isCount(old), isCount(new),
      isStep(from: old, to: new, rows, size)
    else { return nil }
    return "the path"
  }

  /// How many rows a list has up to the end of the page that a URL asks for, going by what the URL
  /// says.
  ///
  /// Only names that leave no doubt are read, and a page counts from one: what is taken for less
  /// than it is leads to an error, what is taken for more to silence.
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

extension Int {
  fileprivate var doubled: Int { multipliedReportingOverflow(by: 2).overflow ? .max : self * 2 }
}
