internal import Foundation
internal import Freshet
internal import FreshetLists

/// Pages that reference each other by a link, or by a token that is sent back as a parameter.
///
/// If the link or token counts pages or rows, pages shift, and each is read as a counted page.
struct LinkedPages<Item: ListItem & Decodable> {
  let reader: PageReader<Item>
  let style: PagingStyle.Kind

  /// The page that a key leads to.
  private struct Target {
    var url: URL
    var isFirst = false
    /// The summary of the page above, and that page's URL, if pages are counted.
    var overlap: PageOverlapProof?
    var above: URL?
    /// Whether the URL counts pages or rows.
    var counts = false
    /// The number of rows read before this page, and the total, if pages do not shift.
    var told: RowsSeen?
  }

  func page(_ request: PageRequest<HTTPPageKey>) async throws -> Page<Item, HTTPPageKey> {
    let target = try target(of: request.key)
    let page = target.counts ? try await countedPage(target) : try await stablePage(target)
    return try page.checkingRows(for: request.key)
  }

  // MARK: - Pages that stay

  private func stablePage(_ target: Target) async throws -> Page<Item, HTTPPageKey> {
    let answer = try await read(target)
    if target.isFirst, !reader.trusts { try answer.checkContent() }
    let reference = NextPageReference(of: answer, style)
    let (next, unread) = try await following(reference, answer, target)
    var page = answer.page(next, previous: keyBefore(reference, answer))
    if target.isFirst {
      if case .counted? = next?.kind { page.continuity = .overlapping }
    } else {
      page.continuity = .stable
    }
    page.paging = reference.words(next)
    if next == nil { page.unread = unread }
    if next == nil, target.isFirst, !reader.trusts, !reference.isNamed {
      page.suspectedLimit = answer.suspectedLimit
    }
    return reader.checkingErrors(of: answer, page)
  }

  private func read(_ target: Target) async throws -> PageAnswer<Item> {
    guard case .lastItem = style, !target.isFirst else { return try await reader.read(target.url) }
    // If the row that names the page was deleted, the feed continues from a key further up.
    guard let answer = try await reader.readIfThere(target.url) else {
      throw FeedError.staleKey(target.url.absoluteString)
    }
    return answer
  }

  // MARK: - Pages that count

  private func countedPage(_ target: Target) async throws -> Page<Item, HTTPPageKey> {
    var last: PageAnswer<Item>?
    let read = try await VerifiedPage.read(
      behind: target.overlap,
      page: {
        let found = try await readIfLinked(target)
        last = found.above
        return found.answer
      },
      above: { try await reader.read(target.above ?? reader.base) })
    let previous = try keyBefore(read)
    if read.isHeldBack, let above = read.above {
      let key = PageNumberKey(
        page: target.url.absoluteString, above: above.url.absoluteString,
        overlap: target.overlap.map(above.overlap(again:)) ?? above.overlap(above: nil))
      return read.page(.counted(key), previous: previous)
    }
    guard let answer = read.answer else {
      var page = read.page(nil, previous: previous)
      if !reader.trusts, let above = read.above ?? last {
        // The page above no longer has a next page, so its current signals decide.
        page.unread = above.unread(
          position: target.overlap.flatMap { above.overlap(again: $0).position }, page: nil,
          flagsAndTotals: true)
      }
      return page
    }
    let reference = NextPageReference(of: answer, style)
    let (next, unread) = try await following(reference, answer, target)
    var page = read.page(next, previous: previous)
    page.paging = reference.words(next)
    if next == nil { page.unread = unread }
    return reader.checkingErrors(of: answer, page)
  }

  /// Returns the key of the page before a counted page.
  ///
  /// Reading backwards has to end at the head. So a key is used only if it is known to count;
  /// otherwise the key of the first page is returned.
  private func keyBefore(_ read: VerifiedPage<Item>) throws(FeedError) -> HTTPPageKey? {
    if read.above?.url == reader.base { return nil }
    let base = HTTPPageKey.url(reader.base.absoluteString)
    guard let answer = read.above ?? read.answer,
      let key = keyBefore(NextPageReference(of: answer, style), answer)
    else { return base }
    return try target(of: key).counts ? key : base
  }

