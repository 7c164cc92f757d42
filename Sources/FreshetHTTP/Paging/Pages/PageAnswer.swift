internal import Foundation
internal import Freshet
internal import FreshetLists

/// The answer to a request for a page, read: rows, and what it says of other pages.
struct PageAnswer<Item: ListItem & Decodable>: Sendable {
  var items: [Item] = []
  /// How many rows it has, those included that could not be read.
  var rowCount = 0
  /// How many rows at its end could not be read.
  var invalidTail = 0
  /// What was wrong with the first row that was left out.
  var invalidItem: FeedError?
  var members: [JSONPointer: JSONMember] = [:]
  var lastRowID: JSONMember?
  var signals: [PaginationSignal] = []
  var memberNames: [String] = []
  var links: PageLinks?
  var headers: HTTPHeaders = [:]
  /// Whether it came without a body (204).
  let hasNoContent: Bool
  /// What was asked for.
  let url: URL
  /// What answered, after redirections: relative links start there.
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
    // A `page_count` may count the rows of the page.
    signals += envelope.signals.filter {
      $0.meaning != .pages || SignalName($0.name).joined != "pagecount"
        || $0.value.wholeNumber != rowCount
    }
    memberNames = envelope.memberNames
  }

  /// The total that it speaks of, unless that is no more than about right.
  var exactTotal: Int? {
    let isEstimate = signals.contains { $0.meaning == .total && SignalName($0.name).isEstimate }
    return isEstimate ? nil : total
  }

  /// The total that it speaks of by that name, unless it is no more than about right.
  var wholeTotal: Int? {
    let totals = signals.filter { $0.meaning == .total && !SignalName($0.name).isEstimate }
      .compactMap(\.value.wholeNumber)
    return Set(totals).count == 1 ? totals[0] : nil
  }

  /// The total that it speaks of, to compare with another answer's.
  var total: Int? {
    let totals = signals.filter { $0.meaning == .total } + signals.filter { $0.meaning == .count }
    // A count of the rows on this page is none.
    return totals.lazy.filter { $0.meaning == .total || $0.value.wholeNumber != rowCount }
      .first?.value.wholeNumber
  }

  /// The id of the last row, where it is a whole number.
  var lastID: Int? { NumberRun(Array(items.suffix(1)))?.last }

  /// The boundary below it.
  func overlap(above: PageOverlapProof?, isFirst: Bool = false) -> PageOverlapProof {
    PageOverlapProof(
      of: items, count: rowCount, total: total, above: above, isFirst: isFirst, saysMore: saysMore)
  }

  /// The boundary below it, which was known already.
  func overlap(again known: PageOverlapProof) -> PageOverlapProof {
    PageOverlapProof(
      of: items, count: rowCount, total: total, above: known, isAgain: true, saysMore: saysMore)
  }

  /// Whether it has no rows and tells nothing, as one without content does.
  var isSilent: Bool { rowCount == 0 && signals.isEmpty }

  private var saysMore: Bool {
    MorePagesEvidence(in: signals, position: nil, page: nil)?.isFlagged ?? false
  }

  /// The page that it is, without neighbours.
  func page(_ next: HTTPPageKey?, previous: HTTPPageKey? = nil) -> Page<Item, HTTPPageKey> {
    var page = Page(items, next: next, previous: previous)
    (page.invalidItems, page.invalidItem) = (rowCount - items.count, invalidItem)
    page.total = wholeTotal
    return page
  }

  // MARK: - Where nothing leads on

  /// Why this cannot be the end, as far as the answer says.
  ///
  /// - Parameters:
  ///   - position: how many rows the list has up to the end of the page, where that is known.
  ///   - page: which page of the list it is, counted from one, where that is known.
  ///   - flagsAndTotals: whether names of next pages do not count.
  func unread(position: Int?, page: Int?, flagsAndTotals: Bool = false) -> FeedError? {
    let signals = flagsAndTotals ? signals.filter { !$0.namesNext } : signals
    return MorePagesEvidence(in: signals, position: position, page: page).map {
      .unreadPages(seen: $0.seen, advice: $0.advice, url: answered)
    }
  }

  /// The error that it reports beside its rows.
  var reportedError: FeedError? {
    guard signals.contains(where: { $0.meaning == .trouble }) else { return nil }
    return unread(position: nil, page: nil, flagsAndTotals: true)
  }

  /// Why a list does not end so far before its total.
  func unreadBehind(_ told: RowsSeen) -> FeedError {
    .unreadPages(
      seen: "a total of \(told.total), and nothing behind \(told.count) rows",
      advice:
        "The server gives no more than that: ask for a part of the list. Where the total counts other things, say so with .trusted, in a shell with \"!\" behind the style.",
      url: answered)
  }

  /// Why a first page without content is no list of no rows: a server that is out of order answers
  /// so, too, and rows would go from the screen.
  func checkContent() throws(FeedError) {
    guard hasNoContent else { return }
    throw .decoding(path: "", expected: "JSON", found: "no content (status 204)", url: answered)
  }

  /// How many rows there may be on a page, as the answer says.
  private var toldSize: Int? {
    // A plain size may be that of the page in hand.
    signals.lazy.filter { $0.meaning == .size && $0.name.lowercased() != "size" }
      .compactMap(\.value.wholeNumber).first
  }

  /// Whether a page without the member that leads on is as long as one that others follow: as long
  /// as was asked for; where nobody asked, ten or more, in a number that people choose.
  var mayBeFull: Bool {
    if let size = CountingLink.size(url) ?? toldSize { return rowCount >= size }
    return rowCount >= 10 && (rowCount % 5 == 0 || rowCount & (rowCount - 1) == 0)
  }

  /// Why a first page without a signal may not be the end: it is exactly as long as its URL asks,
  /// or as the answer says that pages are.
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

  /// How many rows it has, where it is a bare array of a length at which servers cut lists.
  var suspectedLimit: Int? {
    let isBare = signals.isEmpty && memberNames.isEmpty && CountingLink.size(url) == nil
    return isBare && [50, 100, 200, 250, 500, 1000].contains(rowCount) ? rowCount : nil
  }

  /// Why a first page without the member that leads on may not be the end: nothing is where it
  /// belongs.
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
