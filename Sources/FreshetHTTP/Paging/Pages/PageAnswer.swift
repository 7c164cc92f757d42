internal import Foundation
internal import Freshet
internal import FreshetLists

/// The parsed response to a page request: its rows and its signals about other pages.
struct PageAnswer<Item: ListItem & Decodable>: Sendable {
  var items: [Item] = []
  /// The number of rows, including rows that could not be decoded.
  var rowCount = 0
  /// The number of rows at the end of the page that could not be decoded.
  var invalidTail = 0
  /// The decoding error of the first row that was left out.
  var invalidItem: FeedError?
  var members: [JSONPointer: JSONMember] = [:]
  var lastRowID: JSONMember?
  var signals: [PaginationSignal] = []
  var memberNames: [String] = []
  var links: PageLinks?
  var headers: HTTPHeaders = [:]
  /// Whether the response has no content (204).
  let hasNoContent: Bool
  /// The requested URL.
  let url: URL
  /// The URL that responded after redirections; relative links are resolved against it.
  let answered: URL

  init(_ response: HTTPResponse, url: URL, answered: URL) {
    headers = response.headers
    hasNoContent = response.status == 204
    (self.url, self.answered) = (url, answered)
    signals = PaginationSignal.all(in: headers)
    let range = headers["Content-Range"]
    if response.status == 206, range.map({ $0.hasSuffix("/*") }) ?? true {
      signals.append(.partial)
    }
  }

  mutating func take(_ envelope: Envelope<Item>) {
    (items, rowCount) = (envelope.items, envelope.rowCount)
    invalidTail = envelope.invalidTail
    (members, lastRowID, links) = (envelope.members, envelope.lastRowID, envelope.links)
    // A `page_count` that equals the number of rows may count those rows, not the list's pages.
    signals += envelope.signals.filter {
      $0.meaning != .pages || SignalName($0.name).joined != "pagecount"
        || $0.value.wholeNumber != rowCount
    }
    memberNames = envelope.memberNames
  }

  /// The reported total; `nil` if it is an estimate.
  var exactTotal: Int? {
    let isEstimate = signals.contains { $0.meaning == .total && SignalName($0.name).isEstimate }
    return isEstimate ? nil : total
  }

  /// The total from members named as totals; `nil` if it is an estimate or a lower bound.
  ///
  /// A `count` does not qualify. If several members report different totals, the result is `nil`.
  var wholeTotal: Int? {
    let totals = signals.filter { $0.meaning == .total && !SignalName($0.name).isEstimate }
    if totals.contains(where: \.isLowerBound) { return nil }
    let numbers = Set(totals.compactMap(\.value.wholeNumber))
    return numbers.count == 1 ? numbers.first : nil
  }

  /// The total as the response reports it; `nil` if it has none, or several.
  var rowTotal: RowTotal? {
    if let wholeTotal { return .exact(wholeTotal) }
    let totals = signals.filter { $0.meaning == .total }
    let numbers = Set(totals.compactMap(\.value.wholeNumber))
    guard let number = numbers.first, numbers.count == 1 else { return nil }
    if totals.contains(where: \.isLowerBound) { return .atLeast(number) }
    return totals.allSatisfy { SignalName($0.name).isEstimate } ? .estimated(number) : nil
  }

  /// The reported total, exact or estimated, for comparison with the total of another response.
  var total: Int? {
    let totals = signals.filter { $0.meaning == .total } + signals.filter { $0.meaning == .count }
    // A count that equals the number of rows on this page is not a total.
    return totals.lazy.filter { $0.meaning == .total || $0.value.wholeNumber != rowCount }
      .first?.value.wholeNumber
  }

  /// The id of the last row, if it is a whole number.
  var lastID: Int? { NumberRun(Array(items.suffix(1)))?.last }

  /// Returns the overlap proof for the boundary after this page.
  func overlap(above: PageOverlapProof?, isFirst: Bool = false) -> PageOverlapProof {
    PageOverlapProof(
      of: items, count: rowCount, total: total, above: above, isFirst: isFirst, saysMore: saysMore)
  }

  /// Returns the overlap proof for the boundary after this page, which was read before.
  func overlap(again known: PageOverlapProof) -> PageOverlapProof {
    PageOverlapProof(
      of: items, count: rowCount, total: total, above: known, isAgain: true, saysMore: saysMore)
  }

  /// Whether the response has neither rows nor signals, like one without content.
  var isSilent: Bool { rowCount == 0 && signals.isEmpty }

  private var saysMore: Bool {
    MorePagesEvidence(in: signals, position: nil, page: nil)?.isFlagged ?? false
  }

