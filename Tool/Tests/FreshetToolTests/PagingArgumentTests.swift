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
      ("single", .single), ("single!", .single.trusted), ("links", .links()),
      ("links:/a:b", .links(at: "/a:b")),
      ("next:/@odata.nextLink!", .nextURL("/@odata.nextLink").trusted),
      ("header:Next-Page", .nextHeader("Next-Page")),
      ("header:X-Next-Page:page", .nextHeader("X-Next-Page", parameter: "page")),
      ("cursor:/a/b:c", .cursor(at: "/a/b", parameter: "c")),
      ("cursor:/a:b:c:/more", .cursor(at: "/a:b", parameter: "c", hasMore: "/more")),
      ("last:/id:starting_after", .lastItem(id: "/id", parameter: "starting_after")),
      (
        "last:/id:starting_after:/has_more",
        .lastItem(id: "/id", parameter: "starting_after", hasMore: "/has_more")
      ),
    ]
    for (text, style) in expected {
      #expect(try #require(PagingArgument(argument: text)).style(true) == style, "\(text)")
    }
    #expect(PagingArgument(argument: "page")?.hasSize == true)
    #expect(PagingArgument(argument: "link")?.hasSize == false)
    #expect(PagingArgument(argument: "page")?.style(false) == .page("page", size: nil))
    #expect(PagingArgument(argument: "offset")?.style(false) == .offset("offset", limit: nil))
  }

  @Test(arguments: [
    "", "next", "next:", "next:x", "page:p:x", "page::1", "offset:o", "link:x", "foo",
    "offset:offset:limit:9223372036854775807", "offset:offset:limit:-1",
    "page:p:9223372036854775807",
    "page:p:-9223372036854775808", "page:p:99999999999999999999",
    "cursor", "cursor:", "cursor:/a", "cursor:/a:", "cursor:a:b", "last:/id",
    "header", "header:", "header:a:b:c", "links:", "links:x", "single:x", "!", "auto!!",
  ])
  func `what is no paging style is refused`(text: String) {
    #expect(PagingArgument(argument: text) == nil)
  }

  @Test(arguments: [
    ("offset:o", "offset:offset:limit"), ("token", "cursor:/next_cursor:cursor"),
    ("/next", "next:/next"), ("odata", "next:/@odata.nextLink"), ("foo", "one of auto, link, next"),
    ("cursor:/a", "cursor:/next_cursor:cursor"), ("last:/id", "last:/id:starting_after"),
  ])
  func `a wrong style says which one fits`(text: String, words: String) {
    #expect {
      try PagingArgument(text)
    } throws: {
      "\($0)".contains(words)
    }
  }

  @Test
  func `every style of the table is one`() {
    for line in PagingArgument.table.split(separator: "\n") where !line.hasPrefix("A ") {
      guard let word = line.split(separator: " ").first, !line.hasPrefix(" ") else { continue }
      let text = word.filter { !"[]".contains($0) }
      #expect(PagingArgument(argument: text) != nil, "\(text)")
    }
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
