import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite
struct ErrorNoticeTests {
  @Test
  func `any error has a message for people, and one action`() throws {
    let url = try #require(URL(string: "https://a.example/x"))
    func http(_ status: Int) -> ErrorNotice {
      ErrorNotice(FeedError.http(status: status, url: url, retryAfter: nil, message: nil))
    }
    #expect(http(401).action == .signIn && http(403).action == .signIn)
    #expect(http(404).action == .leave && http(500).action == .retry)
    #expect(http(401).message == "You are not signed in, or no longer.")
    #expect(ErrorNotice(FeedError.invalidURL(url)).action == .changeSettings)
    let offline = ErrorNotice(URLError(.notConnectedToInternet))
    #expect(offline.message == "You seem to be offline." && offline.action == .retry)
    #expect(
      ErrorNotice.Action.allCases.map(\.title) == ["Try Again", "Sign In", "Go Back", "Settings"])
  }

  @Test
  func `an error without words for people says nothing of its type`() {
    enum Own: Error { case shelf(Int) }
    let notice = ErrorNotice(Own.shelf(7))
    #expect(
      notice.message == "The list could not be loaded." && notice.advice == "Try again later.")
    let other = ErrorNotice(
      NSError(
        domain: "Shelf", code: 7,
        userInfo: [
          NSLocalizedDescriptionKey: "The shelf is empty."
        ]))
    #expect(other.message == "The shelf is empty.")
  }

  @Test
  func `what is tried again by itself has no action`() {
    let notice = ErrorNotice(ScriptedFailure(), isRetriedByItself: true)
    #expect(notice.isRetriedByItself && notice.action == nil)
    #expect(ListState.complete.notice == nil && ListState.failed(ScriptedFailure()).notice != nil)
  }
}
