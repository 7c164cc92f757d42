import ArgumentParser
import Foundation
import FreshetHTTP
import Testing

@testable import FreshetTool

/// Who asks: header fields, users, secrets.
@Suite
struct AskingTests {
  static let url = URL(string: "https://api.example/list?page_size=50") ?? URL(fileURLWithPath: "/")

  static func headers(_ fields: [String], environment: [String: String] = [:]) throws
    -> RequestHeaders
  {
    var options = try AccessOptions.parse([])
    options.fields = fields
    return try options.headers(environment)
  }

  @Test(arguments: [
    "Authorization", "Cookie", "X-Api-Key", "x-apikey", "X-Auth-Token", "PRIVATE-TOKEN",
    "Ocp-Apim-Subscription-Key", "access_token", "apiKey", "key", "client_secret", "sig",
    "X-Amz-Signature", "session", "Proxy-Authorization", "sessionId", "otp", "passcode",
  ])
  func `N5: fields whose names speak of a secret are secrets`(name: String) throws {
    let headers = try Self.headers(["\(name): x"])
    #expect(headers.hasSecrets && headers.cacheNames.isEmpty)
  }

  @Test(arguments: [
    "Accept", "User-Agent", "X-Tenant", "sort_key", "keyword", "page", "author", "monkey", "limit",
    "X-Requested-With",
  ])
  func `fields whose names do not are part of the list`(name: String) throws {
    let headers = try Self.headers(["\(name): text/x"])
    #expect(!headers.hasSecrets && headers.cacheNames.count == 1)
  }

  @Test
  func `a file without fields is said to be empty, and not taken for nobody`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
    try Data("\n \n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(throws: ValidationError.self) { try Self.headers(["@\(file.path)"]) }
  }

  @Test
  func `N1: all but a few fields are for the list's own origin only`() throws {
    let headers = try Self.headers([
      "Accept: text/x", "User-Agent: me", "X-Tenant: 7", "Authorization: Bearer a:b",
    ])
    #expect(headers.common.fields.map(\.name) == ["Accept", "User-Agent"])
    #expect(headers.own["Authorization"] == "Bearer a:b")
    #expect(headers.own["x-tenant"] == "7")
    #expect(headers.hasSecrets)
    #expect(!(try Self.headers(["Accept: text/x", "X-Tenant: 7"]).hasSecrets))
  }

  @Test
  func `secrets come from files and the environment`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("Cookie: a=b\n\nX-Tenant: 7\r\n".utf8).write(to: file)
    let headers = try Self.headers(
      ["@\(file.path)"], environment: ["FRESHET_HEADER_X_Y": "z", "HOME": "/"])
    #expect(headers.own["Cookie"] == "a=b" && headers.own["X-Tenant"] == "7")
    #expect(headers.own["X-Y"] == "z" && headers.hasSecrets)
    #expect(headers.own.fields.count == 3)

