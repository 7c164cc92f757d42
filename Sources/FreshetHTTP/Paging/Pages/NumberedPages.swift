internal import Foundation
internal import Freshet
internal import FreshetLists

/// Pages by their number: `?page=2&per_page=50`.
///
/// The list ends if a total or a number of pages is reached, or if a flag says so. It also ends if
/// the page after the last one is empty or missing (404) and the page before it is unchanged. A
/// page that the server refuses (422) is the end if the total is reached.
struct NumberedPages<Item: ListItem & Decodable> {
  let reader: PageReader<Item>
  let parameter: String
  let size: String?
  let first: Int

  func page(_ request: PageRequest<HTTPPageKey>) async throws -> Page<Item, HTTPPageKey> {
    try PageCounting.check(first)
    let (number, overlap, size) = try place(of: request.key)
    var (read, isRefused) = try await read(number, behind: overlap, limit: request.limit)
    let known = read.above.flatMap { above in overlap.map(above.overlap(again:)) } ?? overlap
    var unread: FeedError?
    let rowsAbove = rowsAbove(number, size, read.answer)
    let isEnd = !read.isHeldBack && isEnd(read.answer, number, known, rowsAbove)
    if isEnd, !reader.trusts {
      unread = self.unread(read, number, known, isRefused: isRefused)
      // The list can only continue after a known row. If this page has no rows, the page above is
      // read again to supply one (rule T7).
      if unread != nil, known != nil, read.above == nil, read.answer?.items.isEmpty ?? true {
        read.above = try await readAbove(number, limit: request.limit)
        read.continuity = .overlapping
      }
    }
    let top = read.above == nil ? number : number - 1
    let previous =
      top > first ? HTTPPageKey.page(NumberedKey(number: top - 1)) : nil
    if read.isHeldBack, let above = read.above {
      return read.page(key(number, known ?? above.overlap(above: nil)), previous: previous)
    }
    let next =
      isEnd
      ? nil
      : read.answer.map { key(number + 1, $0.overlap(above: known, isFirst: number == first)) }
    var page = read.page(next, previous: previous)
    page.rowsAbove = rowsAbove.map { .estimated($0) }
    guard !reader.trusts else { return reader.checkingErrors(of: nil, page) }
    page.unread = unread
    if number == first, let error = beginsLater(read.answer) {
      (page.next, page.unread) = (nil, error)
    }
    return try reader.checkingErrors(of: read.answer, page).checkingRows(for: request.key)
  }

  private func url(_ number: Int, limit: Int) -> URL {
    var query = [parameter: "\(number)"]
    if let size { query[size] = "\(limit)" }
    return reader.base.settingQuery(query)
  }

  /// Reads a page with proof that it follows the one above, and whether the server refuses it.
  private func read(
    _ number: Int, behind overlap: PageOverlapProof?, limit: Int
  ) async throws -> (page: VerifiedPage<Item>, isRefused: Bool) {
    var isRefused = false
    let page = try await VerifiedPage.read(
      behind: overlap,
      page: {
        guard number > first else { return try await reader.read(url(number, limit: limit)) }
        let found = try await reader.find(url(number, limit: limit))
        if case .refused = found { isRefused = true } else { isRefused = false }
        guard case .page(let answer) = found else { return nil }
        return answer
      }, above: { try await readAbove(number, limit: limit) })
    return (page, isRefused)
  }

  private func readAbove(_ number: Int, limit: Int) async throws -> PageAnswer<Item> {
    try await reader.readAbove(
      "page \(number)", at: url(number - 1, limit: limit), isFirst: number - 1 == first)
  }

  /// Returns the error for a page that is configured as the first one but is not.
  private func beginsLater(_ answer: PageAnswer<Item>?) -> FeedError? {
    answer?.signals.first(where: \.isBehindFirst).map { signal in
      .unreadPages(
        seen: "\(signal.placeText) = false for page \(first)",
        advice: "The list begins before it: say which number the first page has, 0 or 1.",
        url: reader.base)
    }
  }

