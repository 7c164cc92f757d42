import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

@Suite
struct SHA256Tests {
  /// The examples of FIPS 180-4, and lengths around the end of a block.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 63),
      "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"
    ),
    (
      String(repeating: "a", count: 64),
      "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
    ),
    (
      String(repeating: "a", count: 1000),
      "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
    ),
  ])
  func `the digest is the standard's`(text: String, digest: String) {
    let found = SHA256.hash(Array(text.utf8)).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    #expect(found.joined() == digest)
  }
}

/// Rule N3: whom an answer is for.
@Suite
struct RequestIdentityTests {
  static let token = "0123456789abcdefghij"

  func identity(
    _ fields: HTTPHeaders = [:], account: String? = nil, headers: HTTPHeaders = [:],
    url: String = "https://a.example/", reading: String = "x"
  ) throws -> RequestIdentity {
    let own = LinkSecrets(of: try #require(URL(string: url)), headers: headers)
    return RequestIdentity(
      url: own.marked(url), reading: reading, headers: headers,
      asker: RequestIdentity.Asker(fields, account: account, own: own))
  }

  @Test
  func `N3: no two requests that differ have the same digest`() throws {
    let all = [
      try identity(), try identity(reading: "y"), try identity(url: "https://a.example/b"),
      try identity(headers: ["Accept-Language": "de"]), try identity(headers: ["X": "de"]),
      try identity(["X-Tenant": "a"]), try identity(["X-Tenant": "b"]), try identity(["X": ""]),
      try identity(.bearer("u1")), try identity(.bearer("u2")), try identity(account: "u1"),
      try identity(.basic(user: "a", password: "b")), try identity(["Cookie": "sid=1"]),
      try identity(.basic(user: "a", password: "c")), try identity(account: "u2"),
      try identity(url: "https://a.example/?key=1"), try identity(url: "https://a.example/?key=2"),
      try identity(url: "https://a.example/?api_key=abcdef"),
      try identity(url: "https://a.example/?api_key=abcdeg"),
    ]
    #expect(Set(all.map { $0.digest(salt: "s") }).count == all.count)
    for identity in all { #expect(identity.digest(salt: "s") != identity.digest(salt: "t")) }
  }

  @Test
  func `N3: an account with a name stays the same whatever is sent`() throws {
    let old = try identity(.bearer("t0"), account: "ada")
    let new = try identity(.bearer(Self.token), account: "ada")
    #expect(old.digest(salt: "s", key: [1]) == new.digest(salt: "s", key: [2]))
  }

  @Test
  func `N3, N5: what could be guessed from a digest does not outlive the process`() throws {
    func outlives(_ identity: RequestIdentity) -> Bool {
      identity.digest(salt: "s", key: [1]) == identity.digest(salt: "s", key: [2])
    }
    let token = Self.token
    #expect(outlives(try identity()))
    #expect(outlives(try identity(.bearer(token))))
    #expect(outlives(try identity(["X-API-Key": token, "X-Tenant": "7"])))
    #expect(outlives(try identity(url: "https://a.example/?api_key=\(token)")))
    #expect(outlives(try identity(account: "ada")))
    #expect(!outlives(try identity(.bearer("hunter2"))))
    #expect(!outlives(try identity(.basic(user: "ada", password: token + token))))
    #expect(!outlives(try identity(["X-Tenant": token])))
    #expect(!outlives(try identity(url: "https://a.example/?password=hunter2")))
    #expect(!outlives(try identity(url: "https://a.example/?pin=1&key=2")))
    #expect(!outlives(try identity(headers: ["Authorization": "Bearer hunter2"])))
  }
}

/// Rule N3: two users on one cache, and a server that says "unchanged" to everybody.
@Suite(.timeLimit(.minutes(5)))
struct AskerTests {
  static let server = HTTPValidatorTests.Server { request in
    if request.headers["If-None-Match"] != nil { return .init(status: 304, body: "") }
    let id = (request.headers["Authorization"] ?? "").utf8.count
    return .init(
      headers: ["ETag": #""same""#, "Vary": "Accept-Language, X-Tenant"],
      body: #"[{"id":\#(id)}]"#)
  }

  func source(
    _ server: HTTPValidatorTests.Server, _ credentials: HTTPCredentials,
    headers: HTTPHeaders = [:], url: String = HTTPValidatorTests.base
  ) throws -> HTTPFeedSource<Commit> {
    try HTTPFeedSource(
      try #require(URL(string: url)), paging: .linkHeader, credentials: credentials,
      configuration: HTTPConfiguration(
        headers: headers, foreignLinks: .withoutCredentials, rateLimiter: RateLimiter(),
        transport: server))
  }

  @Test
  func `N3: a validator goes back with the same credentials and header fields only`() async throws {
    let server = Self.server
    let one = try source(server, .bearer("secret-of-one"))
    let validator = try #require(try await one.page(PageRequest()).validator)
    let again = PageRequest<HTTPPageKey>(validator: validator)
    #expect(try await one.page(again).isUnchanged)
    for other in [
      try source(server, .bearer("secret-of-two")), try source(server, .none),
      try source(server, .basic(user: "secret-of-one", password: "p")),
      try source(server, ["Authorization": "Bearer secret-of-one", "X-Tenant": "b"]),
      try source(server, .bearer("secret-of-one"), headers: ["Accept-Language": "de"]),
      try source(server, .bearer("secret-of-one").account("ada")),
    ] {
      let page = try await other.page(again)
      #expect(!page.isUnchanged && page.items.count == 1)
      #expect(HTTPValidatorTests.condition(server.requests.last) == nil)
    }
    #expect(!validator.contains("secret-of-one"))
  }

  @Test
  func `N3: a token that was refreshed has no use of the old one's validator; its account has`()
    async throws
  {
    let account = Account()
    let valid = Locked(0)
    let server = HTTPValidatorTests.Server { request in
      guard request.headers["Authorization"] == "Bearer t\(valid.withLock { $0 })" else {
        return .init(status: 401, body: "")
      }
      if request.headers["If-None-Match"] != nil { return .init(status: 304, body: "") }
      return .init(headers: ["ETag": #""same""#], body: #"[{"id":1}]"#)
    }
    for (credentials, isUnchanged) in [
      (account.credentials, false), (account.credentials.account("ada"), true),
    ] {
      let source = try source(server, credentials)
      let validator = try #require(try await source.page(PageRequest()).validator)
      valid.withLock { $0 += 1 }
      let page = try await source.page(PageRequest(validator: validator))
      #expect(page.isUnchanged == isUnchanged)
    }
  }

  @Test
  func `N3: a 304 to a request that had no condition is an error`() async throws {
    let server = HTTPValidatorTests.Server { request in
      request.headers["Authorization"] == "Bearer u1"
        ? .init(headers: ["ETag": #""a""#], body: "[]") : .init(status: 304, body: "")
    }
    let validator = try await source(server, .bearer("u1")).page(PageRequest()).validator
    let other = try source(server, .bearer("u2"))
    await #expect {
      try await other.page(PageRequest(validator: validator))
    } throws: { error in
      if case .status(304, _, _, _)? = error as? HTTPError { return true }
      return false
    }
  }

  @Test(arguments: ["s3cret-token", "czNjcmV0LXRva2Vu"])
  func `N5: a validator that holds a secret is none`(tag: String) async throws {
    let server = HTTPValidatorTests.Server { _ in
      .init(headers: ["ETag": "\"v-\(tag)\""], body: "[]")
    }
    #expect(
      try await source(server, .bearer("s3cret-token")).page(PageRequest()).validator == nil)
  }
}
