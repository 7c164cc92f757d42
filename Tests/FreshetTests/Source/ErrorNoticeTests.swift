import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite
struct ErrorNoticeTests {
  @Test
  func `any error has a message for people, and one action`() {
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
