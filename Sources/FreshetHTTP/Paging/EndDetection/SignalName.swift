/// The words of a name that may be a paging signal.
///
/// Examples are `next_cursor`, `hasNextPage`, `@odata.nextLink` and `X-Total-Count`.
struct SignalName: Sendable {
  /// The words in lower case.
  let words: [String]
  /// The words joined without a separator.
  let joined: String
  private let isODataCount: Bool

  init(_ name: String) {
    var words: [String] = []
    var word = ""
    var isLower = false
    // Names of signals are short, so the rest of a long name does not matter.
    for character in name.prefix(64) {
      guard character.isASCII, character.isLetter || character.isNumber else {
        if !word.isEmpty { words.append(word) }
        (word, isLower) = ("", false)
        continue
      }
      if isLower, character.isUppercase {
        words.append(word)
        word = ""
      }
      isLower = !character.isUppercase
      word += character.lowercased()
    }
    if !word.isEmpty { words.append(word) }
    while words.count > 1, Self.prefixes.contains(words[0]) {
      words.removeFirst()
    }
    self.words = words
    joined = words.joined()
    isODataCount = name == "@odata.count"
  }

  /// Prefixes that name a vendor or format.
  private static let prefixes: Set<String> = [
    "x", "odata", "wp", "hydra", "opensearch", "pagination", "paging",
  ]
  private static let more: Set<String> = [
    "more", "moreavailable", "moreresults", "moreresultsavailable", "truncated", "istruncated",
    "exceededtransferlimit", "incompleteresults",
  ]
  private static let remainders: Set<String> = [
    "remaining", "remainingitemcount", "remainingitems", "remainingcount", "remainingresults",
  ]
  private static let tokens: Set<String> = [
    "bookmark", "marker", "pagetoken", "resumptiontoken", "scrollid", "lastevaluatedkey",
  ]
  private static let last: Set<String> = [
    "last", "islast", "lastpage", "islastpage", "isend", "isfinished", "done", "isdone",
    "complete", "iscomplete", "endofrecords", "endofresults", "endoflist", "endofdata",
  ]
  private static let rows: Set<String> = [
    "count", "counts", "results", "result", "items", "elements", "records", "rows", "hits", "size",
    "entries", "number", "objects", "docs", "documents", "matches", "matched", "found",
    "available",
  ]
  private static let counts: Set<String> = [
    "count", "resultcount", "numresults", "hits", "filtercount", "filteredcount", "rowcount",
    "recordcount", "itemcount", "objectcount", "numberofelements",
  ]
  /// Words that change the meaning of a count: `maxRecordCount`.
  private static let bounds: Set<String> = ["max", "maximum", "min", "minimum", "page", "unread"]
  /// Words after "next" in a name that does not begin with it: `X-Nomad-NextToken`.
  private static let nextNouns: Set<String> = [
    "token", "cursor", "page", "link", "url", "uri", "href", "key", "marker", "offset",
  ]
  /// Names of errors that a response reports beside its rows.
  private static let troubles: Set<String> = [
    "error", "errors", "timedout", "partial", "ispartial", "partialresults", "remark",
  ]
  private static let pages: Set<String> = [
    "pages", "pagecount", "numpages", "numberofpages", "nbpages", "npages", "lastpage",
    "pagestotal",
  ]
  private static let sizes: Set<String> = [
    "perpage", "pagesize", "size", "limit", "itemsperpage", "maxresults", "pagelimit",
  ]
  /// Words that change the meaning of "next": `next_update`, `nextRunAt`.
  private static let others: Set<String> = [
    "update", "updates", "updated", "refresh", "poll", "run", "sync", "check", "time", "date", "at",
    "reset", "retry", "due", "payment", "event", "step", "action", "billing", "day", "week",
    "month", "year", "version", "release", "maintenance", "js", "nextjs",
  ]
  /// Names of next-page references that may be an object, such as a key that is sent back.
  private static let objects: Set<String> = [
    "next", "nextpage", "continue", "continuation", "lastevaluatedkey",
  ]
  private static let backward: Set<String> = [
    "prev", "previous", "before", "start", "first", "self", "current", "since", "last",
  ]

  /// Whether the name is for the number of rows that are left.
  var isRemainder: Bool { Self.remainders.contains(joined) }

  /// Whether the flag is about this response: a complete response may be one of many.
  var isAboutAnswer: Bool {
    [
      "truncated", "istruncated", "exceededtransferlimit", "incompleteresults", "complete",
      "iscomplete",
    ].contains(joined)
  }

