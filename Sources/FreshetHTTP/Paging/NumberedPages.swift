internal import Foundation
internal import Freshet
internal import FreshetLists

/// Pages by their number: `?page=2&per_page=50`.
///
/// The end: a total or a number of pages is reached, a flag says so, or the page after the last one is
/// empty or not there (404, 422), and the one before it is still what it was.
struct NumberedPages<Item: ListItem & Decodable> {
  let reader: PageReader<Item>
  let parameter: String
  let size: String?
  let first: Int

  func page(_ request: PageRequest<HTTPPageKey>) async throws -> Page<Item, HTTPPageKey> {
    try PageCounting.check(first)
    let (number, seam) = try place(of: request.key)
    let url = { (number: Int) in
      var query = [parameter: "\(number)"]
      if let size { query[size] = "\(request.limit)" }
      return reader.base.settingQuery(query)
    }
    let read = try await SeamedPage.read(
      behind: seam,
      page: {
        guard number > first else { return try await reader.read(url(number)) }
        return try await reader.readIfThere(url(number))
      }, above: { try await reader.read(url(number - 1)) })
    let top = read.above == nil ? number : number - 1
    let previous =
      top > first ? HTTPPageKey.page(NumberedKey(number: top - 1)) : nil
    if read.isHeldBack, let above = read.above {
      let known = seam.map(above.seam(again:)) ?? above.seam(above: nil)
      return read.page(key(number, known), previous: previous)
    }
    let isEnd = isEnd(read.answer, number, seam)
    let next = isEnd ? nil : read.answer.map { key(number + 1, $0.seam(above: seam)) }
    var page = read.page(next, previous: previous)
    guard !reader.trusts else { return page }
    if isEnd { page.unread = unread(read, number, seam) }
    if number == first, let sign = read.answer?.signs.first(where: \.isBehindFirst) {
      page.next = nil
      page.unread = .unreadPages(
        seen: "\(sign.placeText) = false for page \(first)",
        advice: "The list begins before it: say which number the first page has, 0 or 1.",
        url: reader.base)
    }
    return page
  }

  private func place(
    of key: HTTPPageKey?
  ) throws(FeedError) -> (number: Int, seam: PageSeam?) {
    switch key {
    case nil: return (first, nil)
    case .page(let key)? where key.canFollow(first):
      return (key.number, key.above.map { PageSeam(rows: $0) })
    case .counted(let key)?:
      if let number = Int(key.page), NumberedKey(number: number).canFollow(first), number > first {
        return (number, key.seam)
      }
      fallthrough
    default: throw .staleKey(key.map { "\($0)" } ?? "")
    }
  }

  private func key(_ number: Int, _ seam: PageSeam) -> HTTPPageKey {
    .counted(CountedKey(page: "\(number)", above: "\(number - 1)", seam: seam))
  }

  private func isEnd(_ answer: PageAnswer<Item>?, _ number: Int, _ seam: PageSeam?) -> Bool {
    guard let answer, answer.rowCount > 0 else { return true }
    // The same rows for another number: the server does not go by it, and nothing can be counted.
    if let seam, seam.isSkewed || seam.matches(answer.items) {
      return MoreRows.saysEnd(answer.signs)
    }
    return MoreRows.provesEnd(
      answer.signs, position: position(answer, number, seam, \.least), page: number - first + 1,
      rows: answer.rowCount)
  }

  /// How many rows the list has up to the end of a page: as many to each page above as the longest had,
  /// or as the shortest.
  private func position(
    _ answer: PageAnswer<Item>?, _ number: Int, _ seam: PageSeam?,
    _ size: KeyPath<PageSeam, Int> = \.size
  ) -> Int? {
    let rows = answer?.rowCount ?? 0
    if number == first { return rows }
    guard let seam, seam.size > 0, !seam.isSkewed else { return nil }
    let (above, isBeyond) = (number - first).multipliedReportingOverflow(by: seam[keyPath: size])
    return isBeyond || !PageCounting.range.contains(above) ? nil : above + rows
  }

  /// Why the end is none: there is a total that the pages did not reach.
  private func unread(
    _ read: SeamedPage<Item>, _ number: Int, _ seam: PageSeam?
  ) -> FeedError? {
    guard let answer = read.answer ?? read.above else {
      // Nothing but the page above told how long the list is.
      guard let total = seam?.total, let seam, seam.count < total,
        let position = position(nil, number, seam), total > position
      else { return nil }
      return .unreadPages(
        seen: "a total of \(total), and no page \(number)",
        advice: "The server gives no more than that: ask for a part of the list.", url: reader.base)
    }
    // What the page above says is about one page less.
    let index = seam?.isSkewed == true ? nil : number - first + (read.answer == nil ? 0 : 1)
    let position = read.answer == nil ? position(nil, number, seam) : position(answer, number, seam)
    return answer.unread(position: position, page: index, flagsAndTotals: true)
  }
}
