import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

@Suite
struct DecodingDiagnosticsTests {
  struct Row: ListItem, Decodable {
    var id: Int
    var level: UInt8?
    var weight: Double?
    var name: String?
  }

  func diagnosis(
    _ body: Data, _ headers: HTTPHeaders = [:], items: JSONPointer? = nil
  ) async throws -> (path: String, expected: String, found: String)? {
    let transport = FunctionTransport { _ in
      HTTPResponse(status: 200, headers: headers, body: body)
    }
    let source = try HTTPFeedSource<Row>(
      try #require(URL(string: "https://a.example/?token=s3cret")), items: items,
      configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport))
    do {
      _ = try await source.page(PageRequest())
    } catch FeedError.decoding(let path, let expected, let found, let url) {
      #expect(url?.absoluteString == "https://a.example/?token=***")
      return (path, expected, found)
    }
    return nil
  }

  @Test(arguments: [
    ("", "an empty body"), (" \n", "an empty body"),
    ("<!DOCTYPE html><title>Sign in</title>", "an HTML page, perhaps a login page"),
    ("\n <html>", "an HTML page, perhaps a login page"),
    ("<?xml version='1.0'?><a/>", "XML, perhaps a feed (RSS or Atom)"),
    ("data: {\"id\":1}\n\n", "an event stream, which is no page of a list"),
    ("{\"id\":1}\n{\"id\":2}\n", "a JSON value on each line (NDJSON), which is no array"),
    (#"[{"id":1},{"id":"#, "JSON that is cut off after 16 bytes"),
    (#"[{"id":1,"name":"ab"#, "JSON that is cut off after 19 bytes"),
    ("[{\"id\":1}]\n  x", "something else in line 2, column 3: x"),
    ("[{'id':1}]", "something else in line 1, column 3: '"),
    ("[NaN]", "something else in line 1, column 2: N"),
    ("[\u{1B}]", "something else in line 1, column 2: \\u{1B}"),
  ])
  func `N2: a body that is no JSON is said to be what it is`(body: String, found: String)
    async throws
  {
    let diagnosis = try #require(try await diagnosis(Data(body.utf8)))
    #expect(diagnosis.path == "" && diagnosis.expected == "JSON" && diagnosis.found == found)
  }

  @Test(arguments: [
    (#"{"data":{"tickets":[{"id":1}],"page":1},"ok":true}"#, "an array at /data/tickets"),
    (#"{"a":[1],"e":[4],"b":{"c":[2],"d":[3]}}"#, "arrays at /a, /b/c, /b/d, /e"),
    (#"{"_embedded":{"x":[1],"y":[2]}}"#, "arrays at /_embedded/x, /_embedded/y"),
    (
      #"{"errors":[{"message":"Cannot query field \"x\""}],"data":null}"#,
      #"an object that says: Cannot query field "x""#
    ),
    (#"{"ok":true}"#, "an object without an array"),
  ])
  func `N2: where the items are not found, what there is is named`(body: String, found: String)
    async throws
  {
    #expect(try await diagnosis(Data(body.utf8))?.found == found)
  }

  @Test
  func `N2: where nothing stands at the place of the items, what there is is named`() async throws {
    for (body, found) in [
      (#"{"items":[{"id":1}],"next":null}"#, "nothing there, and an array at /items"),
      (#"[{"id":1}]"#, "nothing there, and an array"),
    ] {
      let diagnosis = try #require(try await diagnosis(Data(body.utf8), items: "/rows"))
      #expect(diagnosis.path == "/rows" && diagnosis.found == found)
    }
  }

  @Test
  func `N2: compressed bytes and other encodings are named`() async throws {
    let zipped = try #require(try await diagnosis(Data([0x1F, 0x8B, 0x08, 0])))
    #expect(zipped.found == "compressed bytes (gzip)")
    let latin = Data(#"[{"id":1,"name":""#.utf8) + [0xE4] + Data(#""}]"#.utf8)
    let unnamed = try #require(try await diagnosis(latin))
    #expect(unnamed.found == "bytes that are not valid UTF-8" && unnamed.path == "/0/name")
    let named = try await diagnosis(latin, ["Content-Type": "application/json; charset=ISO-8859-1"])
    #expect(named?.found == "text in iso-8859-1, which is no encoding of JSON")
    let csv = try await diagnosis(Data("id,name".utf8), ["Content-Type": "text/csv"])
    #expect(csv?.found == "text/csv")
  }

  @Test(arguments: [
    (#"[{"id":1},{"id":2,"name":"\ud83d"}]"#, "/1/name"), (#"["\uDE00"]"#, "/0"),
    (#"{"items":[],"a":{"\ud83d\u0041":1}}"#, "/a"), (#"["\ud83d\\ude00"]"#, "/0"),
    (#"["\ud83d\ud83d\ude00"]"#, "/0"),
  ])
  func `N2: a lone surrogate is not valid text, and its place is named`(
    body: String, path: String
  ) async throws {
    let diagnosis = try #require(try await diagnosis(Data(body.utf8)))
    #expect(diagnosis.path == path && diagnosis.found == "a lone surrogate")
  }

  @Test(arguments: [
    #""\ud83d\ude00""#, #""\uD83D\uDE00\n\\ud83d""#, #""\u00e9\ue000\\\\""#, #""ä😀""#, "",
  ])
  func `whole pairs, other escapes and escaped backslashes are text`(text: String) {
    #expect(!SurrogateEscapes.haveLoneSurrogate(Array(text.utf8)[...]))
  }

  @Test(arguments: ["1", "[]", "{}", "\",[{:\\\"\\\\\"", "\"∀\""])
  func `N2: a body may hold as many values as memory is meant for, and no more`(value: String)
    throws
  {
    func body(_ count: Int) -> Data {
      Data("[\(Array(repeating: value, count: count).joined(separator: ","))]".utf8)
    }
    // The array is a value, too, and each of the empty ones counts twice.
    let most = value == "[]" || value == "{}" ? 49_999 : 99_999
    try BodyCheck.check(body(most), limit: 1_200_000)
    #expect(throws: FeedError.self) { try BodyCheck.check(body(most + 1), limit: 1_200_000) }
  }

  @Test
  func `N2: other encodings than UTF-8 are named`() async throws {
    let text = "[{\"id\":1,\"name\":\"∀\"}]"
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf32, .utf32BigEndian] {
      let body = try #require(text.data(using: encoding))
      #expect(try await diagnosis(body)?.found.hasPrefix("text in UTF-16 or UTF-32") == true)
    }
  }

  @Test(arguments: [
    (#"{"items":[{"id":1},{"id":2,"weight":1e400}]}"#, "/items/1/weight", "1e400"),
    (#"[{"id":99999999999999999999}]"#, "/0/id", "99999999999999999999"),
    (#"[{"id":1},{"id":1.5}]"#, "/1/id", "1.5"),
    (#"[{"id":7,"weight":-1e999}]"#, "/0/weight", "-1e999"),
    (#"[{"id":7,"level":300}]"#, "/0/level", "300"),
  ])
  func `N2: a number that its type cannot hold is named, with its place`(
    body: String, path: String, found: String
  ) async throws {
    let diagnosis = try #require(try await diagnosis(Data(body.utf8)))
    #expect(
      diagnosis.path == path && diagnosis.found == found && diagnosis.expected.contains("number"))
  }

  @Test
  func `N2: nesting without end is an error of a scan that ends`() {
    let deep = Data(repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(JSONLocator(deep).problem == "JSON that is nested more than 512 deep")
    for text in [
      "{}", "[]", "[[],{}]", #"{"a":[1,{"b":null}],"c":"\u00e9\\"}"#, "1", "\"\"", "true",
    ] {
      #expect(JSONLocator(Data(text.utf8)).problem == nil, "\(text)")
    }
    for text in [
      "{", "[1,", "[1,]", "{,}", "{\"a\"}", "{\"a\":}", "[1 2]", "]", "tru", "\"\\", "-", "[-]",
    ] {
      #expect(JSONLocator(Data(text.utf8)).problem != nil, "\(text)")
    }
  }

  @Test
  func `N4: numbers deep in a text and many texts cost what they cost at the top`() {
    let numbers = String(repeating: "1.5,", count: 100_000) + "1.5"
    let deep = String(repeating: "[", count: 500) + numbers + String(repeating: "]", count: 500)
    let names = (0..<100_000).map { #""\u0061\#($0)":"b\n""# }.joined(separator: ",")
    let clock = ContinuousClock()
    let time = clock.measure {
      let place = Array(repeating: "0", count: 499) + ["x"]
      let scan = JSONLocator(Data(deep.utf8), under: place)
      #expect(scan.problem == nil && scan.numbers.isEmpty)
      #expect(JSONLocator(Data("{\(names)}".utf8)).problem == nil)
    }
    // It was a minute and more.
    #expect(time < .seconds(20), "\(time)")
    let text = #"{"x":[1.5],"\u0061\n\"\ud83d\ude00":[0,{"b":2.5}]}"#
    let scan = JSONLocator(Data(text.utf8), under: ["a\n\"😀", "1"])
    #expect(scan.numbers == [.init(path: ["a\n\"😀", "1", "b"], text: "2.5")])
  }

  @Test(arguments: [1, 2, 3])
  func `N2: seeded: a scan of damaged JSON ends, and finds what the decoder refuses`(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let whole = Array(#"{"a":[1,-2.5e3,{"b":"x\"\\y","c":[]}],"d":{"e":true,"f":null}}"#.utf8)
    for step in 0..<2_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 32..<127, using: &generator), at: place)
        }
      }
      let data = Data(bytes)
      if JSONLocator(data).problem != nil { continue }
      // A number with a leading zero and the like may pass the scan: it only explains.
      _ = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      #expect(JSONLocator(data).problem == nil, "seed \(seed), step \(step)")
    }
  }
}