  /// Reads a counted page, or the page above it if the counted page is gone.
  ///
  /// A page is gone if the server no longer has it and the page above no longer links to one.
  private func readIfLinked(
    _ target: Target
  ) async throws -> (answer: PageAnswer<Item>?, above: PageAnswer<Item>?) {
    for _ in 0..<3 {
      if let answer = try await reader.readIfThere(target.url) { return (answer, nil) }
      let above = try await reader.read(target.above ?? reader.base)
      if NextPageReference(of: above, style).next == nil { return (nil, above) }
    }
    return (try await reader.read(target.url), nil)
  }

  // MARK: - Keys

  private func target(of key: HTTPPageKey?) throws(FeedError) -> Target {
    let base = reader.base
    switch key?.kind {
    case .told(let key)?:
      var target = try target(of: key.plain)
      target.told = key.rows
      return target
    case nil: return Target(url: base, isFirst: true)
    case .url(let text)?:
      guard !style.hasTokens, let url = URL(string: text) else { break }
      let isFirst = url == base
      let counts = !isFirst && CountingLink.parameter(of: url, from: base) != nil
      return Target(url: url, isFirst: isFirst, counts: counts)
    case .cursor(let token)?:
      guard let parameter = style.tokenParameter else { break }
      return Target(url: base.settingQuery([parameter: token]))
    case .counted(let key)?:
      guard style.isLinked, let url = URL(string: key.page), let above = URL(string: key.above),
        url.scheme != nil, above.scheme != nil
      else { break }
      return Target(url: url, overlap: key.overlap, above: above, counts: true)
    case .offset?, .page?: break
    }
    throw .staleKey(key.map { "\($0)" } ?? "")
  }

  /// Returns the key of the next page, or the error for a next page that cannot be reached.
  ///
  /// Both are `nil` at the end of the list.
  private func following(
    _ reference: NextPageReference, _ answer: PageAnswer<Item>, _ target: Target
  ) async throws -> (key: HTTPPageKey?, unread: FeedError?) {
    // Traefik's last page links to page 1, which may itself be the last page. In other styles than
    // this one, a token is no number of a page.
    if case .header = style, case .token("1", let parameter)? = reference.next,
      let page = number(parameter, answer.url)
    {
      if page > 1 { return (nil, unread(answer, reference, target)) }
      let second = reader.base.settingQuery([parameter: "2"])
      if try await reader.isEmpty(second) {
        return (nil, answer.unread(position: answer.rowCount, page: nil, flagsAndTotals: true))
      }
    }
    do throws(FeedError) {
      if let next = reference.next, let key = try key(next, from: answer, target) {
        return (key, nil)
      }
      return (nil, reference.invalid ?? unread(answer, reference, target))
    } catch {
      return (nil, error)
    }
  }

  /// Returns the key of the next page; `nil` for an empty page that links on forever.
  private func key(
    _ next: NextPageReference.Next, from answer: PageAnswer<Item>, _ target: Target
  ) throws(FeedError) -> HTTPPageKey? {
    let url: URL
    switch next {
    case .link(let link): url = try resolved(link, answer)
    case .token(let token, let parameter):
      try checkLength(token, "the next cursor", answer)
      url = reader.base.settingQuery([parameter: token])
    }
    // The last pages of Mailgun and CouchDB link to themselves, those of CKAN past the total.
    if answer.rowCount == 0, !target.isFirst,
      url == answer.url || isReached(answer.wholeTotal, target)
    {
      return nil
    }
    // A link to the page itself is a loop, which the feed reports.
    if !style.isByRow, url != answer.url,
      CountingLink.parameter(
        of: url, from: answer.url, rows: answer.rowCount, lastID: answer.lastID) != nil
    {
      return .counted(
        PageNumberKey(
          page: url.absoluteString, above: answer.url.absoluteString,
          overlap: answer.overlap(above: target.overlap, isFirst: target.isFirst)))
    }
    let told = told(answer, target)
    return switch next {
    case .link:
      told.map { .told(TotalCountKey(url: url.absoluteString, cursor: nil, rows: $0)) }
        ?? .url(url.absoluteString)
    case .token(let token, _):
      told.map { .told(TotalCountKey(url: nil, cursor: token, rows: $0)) } ?? .cursor(token)
    }
  }

