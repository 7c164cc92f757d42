import Foundation
import FreshetHTTP
import Testing

@testable import FreshetTool

@Suite
struct PagingArgumentTests {
  @Test
  func `every way to name a paging style`() throws {
    let expected: [(String, PagingStyle)] = [
      ("auto", .automatic), ("link", .linkHeader), ("next:/links/next", .nextURL("/links/next")),
      ("page", .page("page", size: "per_page", first: 1)), ("page:p", .page("p", size: "per_page")),
      ("page:p:0:n", .page("p", size: "n", first: 0)),
      ("offset", .offset("offset", limit: "limit", first: 0)),
      ("offset:skip:top", .offset("skip", limit: "top")),
      ("offset:offset:limit:1", .offset("offset", limit: "limit", first: 1)),
    ]
    for (text, style) in expected {
      #expect(try #require(PagingArgument(argument: text)).style(true) == style, "\(text)")
    }
    #expect(PagingArgument(argument: "page")?.style(false) == .page("page", size: nil))
    #expect(PagingArgument(argument: "offset")?.style(false) == .offset("offset", limit: nil))
  }

  @Test(arguments: [
    "", "next", "next:", "next:x", "page:p:x", "page::1", "offset:o", "link:x", "foo",
  ])
  func `what is no paging style is refused`(text: String) {
    #expect(PagingArgument(argument: text) == nil)
  }

  @Test
  func `a section can be the day of a time in seconds, milliseconds or text`() throws {
    let place = try #require(SectionPlace(argument: "/t:day"))
    for time in ["1722441352", "1722441352325", "1722441352.5", "\"2024-07-31T15:55:52Z\""] {
      let value = try JSONDecoder().decode(JSONValue.self, from: Data("{\"t\":\(time)}".utf8))
      #expect(place.name(of: value) == "2024-07-31", "\(time)")
    }
    #expect(SectionPlace(argument: "t:day") == nil)
  }

  @Test
  func `intervals`() {
    #expect(Interval(argument: "30s")?.duration == .seconds(30))
    #expect(Interval(argument: "1.5m")?.duration == .seconds(90))
    #expect(Interval(argument: "250ms")?.duration == .milliseconds(250))
    for text in ["", "s", "0", "-1s", "3 days"] { #expect(Interval(argument: text) == nil) }
  }
}
