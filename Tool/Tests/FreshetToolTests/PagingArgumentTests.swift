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
    "offset:offset:limit:9223372036854775807", "offset:offset:limit:-1",
    "page:p:9223372036854775807",
    "page:p:-9223372036854775808", "page:p:99999999999999999999",
  ])
  func `what is no paging style is refused`(text: String) {
    #expect(PagingArgument(argument: text) == nil)
  }

  @Test
  func `intervals`() {
    #expect(Interval(argument: "30s")?.duration == .seconds(30))
    #expect(Interval(argument: "1.5m")?.duration == .seconds(90))
    #expect(Interval(argument: "250ms")?.duration == .milliseconds(250))
    for text in ["", "s", "0", "-1s", "3 days", "0.0000001ms", "99999999h", "½"] {
      #expect(Interval(argument: text) == nil)
    }
  }

  @Test(arguments: [Int.max, .min, 0])
  func `a quake of any time has a day or none`(time: Int) throws {
    let json = """
      {"id":"a","properties":{"mag":1,"place":"","time":\(time),"updated":0,"status":""},\
      "geometry":{"coordinates":[]}}
      """
    let quake = try JSONDecoder().decode(Quake.self, from: Data(json.utf8))
    #expect(quake.day == (time == 0 ? "1970-01-01" : ""))
  }
}
