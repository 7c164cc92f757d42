import Testing

@testable import FreshetHTTP

@Suite
struct OriginLimitsTests {
  func asked(_ seconds: Double, _ scope: RetryAfter.Scope = .origin) -> RetryAfter {
    RetryAfter(seconds: seconds, scope: scope)
  }

  @Test
  func `the longest rest counts, and paths rest for themselves`() {
    var limits = OriginLimits()
    #expect(limits.rest(of: "/a", by: .anybody, at: .zero) == nil)
    limits.note(asked(10), of: "/a", by: .anybody, status: 503, message: "m", at: .zero)
    limits.note(asked(2), of: "/a", by: .anybody, status: 429, message: nil, at: .seconds(1))
    #expect(limits.rest(of: "/b", by: .anybody, at: .seconds(4))?.seconds == 6)
    #expect(limits.rest(of: "/b", by: .anybody, at: .seconds(4))?.rest.status == 503)
    #expect(limits.rest(of: "/b", by: .anybody, at: .seconds(10)) == nil)
    limits.note(
      asked(30, .path), of: "/a", by: .anybody, status: 429, message: nil, at: .seconds(10))
    #expect(limits.rest(of: "/a", by: .anybody, at: .seconds(10))?.seconds == 30)
    #expect(limits.rest(of: "/b", by: .anybody, at: .seconds(10)) == nil)
  }

  @Test
  func `N1, R4: a refusal of one account delays no other, and its message is shown to no other`() {
    var limits = OriginLimits()
    let (a, b) = (RateLimitKey.account("a"), RateLimitKey.account("b"))
    limits.note(
      asked(50), of: "/", by: a, status: 429, message: "limit exceeded for a", at: .zero)
    #expect(limits.rest(of: "/", by: a, at: .zero)?.rest.message == "limit exceeded for a")
    #expect(limits.rest(of: "/", by: b, at: .zero) == nil)
    #expect(limits.rest(of: "/", by: .anybody, at: .zero) == nil)
    limits.note(asked(90), of: "/", by: a, status: 503, message: "not for a", at: .zero)
    #expect(limits.rest(of: "/x", by: b, at: .zero)?.seconds == 90)
    #expect(limits.rest(of: "/x", by: b, at: .zero)?.rest.message == nil)
    #expect(limits.rest(of: "/x", by: a, at: .zero)?.rest.message == "not for a")
  }

  @Test
  func `however many paths ask for rest, few are remembered`() {
    var limits = OriginLimits()
    for number in 0..<10_000 {
      limits.note(
        asked(Double(number), .path), of: "/\(number)", by: .anybody, status: 429, message: nil,
        at: .zero)
    }
    let remembered = (0..<10_000).filter {
      limits.rest(of: "/\($0)", by: .anybody, at: .zero) != nil
    }
    #expect(remembered.count == OriginLimits.restLimit && remembered.last == 9_999)
  }
}