  private func place(
    of key: HTTPPageKey?
  ) throws(FeedError) -> (number: Int, overlap: PageOverlapProof?, size: Int?) {
    switch key?.kind {
    case nil: return (first, nil, nil)
    case .page(let key)? where key.canFollow(first):
      return (key.number, key.above.map { PageOverlapProof(rows: $0) }, key.size)
    case .counted(let key)?:
      if let number = Int(key.page), NumberedKey(number: number).canFollow(first), number > first {
        return (number, key.overlap, nil)
      }
      fallthrough
    default: throw .staleKey(key.map { "\($0)" } ?? "")
    }
  }

  private func key(_ number: Int, _ overlap: PageOverlapProof) -> HTTPPageKey {
    .counted(PageNumberKey(page: "\(number)", above: "\(number - 1)", overlap: overlap))
  }

  /// Returns the number of rows above a page that was found by the size of the pages.
  ///
  /// It is `nil` if the page has another number of rows, and more would follow it.
  private func rowsAbove(_ number: Int, _ size: Int?, _ answer: PageAnswer<Item>?) -> Int? {
    guard let size, let answer, case let rows = answer.rowCount, rows > 0, rows <= size else {
      return nil
    }
    let (above, isBeyond) = (number - first).multipliedReportingOverflow(by: size)
    guard !isBeyond, PageCounting.range.contains(above),
      rows == size || answer.wholeTotal == above + rows
    else { return nil }
    return above
  }

  private func isEnd(
    _ answer: PageAnswer<Item>?, _ number: Int, _ overlap: PageOverlapProof?, _ rowsAbove: Int?
  ) -> Bool {
    guard let answer, answer.rowCount > 0 else { return true }
    // The same rows for another number: the server ignores the number, so pages cannot be counted.
    if let overlap, overlap.isSkewed || overlap.matches(answer.items) {
      return MorePagesEvidence.reportsEnd(answer.signals)
    }
    return MorePagesEvidence.provesEnd(
      answer.signals,
      position: rowsAbove.map { $0 + answer.rowCount }
        ?? position(answer, number, overlap, \.least),
      page: number - first + 1,
      rows: answer.rowCount)
  }

  /// Returns how many rows the list has up to the end of a page.
  ///
  /// If some pages above were not counted, each is assumed to have `size` rows. That is the size
  /// of the longest page, or of the shortest one.
  private func position(
    _ answer: PageAnswer<Item>?, _ number: Int, _ overlap: PageOverlapProof?,
    _ size: KeyPath<PageOverlapProof, Int> = \.size
  ) -> Int? {
    let rows = answer?.rowCount ?? 0
    if number == first { return rows }
    if let overlap, !overlap.isSkewed, let above = overlap.position { return above.counting(rows) }
    guard let overlap, overlap.size > 0, !overlap.isSkewed else { return nil }
    let (above, isBeyond) = (number - first).multipliedReportingOverflow(by: overlap[keyPath: size])
    return isBeyond || !PageCounting.range.contains(above) ? nil : above + rows
  }

  /// Returns the error for an apparent end that the signals do not confirm.
  private func unread(
    _ read: VerifiedPage<Item>, _ number: Int, _ overlap: PageOverlapProof?, isRefused: Bool
  ) -> FeedError? {
    let isSkewed = overlap?.isSkewed == true
    if let answer = read.answer, !answer.isSilent || overlap == nil {
      // If the page above was read again, it is newer than the empty page after it.
      if answer.rowCount == 0, let total = read.above?.total,
        let above = position(nil, number, overlap), total <= above
      {
        return answer.unread(position: nil, page: nil, flagsAndTotals: true)
      }
      return answer.unread(
        position: position(answer, number, overlap), page: isSkewed ? nil : number - first + 1,
        flagsAndTotals: true)
    }
    // Only the page above shows how long the list is.
    let position = position(nil, number, overlap)
    let told =
      read.above.map { above in
        above.unread(
          position: position, page: isSkewed ? nil : number - first, flagsAndTotals: true)
      } ?? overlap?.unread("no page \(number)", position: position, url: reader.base)
    if let told { return told }
    guard isRefused else { return nil }
    let isReached = overlap?.total.flatMap { total in position.map { total <= $0 } } ?? false
    return isReached ? nil : reader.refused("page \(number)")
  }
}
