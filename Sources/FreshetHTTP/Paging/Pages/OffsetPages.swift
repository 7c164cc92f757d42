internal import Foundation
internal import Freshet
internal import FreshetLists

/// Pages by a count of rows: `?offset=100&limit=50`, each requested one row early (rule T5).
///
/// The list ends if a total is reached or a flag says so. It also ends if a page is shorter than
/// the one before or has no new rows, and no total or flag contradicts that.
struct OffsetPages<Item: ListItem & Decodable> {
  let reader: PageReader<Item>
  let parameter: String
  let limit: String?
  let first: Int

  func page(_ request: PageRequest<HTTPPageKey>) async throws -> Page<Item, HTTPPageKey> {
    let counted = try counted(request)
    let offset = counted.key?.offset ?? first
    let url = { (offset: Int) in
      var query = [parameter: "\(offset)"]
      if let limit { query[limit] = "\(OffsetKey.limit(of: counted))" }
      return reader.base.settingQuery(query)
    }
    let found =
      offset > first
      ? try await reader.find(url(offset)) : .page(try await reader.read(url(offset)))
    var answer = PageAnswer<Item>(
      HTTPResponse(status: 404), url: url(offset), answered: url(offset))
    if case .page(let page) = found { answer = page }
    if answer.isSilent, let key = counted.key, !reader.trusts {
      var isRefused = false
      if case .refused = found { isRefused = true }
      if let page = try await pageAbove(key, url, request, isRefused: isRefused) { return page }
    }
    return try reader.checkingErrors(of: answer, page(of: answer, for: counted))
      .checkingRows(for: request.key)
  }

  /// Returns the request for the rows from the offset that a key names.
  private func counted(
    _ request: PageRequest<HTTPPageKey>
  ) throws -> PageRequest<OffsetKey> {
    try PageCounting.check(first)
    var counted = PageRequest<OffsetKey>(limit: request.limit)
    if let key = request.key {
      guard case .offset(let offset) = key.kind, offset.canFollow(first) else {
        throw FeedError.staleKey("\(key)")
      }
      counted.key = offset
    }
    return counted
  }

  /// Returns the page of a response, and decides whether the list ends with it.
  private func page(
    of answer: PageAnswer<Item>, for request: PageRequest<OffsetKey>
  ) -> Page<Item, HTTPPageKey> {
    let offset = request.key?.offset ?? first
    let counting = OffsetKey.page(
      of: answer.items, count: answer.rowCount, for: request, first: first)
    let last = NumberedKey.fingerprint(of: Array(answer.items.suffix(1)))
    let known = request.key == nil ? 0 : 1
    func key(_ key: OffsetKey) -> HTTPPageKey {
      var key = key
      // The next page begins with the last row that could be read.
      if key.offset > offset, answer.invalidTail > 0, answer.items.count > known {
        key = OffsetKey(offset: key.offset - answer.invalidTail, pageSize: key.pageSize)
      }
      if key.offset > offset { key.row = last }
      return .offset(key)
    }
    var page = counting.mapKeys(key)
    (page.invalidItems, page.invalidItem) = (
      answer.rowCount - answer.items.count, answer.invalidItem
    )
    page.total = answer.rowTotal
    let position = offset - first + answer.rowCount
    // If the page does not begin with the expected row, rows moved or the server ignores the
    // offset. Its position then proves nothing.
    let row = answer.items.first.map { NumberedKey.fingerprint(of: [$0]) }
    let isInPlace = offset == first || row == request.key?.row
    page.rowsAbove =
      answer.rowsAbove ?? (isInPlace ? .exact(offset - first) : .estimated(offset - first))
    if isInPlace,
      MorePagesEvidence.provesEnd(
        answer.signals, position: position, page: nil, rows: answer.rowCount)
    {
      page.next = nil
    }
    guard page.next == nil, !reader.trusts,
      let unread = answer.unread(position: position, page: nil, flagsAndTotals: true)
    else { return page }
    if answer.rowCount > known {
      // A short page is not the end if the server reports more rows.
      page.next = key(OffsetKey(offset: offset + answer.rowCount - 1, pageSize: answer.rowCount))
    } else {
      page.unread = unread
    }
    return page
  }

  /// Reads the page above a missing one.
  ///
  /// The missing page should repeat a known row. Either the list ended, or the server does not
  /// return rows that far down.
  private func pageAbove(
    _ key: OffsetKey, _ url: (Int) -> URL, _ request: PageRequest<HTTPPageKey>, isRefused: Bool
  ) async throws -> Page<Item, HTTPPageKey>? {
    guard key.offset > first else { return nil }
    let above = OffsetKey(
      offset: max(first, key.offset - max(1, key.pageSize - 1)), pageSize: key.pageSize)
    let answer = try await reader.readAbove(
      "offset \(key.offset)", at: url(above.offset), isFirst: above.offset == first)
    guard answer.rowCount > 0 else {
      if isRefused { throw reader.refused("offset \(key.offset)") }
      return nil
    }
    var counted = PageRequest<OffsetKey>(limit: request.limit)
    counted.key = above
    let page = OffsetKey.page(
      of: answer.items, count: answer.rowCount, for: counted, first: first)
    let position = above.offset - first + answer.rowCount
    var read = answer.page(nil, previous: page.previous.map(HTTPPageKey.offset))
    read.rowsAbove = answer.rowsAbove ?? .estimated(above.offset - first)
    // The page reaches past the requested row, so that row exists again.
    if position > key.offset - first + 1 {
      read.next = page.next.map(HTTPPageKey.offset)
    } else if let error = answer.unread(position: position, page: nil, flagsAndTotals: true) {
      read.unread = error
    } else if isRefused,
      !MorePagesEvidence.provesEnd(
        answer.signals, position: position, page: nil, rows: answer.rowCount)
    {
      read.unread = reader.refused("offset \(key.offset)")
    }
    return try read.checkingRows(for: request.key)
  }
}
