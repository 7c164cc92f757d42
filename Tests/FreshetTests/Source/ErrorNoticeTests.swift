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
      ErrorNotice.Action.allCases.map(\.title) == [
        "Try Again", "Sign In", "Go Back", "Settings", "Discard",
      ])
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
  func `a change that was not sent has texts of its own, which name no list and no row`() {
    for alert in AlertText.allCases {
      for text in [alert.changeTitle, alert.changeAdvice] {
        #expect(!text.isEmpty && text.last == ".")
        for word in ["list", "load", "row"] {
          #expect(!text.lowercased().contains(word), "\(text)")
        }
      }
      #expect(alert.changeAction != .leave)
    }
    let gone = ErrorNotice(ofChange: FeedError.staleKey("7"), isRetriedByItself: false)
    #expect(gone.message == AlertText.unreadable.title)
    let own = ErrorNotice(
      ofChange: NSError(
        domain: "Shelf", code: 7, userInfo: [NSLocalizedDescriptionKey: "The shelf is full."]),
      isRetriedByItself: false)
    #expect(own.message == "The shelf is full." && own.action == .retry)
  }

  @Test
  func `a change that is sent again by itself says so`() {
    let notice = ErrorNotice(
      ofChange: URLError(.notConnectedToInternet), isRetriedByItself: true)
    #expect(notice.message == "You seem to be offline." && notice.action == nil)
    #expect(notice.advice == "The change is kept, and sent as soon as possible.")
  }

  @Test
  func `what is tried again by itself has no action`() {
    let notice = ErrorNotice(ScriptedFailure(), isRetriedByItself: true)
    #expect(notice.isRetriedByItself && notice.action == nil)
    #expect(ListState.complete.notice == nil && ListState.failed(ScriptedFailure()).notice != nil)
  }
}
