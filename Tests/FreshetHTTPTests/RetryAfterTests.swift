import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

@Suite
struct RetryAfterTests {
  /// 1994-11-06 08:49:37 UTC.
  static let then = 784_111_777.0

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "sun, 06 nov 1994 08:49:37 gmt",
  ])
  func `all three forms of a date are read (RFC 9110, section 5.6.7)`(text: String) {
    #expect(HTTPDate(text, now: Self.then)?.seconds == Self.then)
  }

  @Test(arguments: [
    "", "soon", "06 Nov 1994", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 06 Now 1994 08:49:37 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:٤٩:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT", "- - - - - -",
  ])
  func `what is no date is none`(text: String) {
    #expect(HTTPDate(text, now: Self.then) == nil)
  }

  @Test
  func `leap days and two-digit years count as the calendar does`() {
    #expect(HTTPDate("Thu, 29 Feb 2024 00:00:00 GMT", now: 0)?.seconds == 1_709_164_800)
    #expect(HTTPDate("Thu, 01 Jan 1970 00:00:00 GMT", now: 0)?.seconds == 0)
    let year2026 = 1_790_000_000.0
    #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: year2026)?.seconds == Self.then)
    #expect(
      HTTPDate("Friday, 06-Nov-30 08:49:37 GMT", now: year2026).map { $0.seconds > year2026 }
        == true)
  }

  static let today = 1_790_000_000.0

  func seconds(_ status: Int, _ headers: HTTPHeaders, now: Double = then) -> Double? {
    RetryAfter(HTTPResponse(status: status, headers: headers), now: now)?.seconds
  }

  @Test
  func `Retry-After is seconds or a date, counted by the server's own clock`() {
    #expect(seconds(503, ["Retry-After": "7"]) == 7)
    #expect(seconds(429, ["Retry-After": " 7.5 "]) == 7.5)
    #expect(seconds(503, ["Retry-After": "0"]) == 0)
    #expect(seconds(503, ["Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT"]) == 30)
    let skewed: HTTPHeaders = [
      "Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT", "Date": "Sun, 06 Nov 1994 08:50:00 GMT",
    ]
    for now in [Self.then, 0, 4e9] { #expect(seconds(503, skewed, now: now) == 7) }
    #expect(seconds(503, ["Retry-After": "Sun, 06 Nov 1994 08:00:00 GMT"]) == 0)
    var several: HTTPHeaders = ["Retry-After": "3"]
    several.append("Retry-After", "60")
    #expect(seconds(429, several) == 60)
  }

  @Test(arguments: [
    ("Retry-After", "3s", 3.0), ("Retry-After", "2.5", 2.5), ("Retry-After", "2 minutes", 120),
    ("Retry-After", "500ms", 0.5), ("Retry-After", " 3; reason=x", 3),
    ("Retry-After", "2026-09-21T14:13:27Z", 7),
    ("Retry-After", "2026-09-21T16:13:27.5+02:00", 7.5),
    ("Retry-After", "2026-09-21 08:43:27-0530", 7),
    ("Retry-After-Ms", "2500", 2.5), ("X-Ms-Retry-After-Ms", "40", 0.04),
    ("X-RateLimit-Reset-After", "3.25", 3.25), ("X-RateLimit-Reset-After", "3s", 3),
    ("X-RateLimit-Reset", "1790000007", 7), ("X-RateLimit-Reset", "1790000007000", 7),
    ("X-RateLimit-Reset", "2026-09-21T14:13:27Z", 7),
    ("X-RateLimit-Reset", "Mon, 21 Sep 2026 14:13:27 GMT", 7), ("X-RateLimit-Reset", "6m", 360),
    ("RateLimit", #""a;r=5, t=1";r=0;t=30"#, 30),
    ("RateLimit", "limit=5, remaining=0, reset=1790000030", 30),
  ])
  func `R4: a refusal says until when in many ways`(name: String, text: String, rest: Double) {
    let found = seconds(429, [name: text], now: Self.today)
    #expect(found.map { abs($0 - rest) < 0.001 } == true, "\(found as Any)")
    if name.hasPrefix("X-RateLimit") {
      #expect(seconds(200, [name: text], now: Self.today) == nil)
      #expect(
        seconds(200, [name: text, "X-RateLimit-Remaining": "0"], now: Self.today) == found)
    }
  }

  @Test(arguments: [1, 2, 3])
  func `seeded: whatever a server says, the rest is between nothing and a day`(seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let names = [
      "Retry-After", "Retry-After-Ms", "RateLimit", "X-RateLimit-Reset", "X-RateLimit-Reset-After",
      "X-RateLimit-Remaining", "Date",
    ]
    let parts = [
      "9", "0", "99999999999999999999", ".", "-", "e9", "inf", "nan", "s", "ms", " ", ",", ";", "=",
      "r", "t", "remaining=", "reset=", "\"", "Z", "T", ":", "2026-09-21", "14:13:27", "+99:99",
      "é",
      "1790000000", "Sun, 06 Nov 1994 08:49:37 GMT", String(repeating: "9", count: 500),
    ]
    for _ in 0..<3_000 {
      var headers: HTTPHeaders = [:]
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let text = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
          parts.randomElement(using: &generator) ?? ""
        }
        headers.append(names.randomElement(using: &generator) ?? "", text.joined())
      }
      guard let rest = seconds(429, headers, now: Self.today) else { continue }
      #expect(0...RetryAfter.longest ~= rest, "seed \(seed): \(headers)")
    }
  }

  @Test(arguments: [
    "", "soon", "inf", "nan", "-7", "1e300", "0x10", "+5", "3 apples", "s", "2026-13-01T00:00:00Z",
    "2026-01-01T00:00:00", "2026-01-01T00:00:00+9", "9999-99-99T99:99:99Z",
  ])
  func `a Retry-After that is none is passed over`(text: String) {
    #expect(seconds(503, ["Retry-After": text]) == nil)
  }

  @Test
  func `nobody waits longer than a day`() {
    #expect(seconds(503, ["Retry-After": String(repeating: "9", count: 300)]) == 86_400)
    #expect(seconds(429, ["RateLimit": "\"a\";r=0;t=99999999"]) == 86_400)
  }

  @Test(arguments: [
    ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"],
    ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1790000030"],
    ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1790000030000"],
    ["X-Rate-Limit-Remaining": "0", "X-Rate-Limit-Reset": "30"],
    ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30", "X-RateLimit-Limit": "60"],
    ["RateLimit": "limit=6, remaining=0, reset=30"], ["RateLimit": "\"default\";r=0;t=30"],
    ["RateLimit": "\"hour\";r=9;t=900, \"minute\";r=0;t=30"],
    ["X-RateLimit-Remaining": "5, 0", "X-RateLimit-Reset": "900, 30"],
  ])
  func `a limit that is used up says until when, as a span or a moment`(fields: [String: String]) {
    #expect(seconds(429, HTTPHeaders(fields), now: Self.today) == 30)
    #expect(seconds(200, HTTPHeaders(fields), now: Self.today) == 30)
    // What is not found says nothing about limits.
    #expect(seconds(404, HTTPHeaders(fields)) == nil)
  }

  @Test(arguments: [
    ["RateLimit-Remaining": "1", "RateLimit-Reset": "30"], ["RateLimit-Remaining": "0"],
    ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1789999000"],
    ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30", "X-RateLimit-Limit": "0"],
    ["RateLimit": "\"a\";r=1;t=30"], ["RateLimit": "\"a\";r=0"], ["RateLimit": ";;,,==\"\""],
    ["RateLimit-Remaining": "-1", "RateLimit-Reset": "30"], ["Retry-After": "9"],
  ])
  func `a limit with requests left, or without a time, asks for nothing`(fields: [String: String]) {
    #expect(seconds(200, HTTPHeaders(fields), now: Self.today) == nil)
  }
}
