import Foundation
import Freshet
import FreshetHTTP
import Testing

@testable import FreshetTool

@Suite
struct WatchedItemTests {
  static func items(_ json: String, _ places: WatchedPlaces = .init()) throws -> [WatchedItem] {
    try VerbatimDecoder(places).decode([WatchedItem].self, from: Data(json.utf8))
  }

  @Test
  func `ids keep their type and all their digits, also on disk`() throws {
    let ids = [
      "1", "\"1\"", "true", "\"true\"", "1.10", "1.1", "\"nan\"", "1e400", "9223372036854775807",
      "9223372036854775808", "18446744073709551616",
      "123456789012345678901234567890123456789012345",
      "\"e\u{301}\"", "\"é\"",
    ]
    let items = try Self.items("[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]")
    #expect(items.map(\.id.json) == ids)
    #expect(Set(items.map(\.id)).count == ids.count)
    let coder = WatchedCoder(places: .init())
    let again = try coder.decode(try coder.encode(items))
    #expect(again == items)
    #expect(again.map { $0?.id } == items.map(\.id))
  }

  @Test
  func `rows nested as deep as they are accepted print and come back from disk`() throws {
    let depth = JSONReader.depthLimit - 2
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let items = try Self.items("[{\"id\":1,\"v\":\(deep)}]")
    #expect(items[0].text == "{\"id\":1,\"v\":\(deep)}")
    let coder = WatchedCoder(places: .init())
    #expect(try coder.decode(try coder.encode(items)) == items)
  }

  @Test
  func `a row is the same whatever the order of its members, and what is ignored may change`()
    throws
  {
    var places = WatchedPlaces()
    places.ignored = ["/age", "/in/age", "/list/0", "/none"]
    let texts = [
      #"{"id":1,"age":1,"in":{"age":1,"x":1},"list":[1,2]}"#,
      #"{"list":[7,2],"in":{"x":1,"age":5},"age":9,"id":1}"#,
      #"{"id":1,"age":1,"in":{"age":1,"x":2},"list":[1,2]}"#,
    ]
    let rows = try texts.map { try Self.items("[\($0)]", places)[0] }
    #expect(rows[0] == rows[1])
    #expect(rows[0] != rows[2])
    #expect(rows[1].text.contains(#""age":9"#))
    let plain = try texts.map { try Self.items("[\($0)]")[0] }
    #expect(plain[0] != plain[1])
  }

  @Test(arguments: [
    ("[{\"sha\":1}]", "/0/id", "nothing"), ("[{\"id\":null}]", "/0/id", "null"),
    ("{\"data\":[{\"id\":1},{\"id\":[]}]}", "/data/1/id", "an array"),
    ("[{\"id\":{}}]", "/0/id", "an object"),
    ("[1]", "/0", "a number, which has no member; say --id \"\" for its own id"),
  ])
  func `a row without an id says where`(json: String, path: String, found: String) async throws {
    let error = await #expect(throws: FeedError.self) { try await Self.page(json) }
    guard case .decoding(let place, _, let what, _) = error else {
      Issue.record(error ?? FeedError.staleKey("no error"))
      return
    }
    #expect(place == path && what == found)
  }

  @Test(arguments: ["[{\"id\":1},{\"id\":", "<html>", "", "[{\"id\":1,\"x\":01}]"])
  func `what is no JSON is a decoding error`(json: String) async throws {
    let error = await #expect(throws: FeedError.self) { try await Self.page(json) }
    guard case .decoding = error else {
      Issue.record(error ?? FeedError.staleKey("no error"))
      return
    }
  }

  @Test(arguments: ["007", "0", "-1", "1.5", "é"])
  func `a member is found by its name, also where that is digits`(name: String) async throws {
    #expect(
      try await Self.page(#"{"\#(name)":[{"id":1},{"id":2}]}"#).items.map(\.id.json) == ["1", "2"])
  }

  @Test
  func `N4: many rows beside many members are read at once`() throws {
    let count = 30_000
    let members = (0..<count).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
    let rows = (0..<count).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    let start = ContinuousClock.now
    let found = try VerbatimDecoder(.init()).decode(
      [String: Rows].self, from: Data(#"{\#(members),"rows":[\#(rows)]}"#.utf8))
    #expect(found["rows"]?.items.count == count)
    // Several times what it takes, and a tenth of what a look at each member for each row takes.
    #expect(ContinuousClock.now - start < .seconds(15))
  }

  /// The rows of an array, or none of anything else.
  struct Rows: Decodable {
    let items: [WatchedItem]

    init(from decoder: any Decoder) throws {
      items = (try? decoder.unkeyedContainer()) == nil ? [] : try [WatchedItem](from: decoder)
    }
  }

  /// A page as the source reads it.
  static func page(_ json: String) async throws -> Page<WatchedItem, HTTPPageKey> {
    let source = try HTTPFeedSource<WatchedItem>(
      try #require(URL(string: "http://x.example/")),
      configuration: HTTPConfiguration(transport: OneAnswer(body: Data(json.utf8))),
      decoder: { VerbatimDecoder(WatchedPlaces()) })
    return try await source.page(PageRequest())
  }

  struct OneAnswer: HTTPTransport {
    let body: Data

    func response(to request: HTTPRequest, bodyLimit: Int) async throws -> HTTPResponse {
      HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body)
    }
  }

  @Test
  func `items are found wherever they stand`() async throws {
    for json in [
      "[{\"id\":1.50}]", "{\"data\":[{\"id\":1.50}],\"next\":null}",
      "{\"items\":[{\"id\":1.50}],\"other\":[1],\"total\":1}",
    ] {
      #expect(try await Self.page(json).items.map(\.id.json) == ["1.50"])
    }
  }

  @Test
  func `a section can be the day of a time in seconds, milliseconds or text`() throws {
    let place = try PointerArgument.section("/t:day")
    func day(_ time: String) throws -> String {
      place.name(of: try JSONReader.value(of: "{\"t\":\(time)}".utf8))
    }
    for time in ["1722441352", "1722441352325", "1722441352.5", "\"2024-07-31T15:55:52Z\""] {
      #expect(try day(time) == "2024-07-31", "\(time)")
    }
    for time in [
      "1e300", "-1e300", "1e400", "9223372036854775807", "-9223372036854775808", "1e30", "null",
    ] {
      #expect(try day(time) == "", "\(time)")
    }
  }
}