    try Data("ada:pass:word\n".utf8).write(to: file)
    func user(_ text: String, _ environment: [String: String] = [:]) throws -> UserArgument {
      try UserArgument(text, environment: environment) { $0 == "asked" ? "typed" : nil }
    }
    #expect(try user("@\(file.path)").password == "pass:word")
    #expect(try user("ada:x").password == "x")
    #expect(try user("ada", ["FRESHET_PASSWORD": "p"]).password == "p")
    #expect(try user("asked").password == "typed")
    #expect(throws: ValidationError.self) { try user("nobody") }
    #expect(throws: ValidationError.self) { try user(":x") }
    #expect(throws: ValidationError.self) { try user("@/nowhere/at/all") }
  }

  @Test
  func `N5: what is wrong with a secret is said without it`() throws {
    for field in [
      "Authorization hunter2", "A b: hunter2", ": hunter2", "X: hunter2\r\nY: z", "X: \u{0}hunter2",
    ] {
      let error = #expect(throws: ValidationError.self) { try Self.headers([field]) }
      #expect(error?.message.contains("hunter2") == false)
    }
  }

  @Test(arguments: [
    ["--header", "X-A: 1", "--header", "x-a: 2"],
    ["--header", "Authorization: Bearer x", "--user", "ada:x"],
    ["--header", "Accept: text/x", "--accept", "text/y"], ["--header", "Host: other.example"],
    ["--header", "content-length: 7"], ["--header", "Transfer-Encoding: chunked"],
    ["--accept", "x y"], ["--accept", "json"], ["--accept", "text/x,"],
    ["--header", "Accept: x y"],
  ])
  func `fields that are said twice, or are none to say, are usage errors`(arguments: [String])
    throws
  {
    #expect(throws: ValidationError.self) { try AccessOptions.parse(arguments).headers([:]) }
  }

  @Test(arguments: [
    "application/json", "*/*", "application/geo+json;q=0.8, text/*; q=0.1",
    #"application/vnd.api+json;ext="https://x y/""#,
  ])
  func `media types are sent as they are said`(type: String) throws {
    let headers = try AccessOptions.parse(["--accept", type])
      .headers(["FRESHET_HEADER_ACCEPT": "text/x"])
    #expect(headers.common["Accept"] == type && headers.own["Accept"] == nil)
  }

  @Test
  func `Basic authentication is RFC 7617's`() throws {
    var headers = RequestHeaders()
    try headers.add(user: "Aladdin", password: "open sesame")
    #expect(headers.own["Authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    #expect(headers.hasSecrets)
  }

  @Test
  func `N5: only credentials switch the cache off, and no name of a cache holds one`() throws {
    let list = try ListOptions.parse([])
    let cache = try CacheOptions.parse([])
    func name(_ fields: [String], _ url: URL = Self.url) throws -> String? {
      cache.cacheName(url, list, try Self.headers(fields))
    }
    let plain = try #require(try name([]))
    let german = try #require(try name(["Accept-Language: de"]))
    let tenant = try #require(try name(["X-Tenant: 7"]))
    #expect(Set([plain, german, tenant]).count == 3)
    #expect(try name(["Authorization: Bearer x"]) == nil)
    #expect(try name(["X-Api-Key: x"]) == nil)
    let secret = try #require(URL(string: "https://api.example/list?api_key=hunter2"))
    #expect(try name([], secret) == nil)
    // What a log masks is in no name either.
    for query in ["otp=hunter2", "code=hunter2", "next=https%3A%2F%2Fx%2F%3Fsig%3Dhunter2"] {
      let url = try #require(URL(string: "https://api.example/list?\(query)"))
      #expect(try name([], url) == nil, "\(query)")
    }
    #expect(try name(["X-From: https://x/?token=hunter2"]) == nil)
    let named = try CacheOptions.parse(["--cache", "mine"])
    #expect(named.cacheName(secret, list, try Self.headers(["Cookie: x"])) == "mine")
    #expect(try CacheOptions.parse(["--no-cache"]).cacheName(Self.url, list, .init()) == nil)
  }

  @Test
  func `another way to read a URL is another cache`() throws {
    let cache = try CacheOptions.parse([])
    let ways = [
      [], ["--id", "/sha"], ["--items", "/id"], ["--title", "/id"], ["--section", "/id"],
      ["--paging", "page"],
    ]
    let names = try ways.map { cache.cacheName(Self.url, try ListOptions.parse($0), .init()) }
    #expect(Set(names).count == ways.count)
    // What is not said has no place in a name that people read.
    #expect(names[0] == Self.url.absoluteString)
  }

  @Test(arguments: ["day", "a/b", "~"])
  func `a pointer without a slash says to begin with one`(text: String) {
    let error = #expect(throws: ValidationError.self) { try PointerArgument.pointer(text) }
    #expect(error?.message == "A JSON pointer begins with /: try /\(text).")
    #expect(throws: ValidationError.self) { try PointerArgument.section(text) }
  }
}
