// Who asks: a token that expires, a user name and a password, a key in the URL.

import Foundation
import Freshet
import FreshetHTTP

struct Ticket: ListItem, Codable { let id: Int }

actor Account {
  private var current = "abc"

  func token(renewed: Bool) async throws -> String {
    if renewed { current = "def" }
    return current
  }
}

@MainActor
func show(_ account: Account, _ url: URL) throws -> [FeedController<Ticket>] {
  // snippet.provider
  let credentials = HTTPCredentials { refreshing in
    .bearer(try await account.token(renewed: refreshing))
  }
  let mine = try FeedController(HTTPFeedSource<Ticket>(url, credentials: credentials))
  // snippet.basic
  let basic = try FeedController(
    HTTPFeedSource<Ticket>(url, credentials: .basic(user: "ada", password: "lovelace")))
  // snippet.url
  let local = try FeedController(
    HTTPFeedSource<Ticket>(
      "https://ada:lovelace@tracker.example/tickets".url, credentials: .userInformation))
  // snippet.fields
  let keyed = try FeedController(
    HTTPFeedSource<Ticket>(url, credentials: ["X-API-Key": "abc", "X-Tenant": "7"]))
  // snippet.hide
  return [mine, basic, local, keyed]
}

extension String {
  /// The URL that the text is.
  var url: URL {
    get throws {
      guard let url = URL(string: self) else { throw URLError(.badURL) }
      return url
    }
  }
}

let feeds = try await show(Account(), "https://tracker.example/tickets".url)
print(feeds.count)
