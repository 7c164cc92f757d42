// What went wrong, for people and for a log; when to ask again.

import Foundation
import Freshet
import FreshetHTTP

struct Story: ListItem, Codable { let id: Int }

// snippet.alert
/// What an alert shows.
struct Trouble {
  let title: String
  let advice: String?

  init(_ error: FeedError) {
    title = error.localizedDescription  // "The server is busy."
    advice = error.recoverySuggestion  // "Wait a while, then try again."
  }
}
// snippet.end

@MainActor
func show(_ source: HTTPFeedSource<Story>) async {
  // snippet.policy
  let feed = FeedController(
    source, configuration: FeedConfiguration(retryPolicy: RetryPolicy(attempts: 5)))
  // snippet.brief
  let list = Feed(source, configuration: FeedConfiguration(retryPolicy: .brief))
  if let error = await list.refresh().failure { print(error) }  // what happened, and what to try
  // snippet.switch
  await feed.refresh()
  if let failure = feed.state.refresh.failure {
    switch failure.httpError {
    case .status(401, _, _, _)?: print("show the sign-in screen")
    case .status(_, _, let time?, _)?: print("again in \(time)")
    case .unreachable(_, code: .notConnectedToInternet, _)?: print("show that we are offline")
    default: print("GET failed: \(failure)")  // one line for the log, without secrets
    }
  }
  // snippet.transient
  struct Overloaded: LoadFailure {
    var isTransient: Bool { true }
    var retryAfter: Duration? { .seconds(30) }
  }
  // snippet.skip
  let lenient = HTTPFeedSource<Story>(
    "https://api.example.com/stories",
    configuration: HTTPConfiguration(invalidItems: .skipInvalid))
  let stories = FeedController(lenient)
  await stories.refresh()
  if let error = stories.value.diagnostics.invalidItem {
    print("\(stories.value.diagnostics.invalidItems) rows left out; the first: \(error)")
  }
  // snippet.hide
}

let busy = HTTPError.status(
  503, url: URL(fileURLWithPath: "/"), retryAfter: .seconds(9), message: nil)
print(Trouble(.source(busy)))
