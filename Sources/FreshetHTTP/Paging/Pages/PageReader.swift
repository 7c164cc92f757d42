internal import Foundation
internal import Freshet
internal import FreshetLists

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
    } catch HTTPError.status(404, _, _, _) {
      return .gone
    } catch HTTPError.status(422, _, _, _) {
      return .refused
    }
  }

  /// The page, or `nil` where the server says that it has no such page.
  func readIfThere(_ url: URL) async throws -> PageAnswer<Item>? {
    guard case .page(let answer) = try await find(url) else { return nil }
    return answer
  }

  /// Whether a page has no rows, or the server says that there is none of its number.
  func isEmpty(_ url: URL) async throws -> Bool {
    do {
      let answer = try await read(url)
      return answer.rowCount == 0 && answer.reportedError == nil
    } catch HTTPError.status(400, _, _, _), HTTPError.status(404, _, _, _),
      HTTPError.status(416, _, _, _)
    {
      return true
    }
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

extension PageReader {
  /// A page without what does not count: its total where the style is trusted, else its way on
  /// where the answer reports an error beside the rows.
  ///
  /// The rows may not be all then, and what follows would stand beside rows that are no neighbours
  /// (rule T2).
  func checkingErrors(
    of answer: PageAnswer<Item>?, _ page: Page<Item, HTTPPageKey>
  ) -> Page<Item, HTTPPageKey> {
    var page = page
    if trusts {
      page.total = nil
    } else if let error = answer?.reportedError {
      (page.next, page.unread) = (nil, error)
    }
    return page
  }
}

extension Page {
  /// The page, unless it has no row behind which the list could be told to go on: then that is an
  /// error of the load, lest the pages above are asked again and again (rule T7).
  func checkingRows(for key: HTTPPageKey?) throws -> Page {
    if key != nil, items.isEmpty, next == nil, let unread { throw unread }
    return self
  }
}
