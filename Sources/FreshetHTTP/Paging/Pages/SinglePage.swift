internal import Freshet
internal import FreshetLists

/// One page that is the whole list.
struct SinglePage<Item: ListItem & Decodable> {
  let reader: PageReader<Item>

  func page(_ request: PageRequest<HTTPPageKey>) async throws -> Page<Item, HTTPPageKey> {
    if let key = request.key { throw FeedError.staleKey("\(key)") }
    let answer = try await reader.read(reader.base)
    if !reader.trusts { try answer.checkContent() }
    var page = answer.page(nil)
    if !reader.trusts {
      page.unread = answer.unread(position: answer.rowCount, page: 1) ?? answer.unreadIfFull
      page.suspectedLimit = answer.suspectedLimit
    }
    return page
  }
}
