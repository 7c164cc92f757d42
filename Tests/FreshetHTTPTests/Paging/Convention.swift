import Foundation

/// How a server pages and what it says of it: each as a real one does.
enum Convention: String, CaseIterable, Sendable {
  case linkHeader, linkHeaderPages, restFrameworkPages, restFrameworkOffset, restFrameworkCursor
  case fastAPI, spring, laravel, stripe, slack, google, matrix, matrixAdmin, bluesky, relay, oData
  case jsonAPI, jsonAPIPages, jsonFeed, hal, ogc, kinto, nextCursorHeader, gitLab, totalHeader
  case contentRange, truncated, fdsn, continuation, hasNext, datasette, reddit, nextObject, numbers
  case nextPageNumber, scroll, bareArray, bareOffsets, salesforce, paginationHeader, countOnly,
    plone

  struct Answer {
    var status = 200
    var headers: [String: String] = [:]
    var body = ""
  }

  /// The page for a query.
  func answer(_ rows: [Int], _ query: [String: String]) -> Answer {
    let size =
      ["limit", "per_page", "size"].compactMap { query[$0].flatMap { Int($0) } }.first ?? 10
    let start: Int
    switch position {
    case .page(let name, let first):
      let number = query[name].flatMap { Int($0) } ?? first
      start = (number - first) * size
      if start > 0, start >= rows.count, self == .restFrameworkPages { return Answer(status: 404) }
    case .offset(let name, let first):
      start = (query[name].flatMap { Int($0) } ?? first) - first
    case .last(let name):
      guard let token = query[name] else {
        start = 0
        break
      }
      guard let id = Int(token.filter(\.isNumber)) else { return Answer(status: 400) }
      guard let index = rows.firstIndex(of: id) else {
        // A keyset goes on behind the place of the id; Stripe wants the row.
        if self == .stripe { return Answer(status: 404) }
        let isDescending = (rows.first ?? 0) > (rows.last ?? 0)
        start = rows.firstIndex { isDescending ? $0 < id : $0 > id } ?? rows.count
        break
      }
      start = index + 1
    }
    let page = Array(rows.dropFirst(max(0, start)).prefix(size))
    let end = start + page.count
    return answer(Page(rows: page, start: start, end: end, size: size, total: rows.count))
  }

  private enum Position {
    case page(String, first: Int)
    case offset(String, first: Int)
    case last(String)
  }

