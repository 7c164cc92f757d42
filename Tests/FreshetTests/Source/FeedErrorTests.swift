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
    .http(status: 429, url: url, retryAfter: 7, message: "no \u{202E}\(url.absoluteString)\n"),
    .heldBack(url, retryAfter: 7, reason: "no \u{202E}\(url.absoluteString)\n"),
    .decoding(path: "", expected: "JSON", found: "an HTML page, perhaps a login page", url: url),
    .unreachable(url, code: .networkConnectionLost, reason: "cut"),
    .http(status: 401, url: url, retryAfter: nil, message: nil), .invalidURL(url),
    .invalidHeader(name: "X\r\nY", reason: "a line break"), .foreignLink(url),
    .secretInLink(url), .redirection(url, reason: "to \(url.absoluteString)"), .tooLarge(limit: 9),
    .unreachable(url, code: .timedOut, reason: "\(url.absoluteString) timed out"),
    .unreachable(url, code: .serverCertificateUntrusted, reason: "bad certificate"),
    .source(
      URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: url])),
  ]

  @Test(arguments: errors.indices)
  func `N5: no error shows a secret or an escape, to people, in a log or dumped`(index: Int) {
    let error = Self.errors[index]
    var dumped = ""
    if case .source = error {} else { dump(error.masked, to: &dumped) }
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
  func `a log learns the method, the address, the status and what the server says`() throws {
    let error = FeedError.http(
      status: 429, url: try #require(URL(string: "https://a.example/x")), retryAfter: 6.2,
      message: "Slow down.")
    #expect(
      "\(error)"
        == "GET https://a.example/x answered with status 429 and says “Slow down.”. Try again in 7 seconds."
    )
    let lost = FeedError.unreachable(
      try #require(URL(string: "https://a.example/x")), code: .timedOut, reason: "no answer")
    #expect("\(lost)".contains("GET") && "\(lost)".contains("-1001"))
    let held = FeedError.heldBack(
      try #require(URL(string: "https://a.example/x")), retryAfter: 6.2, reason: "Slow down")
    #expect(
      "\(held)"
        == "GET https://a.example/x was held back, because the server asked to be left alone: Slow down. Try again in 7 seconds."
    )
  }

  @Test
  func `what happened is told from what did not: a server that was reached, a web page, the rest`()
    throws
  {
    let url = try #require(URL(string: "https://a.example/x"))
    for code in [
      URLError.Code.timedOut, .networkConnectionLost, .serverCertificateUntrusted,
      .secureConnectionFailed, .badServerResponse, .cannotDecodeContentData,
    ] {
      let text = "\(FeedError.unreachable(url, code: code, reason: "r"))"
      #expect(!text.contains("did not reach"), "\(text)")
    }
    let refused = FeedError.unreachable(url, code: .cannotConnectToHost, reason: "r")
    #expect("\(refused)".contains("did not reach"))
    let page = FeedError.decoding(
      path: "", expected: "JSON", found: "an HTML page, perhaps a login page", url: url)
    #expect("\(page)".hasSuffix("Check the address, the credentials and the Accept field."))
    let item = FeedError.decoding(path: "/0", expected: "a text", found: "null", url: url)
    #expect("\(item)".hasSuffix("where in the body they are."))
    #expect(page.recoverySuggestion?.contains("Sign in to the network") == true)
    let unread = FeedError.unreadPages(seen: "a total", advice: "Try.", url: url)
    #expect(unread.errorDescription == "There is more than could be loaded.")
    let down = try #require(URL(string: "http://a.example/x"))
    #expect("\(FeedError.foreignLink(down))".contains("From https that is never followed"))
    #expect(!"\(FeedError.foreignLink(url))".contains("never followed"))
    for text in ["ftp://a.example/x", "file:///etc/passwd", "https://u:p@a.example/"] {
      let never = FeedError.foreignLink(try #require(URL(string: text)))
      #expect("\(never)".contains("never followed") && !"\(never)".contains("Allow"))
    }
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
    let first = try #require(URL(string: "https://a.example/?token=1"))
    let second = try #require(URL(string: "https://a.example/?token=2"))
    #expect(FeedError.foreignLink(first) != .foreignLink(second))
    #expect(FeedError.foreignLink(first).masked == FeedError.foreignLink(second).masked)
  }

  @Test
  func `N5: what a feed holds of a failure has its secrets masked`() async throws {
    let feed = Feed<Post> { (_: PageRequest<Int>) in
      throw FeedError.http(status: 404, url: Self.url, retryAfter: nil, message: "x\u{1B}")
    }
    await feed.refresh()
    guard case .http(404, let url, nil, let message)? = feed.value.state.refresh.failure else {
      Issue.record("\(feed.value.state)")
      return
    }
    #expect(url.absoluteString == "https://***@api.example.com/list?token=***&page=2")
    #expect(message == "x\\u{1B}")
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