  /// Returns whether the rows above an empty page reach the total.
  private func isReached(_ total: Int?, _ target: Target) -> Bool {
    guard let total, let position = target.overlap?.position else { return false }
    return total <= position
  }

  /// Returns the whole number in a query parameter of a URL.
  private func number(_ parameter: String, _ url: URL) -> Int? {
    URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?
      .last { $0.name == parameter }?.value.flatMap { Int($0) }
  }

  /// Returns the number of rows read so far and the total, if the list was read from its head.
  private func told(_ answer: PageAnswer<Item>, _ target: Target) -> RowsSeen? {
    let isStart =
      target.isFirst
      && CountingLink.position(of: answer.url, rows: answer.rowCount) == answer.rowCount
    guard !reader.trusts, isStart || target.told != nil else { return nil }
    return RowsSeen(above: target.told, page: answer.rowCount, total: answer.exactTotal)
  }

  /// Returns the key of the previous page; `nil` if its link cannot be read.
  private func keyBefore(_ reference: NextPageReference, _ answer: PageAnswer<Item>) -> HTTPPageKey?
  {
    guard let link = reference.previous, let url = try? resolved(link, answer) else { return nil }
    return .url(url.absoluteString)
  }

  private func resolved(
    _ link: String, _ answer: PageAnswer<Item>
  ) throws(FeedError) -> URL {
    try checkLength(link, "the next link", answer)
    guard let url = URL(string: link, relativeTo: answer.answered)?.absoluteURL else {
      throw .decoding(
        path: "the next link", expected: "a URL", found: link.shownSafely, url: answer.answered)
    }
    return url
  }

  /// Throws if a link or token is too long.
  ///
  /// A text of megabytes is not a reference to a page, and processing it takes long (rule N4).
  private func checkLength(
    _ text: String, _ name: String, _ answer: PageAnswer<Item>
  ) throws(FeedError) {
    let (length, limit) = (text.utf8.count, Redirections.longestURL)
    if length <= limit { return }
    throw .decoding(
      path: name, expected: "at most \(limit) bytes", found: "\(length) bytes",
      url: answer.answered)
  }

  // MARK: - The end

  /// Returns the error for a page without a next page that is not the end of the list.
  private func unread(
    _ answer: PageAnswer<Item>, _ reference: NextPageReference, _ target: Target
  ) -> FeedError? {
    guard !reader.trusts else { return nil }
    if let error = reference.unread { return error }
    guard target.isFirst else {
      // The style worked up to this page. A flag still counts as a sign of more rows, and so does
      // a total if the rows above were counted.
      let above = target.overlap?.position
      if answer.isSilent, let overlap = target.overlap {
        return overlap.unread("nothing behind", position: above, url: answer.answered)
      }
      // The automatic style has no fixed place to read, so any signal that names a next page
      // counts.
      let error = answer.unread(
        position: above?.counting(answer.rowCount), page: nil,
        flagsAndTotals: style != .automatic || reference.next != nil)
      return error
        ?? told(answer, target).flatMap { $0.isCutOff ? answer.unreadBehind($0) : nil }
    }
    let page = CountingLink.page(of: answer.url)
    let position = CountingLink.position(of: answer.url, rows: answer.rowCount)
    if let error = answer.unread(position: position, page: page) { return error }
    guard !reference.isNamed, answer.rowCount > 0 else { return nil }
    if let place = reference.missing { return answer.unreadWithout(place) }
    if let error = answer.unreadIfFull { return error }
    return answer.mayBeFull ? reference.unknown.map(answer.unreadWithout) : nil
  }
}
