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
  var signs: [Sign] = []
  var memberNames: [String] = []
  var links: PageLinks?
  var headers: HTTPHeaders = [:]
  /// What was asked for.
  let url: URL
  /// What answered, after redirections: relative links start there.
  let answered: URL

  init(_ response: HTTPResponse, url: URL, answered: URL) {
    headers = response.headers
    (self.url, self.answered) = (url, answered)
    signs = Sign.all(in: headers)
    if response.status == 206, headers["Content-Range"] == nil { signs.append(.partial) }
  }

  mutating func take(_ envelope: Envelope<Item>) {
    (items, rowCount) = (envelope.items, envelope.rowCount)
    invalidTail = envelope.invalidTail
    (members, lastRowID, links) = (envelope.members, envelope.lastRowID, envelope.links)
    (signs, memberNames) = (signs + envelope.signs, envelope.memberNames)
  }

  /// The total that it speaks of, to compare with another answer's.
  var total: Int? {
    let totals = signs.filter { $0.meaning == .total } + signs.filter { $0.meaning == .count }
    // A count of the rows on this page is none.
    return totals.lazy.filter { $0.meaning == .total || $0.value.wholeNumber != rowCount }
      .first?.value.wholeNumber
  }

  /// The seam below it.
  func seam(above: PageSeam?, isFirst: Bool = false) -> PageSeam {
    PageSeam(
      of: items, count: rowCount, total: total, above: above, isFirst: isFirst, saysMore: saysMore)
  }

  /// The seam below it, which was known already.
  func seam(again known: PageSeam) -> PageSeam {
    PageSeam(
      of: items, count: rowCount, total: total, above: known, isAgain: true, saysMore: saysMore)
  }

  /// Whether it has no rows and tells nothing, as one without content does.
  var isSilent: Bool { rowCount == 0 && signs.isEmpty }

  private var saysMore: Bool { MoreRows(in: signs, position: nil, page: nil)?.isFlagged ?? false }

  /// The page that it is, without neighbours.
  func page(_ next: HTTPPageKey?, previous: HTTPPageKey? = nil) -> Page<Item, HTTPPageKey> {
    var page = Page(items, next: next, previous: previous)
    (page.invalidItems, page.invalidItem) = (rowCount - items.count, invalidItem)
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
    let signs = flagsAndTotals ? signs.filter { !$0.namesNext } : signs
    return MoreRows(in: signs, position: position, page: page).map {
      .unreadPages(seen: $0.seen, advice: $0.advice, url: answered)
    }
  }

  /// Why a first page without a sign may not be the end: it is exactly as long as its URL asks.
  var unreadIfFull: FeedError? {
    let telling: [Sign.Meaning] = [.hasMore, .isLast, .next, .total, .pages]
    guard rowCount > 0, rowCount == CountingLink.size(url),
      !signs.contains(where: { telling.contains($0.meaning) })
    else { return nil }
    return .unreadPages(
      seen:
        "as many rows as the URL asks for (\(rowCount)) and nothing that tells whether they are all",
      advice: PagingAdvice(evidence: [], signs: signs).text, url: answered)
  }

  /// Why a first page without the member that leads on may not be the end: nothing is where it belongs.
  func unreadWithout(_ place: String) -> FeedError {
    let there =
      memberNames.isEmpty
      ? "no members, as the body is an array"
      : "only \(memberNames.map(\.shownSafely).joined(separator: ", "))"
    return .unreadPages(
      seen: "nothing at \(place.shownSafely), \(there)",
      advice: "Check the pointer. \(PagingAdvice(evidence: [], signs: signs).text)", url: answered)
  }
}

/// What a place of links holds: an array of `{"rel", "href"}`, or an object as HAL and JSON:API have it.
struct PageLinks: Hashable, Sendable {
  let next: JSONMember
  let previous: JSONMember

  /// The links at a pointer, if there are any.
  init?(at pointer: JSONPointer, _ decoder: any Decoder) {
    guard let place = try? decoder.descending(pointer.tokens[...]) else { return nil }
    if (try? place.container(keyedBy: Name.self)) != nil {
      next = JSONMember(at: JSONPointer(tokens: ["next"]), place)
      let names = ["prev", "previous"].map { JSONMember(at: JSONPointer(tokens: [$0]), place) }
      previous = names.first { !$0.isEmpty } ?? .null
    } else if let links = try? place.singleValueContainer().decode([LinkObject].self) {
      next = LinkObject.target("next", of: links).map(JSONMember.text) ?? .null
      let targets = ["prev", "previous"].compactMap { LinkObject.target($0, of: links) }
      previous = targets.first.map(JSONMember.text) ?? .null
    } else {
      return nil
    }
  }
}

/// Asks for pages and reads them.
struct PageReader<Item: ListItem & Decodable>: Sendable {
  /// The first page.
  let base: URL
  /// Whether the style's word for the end is taken, whatever else an answer says.
  let trusts: Bool
  let read: @Sendable (URL) async throws -> PageAnswer<Item>

  /// What there is at a URL.
  enum Found {
    case page(PageAnswer<Item>)
    /// There is no such page.
    case gone
    /// The server does not give the page, whether there is one or not.
    case refused
  }

  /// The page, or why there is none.
  func find(_ url: URL) async throws -> Found {
    do {
      return .page(try await read(url))
    } catch FeedError.http(status: 404, _, _, _) {
      return .gone
    } catch FeedError.http(status: 422, _, _, _) {
      return .refused
    }
  }

  /// The page, or `nil` where the server says that it has no such page.
  func readIfThere(_ url: URL) async throws -> PageAnswer<Item>? {
    guard case .page(let answer) = try await find(url) else { return nil }
    return answer
  }

  /// Why a list does not end at a page that the server does not give.
  func refused(_ page: String) -> FeedError {
    .unreadPages(
      seen: "status 422 for \(page), and nothing that says that the list ends before it",
      advice:
        "The server may give no more than that: ask for a part of the list. Where that is its end, say so with .trusted, in a shell with \"!\" behind the style.",
      url: base)
  }
}

extension Page {
  /// The page, unless it has no row behind which the list could be told to go on: then that is an error
  /// of the load, lest the pages above are asked again and again (rule T7).
  func checkingRows(for key: HTTPPageKey?) throws -> Page {
    if key != nil, items.isEmpty, next == nil, let unread { throw unread }
    return self
  }
}
