import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

@Suite(.timeLimit(.minutes(5)))
struct LinkSecretsTests {
  func secrets(_ url: String) throws -> LinkSecrets {
    LinkSecrets(of: try #require(URL(string: url)))
  }

  @Test(arguments: [
    ("https://a.example/?token=s3cret&q=1", "https://a.example/?q=1&token=s3cret&page=2"),
    ("https://a.example/?api_key=a%2Bb", "https://a.example/x?api_key=a%2Bb#f"),
    ("https://a.example/?key=a+b", "https://a.example/?key=a%20b&c=a%2Fb"),
  ])
  func `N5: a secret of the list's own URL is not in a key, and comes back when that is used`(
    url: String, link: String
  ) throws {
    let secrets = try secrets(url)
    let key = secrets.marked(link)
    #expect(!key.contains("s3cret") && key.contains("***"))
    let raw = try #require(
      URLComponents(string: url)?.percentEncodedQuery?.split(separator: "&").first)
    #expect(secrets.restored(key).contains(raw) && !secrets.restored(key).contains("***"))
    #expect(secrets.marked(secrets.restored(key)) == key)
  }

  @Test(arguments: [
    "https://a.example/?page_token=s3cret", "https://a.example/?q=s3cret&token=s3cret",
    "https://a.example/s/s3cret/x", "https://a.example/?c=2&t%6Fken=s3cret#s3cret",
    "https://a.example/?c=czNjcmV0", "https://a.example/?u=%2Fx%3Ftoken%3Ds3cret",
  ])
  func `N5: under another name or in a path, a secret is known by its value`(link: String) throws {
    let secrets = try secrets("https://a.example/?token=s3cret")
    let key = secrets.marked(link)
    #expect(!key.contains("s3cret") && !key.contains("czNj"))
    #expect(secrets.restored(key) == link && secrets.marked(key) == key)
    // Another secret takes its place.
    let other = try self.secrets("https://a.example/?token=0therS3cret")
    #expect(other.marked(other.restored(key)) == key)
  }

  @Test
  func `N5: a cursor that holds a credential is stored without it, and sent with the newest`()
    async throws
  {
    let transport = FunctionTransport { request in
      let token = request.headers["Authorization"]?.dropFirst(7) ?? ""
      return .text(200, [:], #"{"items":[{"id":1}],"next":"c-\#(token)-2"}"#)
    }
    func source(_ token: String) throws -> HTTPFeedSource<Commit> {
      try HTTPFeedSource<Commit>(
        try #require(URL(string: "https://a.example/items")),
        paging: .cursor(at: "/next", parameter: "c"), credentials: .bearer(token),
        configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport))
    }
    let key = try await source("t0k3n-one").page(PageRequest()).next
    #expect(key == .cursor("c-***h.authorization.2.w***-2"))
    _ = try await source("t0k3n-two").page(PageRequest(key: key))
    #expect(transport.requests.last?.url.query == "c=c-t0k3n-two-2")
    let none = HTTPFeedSource<Commit>(
      "https://a.example/items", paging: .cursor(at: "/next", parameter: "c"),
      configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport))
    await #expect(throws: FeedError.staleKey("c-***h.authorization.2.w***-2")) {
      try await none.page(PageRequest(key: key))
    }
    let link = HTTPFeedSource<Commit>(
      "https://a.example/items", paging: .linkHeader,
      configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport))
    for text in ["https://a.example/***q.key.w***/2", "https://a.example/?a=***h.x.0.w***"] {
      await #expect(throws: FeedError.staleKey(text)) {
        try await link.page(PageRequest(key: .url(text)))
      }
    }
  }

  @Test(arguments: [
    "https://a.example/?token=other", "https://a.example/",
    "https://a.example/?q=s3crets", "not a url", "", "?&&=", "https://a.example/?token",
  ])
  func `what the server put into a link stays as it is`(link: String) throws {
    let secrets = try secrets("https://a.example/?token=s3cret")
    #expect(secrets.marked(link) == link && secrets.restored(link) == link)
  }

  @Test
  func `N1: a mark in a link to another origin is not replaced by the secret`() throws {
    let secrets = try secrets("https://a.example/?token=s3cret")
    for link in ["https://evil.example/?token=***", "http://a.example/?token=***", "//a?token=***"]
    {
      #expect(secrets.restored(link) == link)
    }
  }

  @Test
  func `N5: keys stay the same when the secret changes, and requests carry the new one`()
    async throws
  {
    let transport = FunctionTransport { request in
      let token = request.url.query?.split(separator: "&").first { $0.hasPrefix("token=") } ?? ""
      return .text(
        200, ["Link": "</items?\(token)&cursor=c2>; rel=next"], #"[{"id":1}]"#)
    }
    func source(_ token: String) throws -> HTTPFeedSource<Commit> {
      try HTTPFeedSource<Commit>(
        try #require(URL(string: "https://a.example/items?token=\(token)")),
        configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport))
    }
    let old = try await source("s3cret1").page(PageRequest()).next
    let new = try await source("s3cret2").page(PageRequest()).next
    #expect(old == new && old == .url("https://a.example/items?token=***&cursor=c2"))
    _ = try await source("s3cret2").page(PageRequest(key: old))
    #expect(
      transport.requests.last?.url.absoluteString
        == "https://a.example/items?token=s3cret2&cursor=c2")
  }
}
