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

struct User { let id: String }

@MainActor
func show(
  _ account: Account, _ user: User, _ url: URL, _ typed: URL
) throws -> [FeedController<Ticket>] {
  // snippet.provider
  let credentials = HTTPCredentials { refreshing in
    .bearer(try await account.token(renewed: refreshing))
  }
  let mine = try FeedController(HTTPFeedSource<Ticket>(url, credentials: credentials))
  // snippet.basic
  let basic = try FeedController(
    HTTPFeedSource<Ticket>(url, credentials: .basic(user: "ada", password: "lovelace")))
  // snippet.url
  // https://ada:lovelace@tracker.example/tickets
  let local = try FeedController(HTTPFeedSource<Ticket>(typed, credentials: .userInformation))
  // snippet.fields
  let keyed = try FeedController(
    HTTPFeedSource<Ticket>(url, credentials: ["X-API-Key": "abc", "X-Tenant": "7"]))
  // snippet.account
  let caches = CacheDirectory.default.directory(named: user.id)
  let tickets = try FeedController(
    HTTPFeedSource<Ticket>(url, credentials: credentials.account(user.id)),
    cache: .file("tickets", in: caches))
  // snippet.hide
  return [mine, basic, local, keyed, tickets]
}

if let url = URL(string: "https://tracker.example/tickets"),
  let typed = URL(string: "https://ada:lovelace@tracker.example/tickets")
{
  print(try show(Account(), User(id: "7"), url, typed).count)
}
