import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

/// Rules N2 and T8: of two values for one member none is taken.
@Suite(.timeLimit(.minutes(5)))
struct RepeatedMemberTests {
  struct Row: ListItem, Decodable { var id: Int }

  func path(_ text: String) -> [String]? { RepeatedMember(in: Array(text.utf8)).path }

  @Test(arguments: [
    (#"{"more":false,"more":true}"#, ["more"]),
    (#"{"a":[1,"}"],"items":[{"id":1}],"a":[1]}"#, ["a"]),
    (#" { "meta" : { "next" : null , "x" : 1 , "next" : "/2" } } "#, ["meta", "next"]),
    (#"{"has_more":false,"has\u005fmore":true}"#, ["has_more"]),
    (#"[{"pages":1,"pages":2},[{"id":1}]]"#, ["0", "pages"]),
    (#"{"a":"x\"y","a":"x\\"}"#, ["a"]),
    (#"{"a":-1.5e3,"b":tru,"a":-1.5e4}"#, ["a"]),
    ("\u{FEFF}{\"a\":1,\"a\":2}", ["a"]),
  ])
  func `two values that differ are found, with their place`(text: String, place: [String]) {
    #expect(path(text) == place)
  }

  @Test(arguments: [
    #"{}"#, #"[]"#, #"[[]]"#, #"{"a":1,"b":1}"#, #"{"a":1,"a":1}"#, #"{"a":{"b":1},"b":2}"#,
    #"[{"id":1,"id":2},{"id":3}]"#, #"[{"id":1,"id":2}]"#, #"{"a":1,"a":2"#,
    #"{"rows":[{"id":1,"id":2}]}"#, #"[{"id":1},{"id":2,"id":3}]"#, #"7"#, "", " ",
    #"{"a":1,"a""#, #"{"a":1,"a":"#, #"{"a":1,,"a":2}"#, #"{a:1,a:2}"#, #"{"a":1]"#, #"{"a":}"#,
    #"{"a"1,"a":2}"#, #"{"a":"\"#,
  ])
  func `what is said once or in the same words passes, and what is no JSON is left alone`(
    text: String
  ) {
    #expect(path(text) == nil)
  }

  @Test
  func `nesting without end, and many names, end in time that is in proportion`() {
    let long = String(repeating: "x", count: 1 << 20)
    #expect(path("{\"\(long)\":1,\"\(long)\":2}") == nil)
    for open in [#"{"a":"#, "[", #"[{"a":"#] {
      #expect(path(String(repeating: open, count: 200_000)) == nil)
    }
    let names = (0..<100_000).map { #""n\#($0)":\#($0)"# }.joined(separator: ",")
    #expect(path("{\(names)}") == nil)
    #expect(path("{\(names),\"n7\":8}") == ["n7"])
  }

  @Test(arguments: SeededGenerator.seeds(100))
  func `seeded: damaged texts end`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array(#"{}[]",:\a1 "#.utf8)
    for _ in 0..<20 {
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      let found = RepeatedMember(in: bytes).path
      #expect(found == nil || bytes.contains(UInt8(ascii: ",")))
    }
  }

  @Test(arguments: [
    #""has_more":false,"has_more":true"#, #""total":2,"total":10"#, #""next":null,"next":"/2""#,
    #""errors":[],"errors":[{"message":"x"}]"#, #""items":[],"total":1"#,
  ])
  func `T8: a body that says two things is no end of the list`(members: String) async throws {
    let transport = FunctionTransport { _ in
      .text(200, [:], #"{"items":[{"id":1},{"id":2}],\#(members)}"#)
    }
    let feed = Feed(
      try HTTPFeedSource<Row>(
        try #require(URL(string: "https://a.example/rows")),
        configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport)))
    guard case .decoding(let path, _, let found, _)? = await feed.refresh().failure else {
      Issue.record("\(feed.value.state)")
      return
    }
    #expect(path.hasPrefix("/") && found == "two")
    #expect(feed.value.state.next != .end)
  }
}