  /// Returns these rows as a page with the given keys.
  func page(_ next: HTTPPageKey?, previous: HTTPPageKey? = nil) -> Page<Item, HTTPPageKey> {
    var page = Page(items, next: next, previous: previous)
    (page.invalidItems, page.invalidItem) = (rowCount - items.count, invalidItem)
    (page.total, page.rowsAbove) = (rowTotal, rowsAbove)
    return page
  }

  /// The number of rows above the first one, from `Content-Range`; `nil` if it does not say so.
  var rowsAbove: RowTotal? {
    headers["Content-Range"].flatMap(PaginationSignal.rangeStart(of:)).map { .exact($0) }
  }

  // MARK: - Without a next page

  /// Returns the error for a page that cannot be the last one, according to its own signals.
  ///
  /// - Parameters:
  ///   - position: how many rows the list has up to the end of the page, if that is known.
  ///   - page: the number of the page, counted from one, if that is known.
  ///   - flagsAndTotals: whether signals that name a next page are ignored.
  func unread(position: Int?, page: Int?, flagsAndTotals: Bool = false) -> FeedError? {
    let signals = flagsAndTotals ? signals.filter { !$0.namesNext } : signals
    return MorePagesEvidence(in: signals, position: position, page: page).map {
      .unreadPages(seen: $0.seen, advice: $0.advice, url: answered)
    }
  }

  /// The error that the response reports beside its rows.
  var reportedError: FeedError? {
    guard signals.contains(where: { $0.meaning == .trouble }) else { return nil }
    return unread(position: nil, page: nil, flagsAndTotals: true)
  }

  /// Returns the error for a list that stops long before its total.
  func unreadBehind(_ told: RowsSeen) -> FeedError {
    .unreadPages(
      seen: "a total of \(told.total), and nothing behind \(told.count) rows",
      advice:
        "The server gives no more than that: ask for a part of the list. Where the total counts other things, say so with .trusted, in a shell with \"!\" behind the style.",
      url: answered)
  }

  /// Throws if the first page has no content.
  ///
  /// An empty response does not prove an empty list. A server that is out of order also sends it,
  /// and the rows on screen would disappear.
  func checkContent() throws(FeedError) {
    guard hasNoContent else { return }
    throw .decoding(path: "", expected: "JSON", found: "no content (status 204)", url: answered)
  }

  /// The page size that the response reports.
  private var toldSize: Int? {
    // A member named `size` may be the size of this page only.
    signals.lazy.filter { $0.meaning == .size && $0.name.lowercased() != "size" }
      .compactMap(\.value.wholeNumber).first
  }

  /// Whether a page that lacks the reference to a next page is as long as a full page.
  ///
  /// A full page has as many rows as were requested. If no size is known, it has ten or more rows.
  /// Their number is one that people choose: a multiple of five or a power of two.
  var mayBeFull: Bool {
    if let size = CountingLink.size(url) ?? toldSize { return rowCount >= size }
    return rowCount >= 10 && (rowCount % 5 == 0 || rowCount & (rowCount - 1) == 0)
  }

  /// The error for a first page without signals that may not be the end.
  ///
  /// Its length is exactly the size that its URL requests, or the page size that the response
  /// reports.
  var unreadIfFull: FeedError? {
    let telling: [PaginationSignal.Meaning] = [.hasMore, .isLast, .next, .total, .pages]
    guard rowCount > 0, [CountingLink.size(url), toldSize].contains(rowCount),
      !signals.contains(where: { telling.contains($0.meaning) })
    else { return nil }
    return .unreadPages(
      seen:
        "as many rows as a page may have (\(rowCount)) and nothing that tells whether they are all",
      advice: PagingAdvice(evidence: [], signals: signals).text, url: answered)
  }

  /// The number of rows in a bare array, if servers often cut lists at that length.
  var suspectedLimit: Int? {
    let isBare = signals.isEmpty && memberNames.isEmpty && CountingLink.size(url) == nil
    return isBare && [50, 100, 200, 250, 500, 1000].contains(rowCount) ? rowCount : nil
  }

  /// Returns the error for a first page that lacks the reference to a next page at `place`.
  func unreadWithout(_ place: String) -> FeedError {
    let there =
      memberNames.isEmpty
      ? "no members, as the body is an array"
      : "only \(memberNames.map(\.shownSafely).joined(separator: ", "))"
    return .unreadPages(
      seen: "nothing at \(place.shownSafely), \(there)",
      advice: "Check the pointer. \(PagingAdvice(evidence: [], signals: signals).text)",
      url: answered)
  }
}
