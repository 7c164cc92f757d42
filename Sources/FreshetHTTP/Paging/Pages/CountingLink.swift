internal import Foundation

/// The check whether a next link counts pages or rows (rule T5).
///
/// If it counts, rows that are inserted or deleted above the next page shift it.
///
/// Arithmetic decides, regardless of the parameter's name: a count grows by one, or by the rows of
/// a page. A cursor that is a whole number grows by other amounts, because ids have holes. The two
/// may look the same, as on a first page with the ids 1 to 50 and a link to 50. In that case the
/// name decides. If it does not, the link counts until a later link shows otherwise. If that is
/// wrong, it costs at most an extra request, while the opposite mistake would lose a row.
enum CountingLink {
  /// Names of parameters that count, whatever they grow by.
  private static let counters: Set<String> = [
    "page", "pg", "paged", "pageno", "pagenum", "pagenumber", "pageindex", "currentpage", "offset",
    "skip", "startindex", "startat", "firstresult", "startrow", "pageoffset", "startpage",
  ]
  private static let cursors: [String] = ["cursor", "token", "after", "before", "marker", "contin"]
  /// Words in the names of parameters that take the id of a row.
  private static let rows: Set<String> = [
    "id", "since", "until", "last", "max", "min", "key", "next", "older", "newer", "than",
  ]
  private static let sizes: Set<String> = [
    "limit", "perpage", "pagesize", "size", "count", "rows", "top", "maxresults", "n", "take",
    "pagelen", "pagelimit", "resultsperpage", "itemsperpage",
  ]

  /// Returns the parameter by which a link counts, or `nil`.
  ///
  /// Other parameters of the link may belong to the list itself. A token that changes makes the
  /// link stable.
  ///
  /// - Parameters:
  ///   - rows: how many rows the page at the URL has; `nil` decides by the names alone.
  ///   - lastID: the id of its last row, if that is a whole number.
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

  /// Returns whether a count steps from one value to another, after a page of `rows` rows.
  private static func isStep(from old: String?, to new: String, _ rows: Int, _ size: Int) -> Bool {
    guard let new = Int(new) else { return false }
    // A page may have fewer rows than the server counts, if it leaves rows out.
    let page = max(1, min(rows, size))...max(1, rows, size).doubled
    guard let old, !old.isEmpty else {
      return new == 1 || new == 2 || page.contains(new - 1) || page.contains(new)
    }
    guard let old = Int(old), new > old else { return false }
    let step = new - old
    if step == 1 || step == rows || step == size { return true }
    return page.contains(step) && old > 0 && (old % step == 0 || (old - 1) % step == 0)
  }

  /// Returns whether a link ends in a page number, as `/page/2`.
  private static func isPageOfPath(_ link: URL, _ url: URL) -> Bool {
    let path = link.path.split(separator: "/")
    guard path.count > 1, let last = path.last, isCount(String(last)), link.path != url.path else {
      return false
    }
    return ["page", "p", "pages"].contains(path[path.count - 2].lowercased())
  }

  /// Returns a name for the count in a link's path, if the paths differ in one place by a step.
  ///
  /// An example is `/list/50` and `/list/100`.
  private static func stepOfPath(_ link: URL, _ url: URL, _ rows: Int, _ size: Int) -> String? {
    let (before, after) = (url.path.split(separator: "/"), link.path.split(separator: "/"))
    guard before.count == after.count else { return nil }
    let changed = zip(before, after).filter { $0 != $1 }.map { (String($0), String($1)) }
    guard changed.count == 1, let (old, new) = changed.first, isCount(old), isCount(new),
      isStep(from: old, to: new, rows, size)
    else { return nil }
    return "the path"
  }

  /// Returns how many rows a list has up to the end of the page at a URL, as the URL states it.
  ///
  /// Only unambiguous names are read, and a page counts from one. A position that is too low leads
  /// to an error. One that is too high would hide missing rows.
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

  /// Returns the number of the page that a URL requests, counted from one.
  static func page(of url: URL) -> Int {
    let names = ["page", "pageno", "pagenum", "pagenumber"]
    let pages = query(of: url).filter { names.contains(joined($0.key)) }.values
    return max(1, pages.compactMap { Int($0) }.max() ?? 1)
  }

  /// Returns the number of rows that a URL requests.
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
