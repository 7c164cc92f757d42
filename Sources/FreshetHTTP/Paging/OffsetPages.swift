internal import Foundation
internal import Freshet
internal import FreshetLists

/// Pages by a count of rows: `?offset=100&limit=50`, each asked for one row early (rule T5).
///
/// The end: a total is reached, a flag says so, or a page is shorter than the one before or brings
/// nothing new, and no total or flag says otherwise.
struct OffsetPages<Item: ListItem & Decodable> {
  let reader: PageReader<Item>
  let parameter: String
  let limit: String?
  let first: Int

  func page(_ request: PageRequest<HTTPPageKey>) async throws -> Page<Item, HTTPPageKey> {
    try PageCounting.check(first)
    var counted = PageRequest<OffsetKey>(limit: request.limit)
    if let key = request.key {
      guard case .offset(let offset) = key, offset.canFollow(first) else {
        throw FeedError.staleKey("\(key)")
      }
      counted.key = offset
    }
    let offset = counted.key?.offset ?? first
    var query = [parameter: "\(offset)"]
    if let limit { query[limit] = "\(OffsetKey.limit(of: counted))" }
    let url = reader.base.settingQuery(query)
    // Past the last row there may be nothing at all.
    let there = offset > first ? try await reader.readIfThere(url) : try await reader.read(url)
    let answer = there ?? PageAnswer(HTTPResponse(status: 404), url: url, answered: url)
    let counting = OffsetKey.page(
      of: answer.items, count: answer.rowCount, for: counted, first: first)
    let last = NumberedKey.fingerprint(of: Array(answer.items.suffix(1)))
    func key(_ key: OffsetKey) -> HTTPPageKey {
      var key = key
      if key.offset > offset { key.row = last }
      return .offset(key)
    }
    var page = counting.mapKeys(key)
    (page.invalidItems, page.invalidItem) = (
      answer.rowCount - answer.items.count, answer.invalidItem
    )
    let position = offset - first + answer.rowCount
    // Where the page does not begin with the row it is to begin with, rows moved, or the server does
    // not go by the offset: then its position says nothing.
    let row = answer.items.first.map { NumberedKey.fingerprint(of: [$0]) }
    let isInPlace = offset == first || row == counted.key?.row
    if isInPlace,
      MoreRows.provesEnd(answer.signs, position: position, page: nil, rows: answer.rowCount)
    {
      page.next = nil
    }
    guard page.next == nil, !reader.trusts,
      let unread = answer.unread(position: position, page: nil, flagsAndTotals: true)
    else { return page }
    if answer.rowCount > (request.key == nil ? 0 : 1) {
      // A short page is not the end where the server says that there is more.
      page.next = key(OffsetKey(offset: offset + answer.rowCount - 1, pageSize: answer.rowCount))
    } else {
      page.unread = unread
    }
    return page
  }
}
