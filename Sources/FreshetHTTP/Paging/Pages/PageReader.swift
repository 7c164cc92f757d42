internal import Foundation
internal import Freshet
internal import FreshetLists

/// A reader that requests pages and parses them.
struct PageReader<Item: ListItem & Decodable>: Sendable {
  /// The URL of the first page.
  let base: URL
  /// Whether the style alone decides where the list ends, regardless of other signals.
  let trusts: Bool
  let read: @Sendable (URL) async throws -> PageAnswer<Item>

  /// The result of a request for a page.
  enum Found {
    case page(PageAnswer<Item>)
    /// The server has no such page.
    case gone
    /// The server refuses the page, and it is unknown whether the page exists.
    case refused
  }

  /// Returns the page, or the reason that there is none.
  func find(_ url: URL) async throws -> Found {
    do {
      return .page(try await read(url))
    } catch HTTPError.status(404, _, _, _) {
      return .gone
    } catch HTTPError.status(422, _, _, _) {
      return .refused
    }
  }

  /// Returns the page; `nil` if the server reports that it has no such page.
  func readIfThere(_ url: URL) async throws -> PageAnswer<Item>? {
    guard case .page(let answer) = try await find(url) else { return nil }
    return answer
  }

  /// Reads the page above another one.
  ///
  /// - Throws: `FeedError.staleKey` if the server no longer has it: the list ends further up.
  func readAbove(_ page: String, at url: URL, isFirst: Bool) async throws -> PageAnswer<Item> {
    if isFirst { return try await read(url) }
    guard let answer = try await readIfThere(url) else { throw FeedError.staleKey(page) }
    return answer
  }

  /// Returns whether a page has no rows, or the server reports that it does not exist.
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

  /// Returns the error for a list that cannot end at a page that the server refuses.
  func refused(_ page: String) -> FeedError {
    .unreadPages(
      seen: "status 422 for \(page), and nothing that says that the list ends before it",
      advice:
        "The server may give no more than that: ask for a part of the list. Where that is its end, say so with .trusted, in a shell with \"!\" behind the style.",
      url: base)
  }
}

extension PageReader {
  /// Returns a page without the parts that do not count.
  ///
  /// If the style is trusted, the total is removed. If the response reports an error beside its
  /// rows, the next key is removed: some rows may be missing. The rows of the next page would then
  /// be placed beside rows that are not their neighbours (rule T2).
  func checkingErrors(
    of answer: PageAnswer<Item>?, _ page: Page<Item, HTTPPageKey>
  ) -> Page<Item, HTTPPageKey> {
    var page = page
    if trusts {
      (page.total, page.rowsAbove) = (nil, nil)
    } else if let error = answer?.reportedError {
      (page.next, page.unread) = (nil, error)
    }
    return page
  }
}

extension Page {
  /// Returns the page, or throws its paging error if the page has no row to continue after.
  ///
  /// The load then fails as a whole. Otherwise the pages above would be requested again and again
  /// (rule T7).
  func checkingRows(for key: HTTPPageKey?) throws -> Page {
    if key != nil, items.isEmpty, next == nil, let unread { throw unread }
    return self
  }
}
