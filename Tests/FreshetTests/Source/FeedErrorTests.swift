import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct FeedErrorTests {
  static let url =
    URL(string: "https://user:hunter2@api.example.com/list?token=s3cret&page=2")
    ?? URL(fileURLWithPath: "/")

  static let errors: [FeedError] = [
    .pagingLoop(key: #"{"url":"\#(url.absoluteString)"}"#), .staleKey(url.absoluteString),
    .decoding(path: "/items/0", expected: "a text", found: "token=s3cret", url: url),
    .unreadPages(seen: "next = \(url.absoluteString)", advice: "Try another style.", url: url),
    .decoding(path: "", expected: "JSON", found: "an HTML page, perhaps a login page", url: url),
    .source(
      URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: url])),
  ]

  @Test(arguments: errors.indices)
  func `N5: no error shows a secret or an escape, to people, in a log or dumped`(index: Int) {
    let error = Self.errors[index]
    var dumped = ""
    dump(error.masked, to: &dumped)
    for text in [
      "\(error)", String(reflecting: error), error.localizedDescription,
      error.recoverySuggestion ?? "", dumped,
    ] {
      #expect(!text.contains("s3cret") && !text.contains("hunter2"), "\(text)")
      #expect(!text.contains("\u{202E}"))
    }
    #expect(!"\(error)".contains { $0.isNewline })
  }

  @Test
  func `an alert says what people can do, without addresses, codes and jargon`() {
    for error in Self.errors {
      if case .source = error { continue }
      for text in [error.errorDescription, error.recoverySuggestion] {
        guard let text else {
          Issue.record("\(error) has no words")
          continue
        }
        #expect(!text.isEmpty && !text.contains("://") && !text.contains(where: \.isNumber))
        for word in ["HTTP", "JSON", "URL", "status", "key", "decod"] {
          #expect(!text.contains(word), "\(text)")
        }
      }
    }
    #expect(Set(AlertText.allCases.map(\.english.title)).count == AlertText.allCases.count)
  }

  @Test
  func `an error of a source says what to do about it`() {
    struct Closed: LoadFailure, MaskedFailure, LocalizedError, CustomStringConvertible {
      var text = "closed"
      var errorDescription: String? { "The shop is closed." }
      var description: String { "The shop is \(text) until 9, token=s3cret" }
      var isTransient: Bool { true }
      var retryAfter: Duration? { .seconds(7) }
      var isStaleKey: Bool { true }
      var recoveryAction: ErrorNotice.Action { .leave }
      var masked: Closed { Closed(text: "masked") }
    }
    let error = FeedError.source(Closed())
    #expect(error.isTransient && error.retryAfter == .seconds(7) && error.isStaleKey)
    #expect("\(error)" == "The shop is closed until 9, token=***")
    #expect("\(error.masked)" == "The shop is masked until 9, token=***")
    let notice = ErrorNotice(error)
    #expect(notice.message == "The shop is closed." && notice.action == .leave)
    let other = FeedError.source(CancellationError())
    struct Silent: LoadFailure { var recoveryAction: ErrorNotice.Action }
    let messages = ErrorNotice.Action.allCases.map {
      ErrorNotice(FeedError.source(Silent(recoveryAction: $0))).message
    }
    #expect(
      messages == [
        "The list could not be loaded.", "You are not signed in, or no longer.",
        "This list is no longer there.", "The list cannot be loaded.",
        "The list could not be loaded.",
      ])
    #expect(!other.isTransient && other.retryAfter == nil && !other.isStaleKey)
    #expect(FeedError.staleKey("7").isStaleKey && !FeedError.pagingLoop(key: "7").isStaleKey)
  }

  @Test
  func `an error of the source's own keeps its own words`() {
    struct Own: LocalizedError {
      var errorDescription: String? { "The shelf is empty." }
      var recoverySuggestion: String? { "Fill it." }
    }
    let error = FeedError.source(Own())
    #expect(error.localizedDescription == "The shelf is empty.")
    #expect(error.recoverySuggestion == "Fill it.")
  }

  @Test
  func `what happened is told from what did not: a web page, an item, pages that are not read`()
    throws
  {
    let url = try #require(URL(string: "https://a.example/x"))
    let page = FeedError.decoding(
      path: "", expected: "JSON", found: "an HTML page, perhaps a login page", url: url)
    #expect("\(page)".hasSuffix("Check the address, the credentials and the Accept field."))
    let item = FeedError.decoding(path: "/0", expected: "a text", found: "null", url: url)
    #expect("\(item)".hasSuffix("where in the body they are."))
    #expect(page.recoverySuggestion?.contains("Sign in to the network") == true)
    let unread = FeedError.unreadPages(seen: "a total", advice: "Try.", url: url)
    #expect(unread.errorDescription == "There is more than could be loaded.")
  }

  @Test
  func `errors are equal where all they say is, and a source's by its own measure`() throws {
    struct Plain: Error { var number: Int }
    struct Own: Error, Equatable {
      var number: Int
      var note: String
      static func == (first: Own, second: Own) -> Bool { first.number == second.number }
    }
    for (index, error) in Self.errors.enumerated() {
      for (other, second) in Self.errors.enumerated() {
        #expect((error == second) == (index == other))
      }
    }
    #expect(FeedError.source(Plain(number: 1)) == .source(Plain(number: 1)))
    #expect(FeedError.source(Plain(number: 1)) != .source(Plain(number: 2)))
    #expect(FeedError.source(Own(number: 1, note: "a")) == .source(Own(number: 1, note: "b")))
    #expect(FeedError.source(Own(number: 1, note: "a")) != .source(Own(number: 2, note: "a")))
    // Masked, they look alike, and are not.
    let (first, second) = (FeedError.staleKey("?token=1"), FeedError.staleKey("?token=2"))
    #expect(first != second && first.masked == second.masked)
  }

  @Test
  func `N5: what a feed holds of a failure has its secrets masked`() async throws {
    let failure = Locked<any Error>(FeedError.staleKey(Self.url.absoluteString))
    let feed = Feed<Post> { (_: PageRequest<Int>) in throw failure.withLock { $0 } }
    for error in [Self.errors[0], Self.errors[2], Self.errors[5]] {
      failure.withLock { $0 = error }
      await feed.refresh()
      var dumped = ""
      dump(feed.value.state, to: &dumped)
      #expect(dumped.contains("failed") && !dumped.contains("s3cret"), "\(dumped)")
    }
  }

  @Test
  func `rows that a source leaves out are counted, with the first one's fault`() async {
    let feed = Feed<Post> { (request: PageRequest<Int>) in
      var page = Page([Post(id: request.key ?? 0)], next: request.key == nil ? 1 : nil)
      page.invalidItems = 2
      page.invalidItem = .decoding(
        path: "/\(request.key ?? 0)", expected: "a text", found: "null", url: nil)
      return page
    }
    await feed.refresh()
    await feed.loadNext()
    #expect(feed.value.diagnostics.invalidItems == 4)
    #expect(
      feed.value.diagnostics.invalidItem
        == .decoding(path: "/1", expected: "a text", found: "null", url: nil))
  }

  @Test
  func `N3: rows that were left out are not counted again where the page did not change`() async {
    let feed = Feed<Post> { (request: PageRequest<Int>) in
      if request.validator != nil { return .unchanged }
      var page = Page<Post, Int>([Post(id: 0)], next: nil, validator: "v")
      page.invalidItems = 2
      return page
    }
    for _ in 0..<3 { await feed.refresh() }
    #expect(feed.value.diagnostics.invalidItems == 2)
  }
}