  private struct Page {
    let rows: [Int]
    let start, end, size, total: Int
    var hasMore: Bool { end < total }
    var number: Int { start / size + 1 }
    var pages: Int { (total + size - 1) / size }
    var token: String? { hasMore ? rows.last.map { "t\($0)" } : nil }
    var list: String { "[\(rows.map { "{\"id\":\($0)}" }.joined(separator: ","))]" }
  }

  private var position: Position {
    switch self {
    case .linkHeaderPages, .restFrameworkPages, .fastAPI, .laravel, .gitLab, .totalHeader,
      .jsonAPIPages, .nextPageNumber, .bareArray, .paginationHeader, .hasNext, .nextObject:
      .page("page", first: 1)
    case .spring: .page("page", first: 0)
    case .restFrameworkOffset, .contentRange, .truncated, .numbers, .bareOffsets, .countOnly:
      .offset("offset", first: 0)
    case .plone: .offset("b_start", first: 0)
    case .fdsn: .offset("offset", first: 1)
    case .stripe: .last("starting_after")
    case .matrix, .matrixAdmin: .last("from")
    case .google: .last("pageToken")
    case .relay, .reddit: .last("after")
    case .continuation: .last("continuationToken")
    default: .last("cursor")
    }
  }

  private func answer(_ page: Page) -> Answer {
    let base = PagedServer.url
    func text(_ value: String?) -> String { value.map { "\"\($0)\"" } ?? "null" }
    let next = page.token.map { "\(base)?limit=\(page.size)&cursor=\($0)" }
    let nextPage = page.hasMore ? "\(base)?limit=\(page.size)&page=\(page.number + 1)" : nil
    let nextOffset = page.hasMore ? "\(base)?limit=\(page.size)&offset=\(page.end)" : nil
    let list = page.list
    func link(_ url: String?) -> [String: String] {
      url.map { ["Link": "<\($0)>; rel=\"next\""] } ?? [:]
    }
    switch self {
    case .linkHeader: return Answer(headers: link(next), body: list)
    case .linkHeaderPages: return Answer(headers: link(nextPage), body: list)
    case .restFrameworkPages:
      return Answer(
        body:
          "{\"count\":\(page.total),\"next\":\(text(nextPage)),\"previous\":null,\"results\":\(list)}"
      )
    case .restFrameworkOffset:
      return Answer(
        body:
          "{\"count\":\(page.total),\"next\":\(text(nextOffset)),\"previous\":null,\"results\":\(list)}"
      )
    case .restFrameworkCursor:
      return Answer(body: "{\"next\":\(text(next)),\"previous\":null,\"results\":\(list)}")
    case .fastAPI:
      return Answer(
        body:
          "{\"items\":\(list),\"total\":\(page.total),\"page\":\(page.number),\"size\":\(page.size),\"pages\":\(page.pages)}"
      )
    case .spring:
      return Answer(
        body:
          "{\"content\":\(list),\"last\":\(!page.hasMore),\"totalElements\":\(page.total),\"totalPages\":\(page.pages),\"number\":\(page.number - 1),\"sort\":[]}"
      )
    case .laravel:
      return Answer(
        body:
          "{\"data\":\(list),\"links\":{\"next\":\(text(nextPage))},\"meta\":{\"current_page\":\(page.number),\"last_page\":\(page.pages),\"total\":\(page.total)}}"
      )
    case .stripe:
      return Answer(body: "{\"object\":\"list\",\"data\":\(list),\"has_more\":\(page.hasMore)}")
    case .slack:
      return Answer(
        body:
          "{\"ok\":true,\"members\":\(list),\"response_metadata\":{\"next_cursor\":\"\(page.token ?? "")\"}}"
      )
    case .google:
      return Answer(
        body:
          "{\"kind\":\"x\",\(page.token.map { "\"nextPageToken\":\"\($0)\"," } ?? "")\"items\":\(list)}"
      )
    case .matrix:
      return Answer(
        body: "{\"chunk\":\(list),\"start\":\"s\"\(page.token.map { ",\"end\":\"\($0)\"" } ?? "")}")
    case .matrixAdmin:
      return Answer(
        body:
          "{\"users\":\(list),\"total\":\(page.total)\(page.token.map { ",\"next_token\":\"\($0)\"" } ?? "")}"
      )
    case .bluesky:
      return Answer(body: "{\"feed\":\(list)\(page.token.map { ",\"cursor\":\"\($0)\"" } ?? "")}")
    case .relay:
      return Answer(
        body:
          "{\"nodes\":\(list),\"pageInfo\":{\"hasNextPage\":\(page.hasMore),\"endCursor\":\(text(page.rows.last.map { "t\($0)" }))}}"
      )
    case .oData:
      return Answer(
        body: "{\(next.map { "\"@odata.nextLink\":\"\($0)\"," } ?? "")\"value\":\(list)}")
    case .jsonAPI:
      return Answer(
        body:
          "{\"data\":\(list),\"links\":{\"self\":\"x\"\(next.map { ",\"next\":{\"href\":\"\($0)\"}" } ?? "")}}"
      )
    case .jsonAPIPages:
      return Answer(
        body:
          "{\"data\":\(list),\"links\":{\"next\":\(text(nextPage))},\"meta\":{\"pagination\":{\"page\":\(page.number),\"pages\":\(page.pages),\"count\":\(page.total)}}}"
      )
    case .jsonFeed:
      return Answer(
        body:
          "{\"version\":\"1.1\",\"items\":\(list)\(next.map { ",\"next_url\":\"\($0)\"" } ?? "")}")
    case .hal:
      return Answer(
        body:
          "{\"_links\":{\"self\":{\"href\":\"x\"}\(next.map { ",\"next\":{\"href\":\"\($0)\"}" } ?? "")},\"_embedded\":{\"things\":\(list)}}"
      )
    case .ogc:
      return Answer(
        body:
          "{\"features\":\(list),\"numberMatched\":\(page.total),\"links\":[{\"rel\":\"self\",\"href\":\"x\"}\(next.map { ",{\"rel\":\"next\",\"type\":\"text/html\",\"href\":\"/html\"},{\"rel\":\"next\",\"type\":\"application/geo+json\",\"href\":\"\($0)\"}" } ?? "")]}"
      )
    case .kinto:
      return Answer(
        headers: ["Total-Records": "\(page.total)"].merging(next.map { ["Next-Page": $0] } ?? [:]) {
          $1
        },
        body: "{\"data\":\(list)}")
    case .nextCursorHeader:
      return Answer(headers: page.token.map { ["X-Next-Cursor": $0] } ?? [:], body: list)
    case .gitLab:
      return Answer(
        headers: [
          "X-Next-Page": page.hasMore ? "\(page.number + 1)" : "", "X-Total": "\(page.total)",
          "X-Total-Pages": "\(page.pages)",
        ],
        body: list)
    case .totalHeader: return Answer(headers: ["X-Total-Count": "\(page.total)"], body: list)
    case .contentRange:
      let range = "items \(page.start)-\(max(page.start, page.end - 1))/\(page.total)"
      return Answer(status: page.hasMore ? 206 : 200, headers: ["Content-Range": range], body: list)
    case .truncated: return Answer(body: "{\"rows\":\(list),\"truncated\":\(page.hasMore)}")
    case .fdsn:
      if page.rows.isEmpty { return Answer(status: 204) }
      return Answer(
        body:
          "{\"type\":\"FeatureCollection\",\"metadata\":{\"count\":\(page.rows.count),\"status\":200},\"features\":\(list)}"
      )
    case .continuation:
      return Answer(body: "{\"value\":\(list),\"continuationToken\":\(text(page.token))}")
    case .hasNext:
      return Answer(body: "{\"list\":\(list),\"pagination\":{\"hasNext\":\(page.hasMore)}}")
    case .datasette:
      return Answer(
        body:
          "{\"ok\":true,\"rows\":\(list),\"truncated\":false,\"filtered_table_rows_count\":\(page.total),\"next\":\(text(page.token)),\"next_url\":\(text(next))}"
      )
    case .reddit:
      return Answer(
        body:
          "{\"kind\":\"Listing\",\"before\":\"b\",\"after\":\(text(page.token)),\"children\":\(list)}"
      )
    case .nextObject:
      let object =
        page.hasMore ? ",\"next\":{\"page\":\(page.number + 1),\"limit\":\(page.size)}" : ""
      return Answer(body: "{\"results\":\(list)\(object)}")
    case .numbers:
      return Answer(
        body:
          "{\"data\":\(list),\"meta\":{\"total\":\(page.total),\"offset\":\(page.start),\"limit\":\(page.size)}}"
      )
    case .nextPageNumber:
      return Answer(
        body: "{\"data\":\(list),\"next_page\":\(page.hasMore ? "\(page.number + 1)" : "null")}")
    case .scroll: return Answer(body: "{\"docs\":\(list),\"scroll_id\":\(text(page.token))}")
    case .bareArray, .bareOffsets: return Answer(body: list)
    case .salesforce:
      return Answer(
        body:
          "{\"totalSize\":\(page.total),\"done\":\(!page.hasMore),\"records\":\(list)\(page.token.map { ",\"nextRecordsUrl\":\"/items?limit=\(page.size)&cursor=\($0)\"" } ?? "")}"
      )
    case .paginationHeader:
      return Answer(
        headers: [
          "X-Pagination":
            "{\"TotalCount\":\(page.total),\"TotalPages\":\(page.pages),\"HasNext\":\(page.hasMore)}"
        ],
        body: list)
    case .plone:
      let next =
        page.hasMore ? "\"next\":\"\(base)?limit=\(page.size)&b_start=\(page.end)\"" : ""
      return Answer(
        body: "{\"batching\":{\"@id\":\"x\"\(next.isEmpty ? "" : ",\(next)")},\"items\":\(list)}")
    case .countOnly: return Answer(body: "{\"count\":\(page.total),\"entries\":\(list)}")
    }
  }
}