  /// The meaning of a member with this name; `nil` if it is not about paging.
  var meaning: PaginationSignal.Meaning? {
    if saysMore { return .hasMore }
    if Self.troubles.contains(joined) { return .trouble }
    if joined == "start" || joined == "before" { return .firstOfTwo }
    if joined == "end" || joined == "after" { return .secondOfTwo }
    if words.first == "next" || joined.hasPrefix("nextpage") || joined.hasPrefix("nextlink") {
      return words.dropFirst().contains(where: Self.others.contains) ? nil : .next
    }
    if let next = words.firstIndex(of: "next"), !["no", "not"].contains(words[0]),
      words[(next + 1)...].first.map(Self.nextNouns.contains) ?? false
    {
      return .next
    }
    if words.contains(where: { $0 == "cursor" || $0.hasPrefix("continu") || $0 == "skiptoken" }) {
      return words.contains(where: Self.backward.contains) ? nil : .next
    }
    if isRemainder { return .hasMore }
    if Self.tokens.contains(joined) { return .next }
    if words.first == "more", ["url", "link", "href"].contains(words.last) { return .next }
    if Self.pages.contains(joined)
      || words.contains("total") && words.last?.hasPrefix("page") == true
    {
      return .pages
    }
    if Self.last.contains(joined) { return .isLast }
    if ["first", "isfirst", "firstpage", "isfirstpage"].contains(joined) { return .isFirst }
    if isTotal { return .total }
    if isCount { return .count }
    if ["page", "currentpage", "pagenumber", "pageindex", "number"].contains(joined) {
      return .page
    }
    if ["offset", "skip", "startindex", "startat", "from"].contains(joined) { return .offset }
    return Self.sizes.contains(joined) ? .size : nil
  }

  /// Whether a total with this name is an estimate.
  ///
  /// An estimate may show that there are more rows, but it does not prove the end.
  var isEstimate: Bool { ["estimated", "approximate", "approx"].contains(words.first) }

  /// Returns whether a header field with this name holds a cursor: `CB-AFTER` next to `CB-BEFORE`.
  func isCursorField(among names: Set<String>) -> Bool {
    guard words.count > 1, words.last == "after" else { return false }
    return words.first == "cb" || names.contains(words.dropLast().joined() + "before")
  }

  /// Whether the name is for a flag for more rows.
  ///
  /// Examples are `has_more`, `more_items_in_collection` and
  /// `@Microsoft.Dynamics.CRM.morerecords`.
  private var saysMore: Bool {
    if Self.more.contains(joined) { return true }
    if ["hasmore", "hasnext", "hasadditional"].contains(where: joined.hasPrefix) { return true }
    if words.last.map({ ["morerecords", "moreresults", "moreitems"].contains($0) }) == true {
      return true
    }
    return words.first == "more" && words.dropFirst().first.map(Self.rows.contains) == true
  }

  private var isCount: Bool {
    Self.counts.contains(joined)
      || Self.counts.contains(words.suffix(2).joined()) && !Self.bounds.contains(words[0])
  }

  private var isTotal: Bool {
    if isODataCount { return true }
    if words.starts(with: ["number", "of"]), words.count > 2, !isCount {
      return words.dropFirst(2).allSatisfy(Self.rows.contains)
    }
    let words = isEstimate ? words.dropFirst() : words[...]
    if words.first == "total" { return words.dropFirst().allSatisfy(Self.rows.contains) }
    if words.last == "total" { return words.dropLast().allSatisfy(Self.rows.contains) }
    return [
      "totalcount", "totalresults", "totalitems", "numbermatched", "numfound", "nbhits", "found",
      "filteredtablerowscount", "recordsfiltered",
    ].contains(joined)
  }

  /// Returns the meaning of a value with this name; a flag and a number may differ in meaning.
  func meaning(of value: JSONMember, _ meaning: PaginationSignal.Meaning) -> PaginationSignal
    .Meaning?
  {
    switch (meaning, value) {
    case (.next, .text), (.next, .number), (.next, .null): meaning
    // A number 0 or 1 may be the number of the last page, not a flag.
    case (.isLast, .number), (.isFirst, .number):
      joined.hasPrefix("is") || words.count == 1 && !["last", "first"].contains(joined)
        ? value.answersYes.map { _ in meaning } : nil
    // A remainder of zero may count something else.
    case (.hasMore, .number) where isRemainder: (value.wholeNumber ?? 0) > 0 ? meaning : nil
    case (.hasMore, _), (.isLast, _), (.isFirst, _): value.answersYes.map { _ in meaning }
    case (.secondOfTwo, .flag): joined == "end" ? .isLast : nil
    case (.next, .object), (.next, .array): Self.objects.contains(joined) ? meaning : nil
    case (.next, .flag): .hasMore
    case (.pages, .flag): .isLast
    case (.firstOfTwo, .text), (.firstOfTwo, .null), (.secondOfTwo, .text): meaning
    // Usually it is a count; a text that is not a number is a token.
    case (.offset, .text) where value.wholeNumber == nil && value.token != nil: .next
    // A negative number means that the server did not count.
    case (.total, _), (.count, _), (.pages, _), (.page, _), (.offset, _), (.size, _):
      value.wholeNumber.map { $0 >= 0 } == true ? meaning : nil
    default: nil
    }
  }
}
