import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

/// Rule N5: what requests carry is known by its value wherever a server repeats it.
@Suite(.timeLimit(.minutes(5)))
struct SentSecretsTests {
  func secrets(_ fields: HTTPHeaders, _ query: String = "") throws -> SentSecrets {
    LinkSecrets(of: try #require(URL(string: "https://a.example/?\(query)")))
      .adding(SentSecret.all(in: fields)).sent
  }

  @Test(arguments: [
    ("no such key ab12cd7", "no such key ***"), ("ab12cd7", "***"), ("xab12cd7", "xab12cd7"),
    ("ab12cd78", "ab12cd78"), ("key=ab12cd7;", "key=***;"), ("k%3Dab12cd7%26", "k%3D***%26"),
    ("ab%312cd7", "***"), ("ab\\u00312cd7", "***"), ("ab%25312cd7", "***"),
    ("cut ab12c…", "cut ***…"), ("cut ab…", "cut ab…"), ("YWIxMmNkNw==", "***=="),
    ("ab12", "ab12"), ("", ""), ("%", "%"), ("\\", "\\"), ("\\u", "\\u"), ("%zz", "%zz"),
  ])
  func `N5: a short secret is hidden where it is a word, however it is written`(
    text: String, hidden: String
  ) throws {
    #expect(try secrets(["X-Api-Key": "ab12cd7"]).hidden(in: text) == hidden)
  }

  @Test
  func `N5: what a header field holds is taken apart`() throws {
    func values(_ name: String, _ value: String) -> Set<String> {
      Set(SentSecret.all(in: [name: value]).map(\.value))
    }
    let basic = Data("ada:love lace".utf8).base64EncodedString()
    #expect(
      values("Authorization", "Basic \(basic)")
        == ["Basic \(basic)", basic, "ada:love lace", "ada", "love lace"])
    #expect(values("Authorization", "Bearer t0ken") == ["Bearer t0ken", "t0ken"])
    #expect(
      values("Cookie", "sid=abc; pin=\"1234\"")
        == ["sid=abc; pin=\"1234\"", "sid=abc", "abc", "pin=\"1234\"", "1234"])
    #expect(values("X-Tenant", "7") == [] && values("X-Flag", "true") == [])
    #expect(values("X-Key", "abc==") == ["abc=="])
  }

  @Test
  func `N5: long and repeated texts take a time in proportion`() throws {
    let secret = String(repeating: "a", count: 4_000) + "b"
    let secrets = try secrets(.bearer(secret))
    let text = String(repeating: "a", count: 200_000)
    #expect(secrets.hidden(in: text) == text)
    #expect(!secrets.hidden(in: text + "b").contains("b"))
  }

  /// A text of a URL without its escapes, however often they were made.
  func meant(_ text: String) -> String {
    (0..<3).reduce(text) { text, _ in text.removingPercentEncoding ?? text }
  }

  /// The ways in which a server may write what it was sent.
  static let writings: [@Sendable (String) -> String] = [
    { $0 },
    { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? $0 },
    { $0.utf8.map { "%" + String(format: "%02x", $0) }.joined() },
    { text in
      let once = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
      return once.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? once
    },
    { Data($0.utf8).base64EncodedString() },
    { $0.utf8.map { String(format: "%02x", Int($0)) }.joined() },
    { "id:" + $0.utf8.map { String(format: "%02X", Int($0)) }.joined() + ";" },
    { Data("1:\($0):2".utf8).base64EncodedString() },
    {
      Data("ab\($0)".utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    },
    { text in
      let data = (try? JSONEncoder().encode([text])) ?? Data()
      return String(String(decoding: data, as: UTF8.self).dropFirst(2).dropLast(2))
    },
    { $0.utf16.map { String(format: "\\u%04X", $0) }.joined() },
  ]

  static func secret(_ length: ClosedRange<Int>, _ generator: inout SeededGenerator) -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-._~+/@:!$*é")
    let text = (0..<Int.random(in: length, using: &generator)).compactMap { _ in
      letters.randomElement(using: &generator)
    }
    return "Z" + String(text) + "9"
  }

  @Test(arguments: [1, 2, 3, 4])
  func `seeded: a secret is hidden in every writing and a link comes back as it was`(seed: Int)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    for step in 0..<150 {
      let secret = Self.secret(6...40, &generator)
      let secrets = try secrets(["X-Key": secret])
      let links = LinkSecrets(of: try #require(URL(string: "https://a.example/")))
        .adding(SentSecret.all(in: ["X-Key": secret]))
      for (index, write) in Self.writings.enumerated() {
        let written = write(secret)
        let hidden = secrets.hidden(in: "a=\(written)&b")
        #expect(
          hidden != "a=\(written)&b" && !hidden.contains(written.prefix(written.count * 4 / 5)),
          "seed \(seed) step \(step): \(secret) as \(written) (\(index))")
        let key = links.markedText("a=\(written)&b")
        let back = links.filled(key)
        #expect(!key.contains(written))
        // In a URL it means the same, however often that is read.
        #expect(
          back == "a=\(written)&b" || meant(back) == "a=\(secret)&b",
          "seed \(seed) step \(step): \(key) to \(back)")
      }
    }
  }
}

/// Rules N1 and N5 at the whole edge: nothing that was sent as a secret comes out of a source.
@Suite(.timeLimit(.minutes(5)))
struct RepeatedSecretsTests {
  /// A server that repeats what it was sent at random places.
  struct Parrot {
    var status: Int
    var headers: HTTPHeaders
    var body: String

    init(_ repeated: String, _ generator: inout SeededGenerator) {
      let links = [
        "/items/\(repeated)/2", "/items?page=2&k=\(repeated)", "?api_key=\(repeated)&c=2",
        "https://other.example/x?q=\(repeated)", "https://\(repeated).example/",
        "//u:\(repeated)@a.example/", "/items#\(repeated)",
      ]
      func json(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
      }
      let link = links.randomElement(using: &generator) ?? ""
      let bodies = [
        #"{"detail":\#(json("no \(repeated) here"))}"#, #"[{"id":\#(json(repeated))}]"#,
        #"{"items":[{"id":1}],"next":\#(json(link))}"#, "<html>\(repeated)",
        #"{"items":[{"id":1}],\#(json("next_\(repeated)")):\#(json(repeated))}"#,
        #"{"items":[{"id":1}],"has_more":true,"next_cursor":\#(json(repeated))}"#,
        #"[{"id":1}] \#(repeated)"#, "\(String(repeating: "x", count: 280))\(repeated)",
      ]
      body = bodies.randomElement(using: &generator) ?? ""
      status =
        [200, 200, 200, 302, 400, 401, 403, 429, 500].randomElement(using: &generator) ?? 200
      headers = [:]
      if Bool.random(using: &generator) { headers.append("Link", "<\(link)>; rel=next") }
      if Bool.random(using: &generator) { headers.append("ETag", "\"\(repeated)\"") }
      if Bool.random(using: &generator) {
        headers.append("Content-Type", "text/plain; charset=\(repeated)")
      }
      if status == 302 { headers.append("Location", link) }
    }
  }

  @Test(arguments: [false, true])
  func `N5: a key from outside that holds a secret is refused without it, before any request`(
    asks: Bool
  ) async throws {
    let fields: HTTPHeaders = ["Authorization": "Bearer s3cr3t-of-the-user"]
    let credentials = asks ? HTTPCredentials { _ in fields } : HTTPCredentials(fields)
    let source = try HTTPFeedSource<Commit>(
      try #require(URL(string: "https://a.example/items")), paging: .linkHeader,
      credentials: credentials,
      configuration: HTTPConfiguration(transport: FunctionTransport { _ in .text(200, [:], "[]") }))
    for text in [
      "none://x/s3cr3t-of-the-user", "https s3cr3t-of-the-user", "ftp://s3cr3t-of-the-user@b/",
    ] {
      let key = HTTPPageKey.url(text)
      do {
        _ = try await source.page(PageRequest(key: key))
        Issue.record("\(text) was asked for")
      } catch {
        #expect(!"\(error)".contains("s3cr3t"), "\(text)")
        #expect(!error.localizedDescription.contains("s3cr3t"), "\(text)")
      }
    }
  }

  @Test(arguments: 1...6)
  func `N5: seeded: no error, no diagnostics, no key and no other origin has what was sent`(
    seed: Int
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    for step in 0..<60 {
      let (password, key) = (
        SentSecretsTests.secret(6...30, &generator), SentSecretsTests.secret(6...30, &generator)
      )
      let writing = SentSecretsTests.writings[0..<7].randomElement(using: &generator) ?? { $0 }
      let query = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let repeated = writing([password, key, query].randomElement(using: &generator) ?? key)
      let parrot = Parrot(repeated, &generator)
      let transport = FunctionTransport { _ in
        .text(parrot.status, parrot.headers, parrot.body)
      }
      let source = try HTTPFeedSource<Commit>(
        try #require(URL(string: "https://a.example/items?api_key=\(query)")),
        credentials: .basic(user: "ada", password: password),
        configuration: HTTPConfiguration(
          foreignLinks: .withoutCredentials, rateLimiter: RateLimiter(), transport: transport))
      let feed = Feed(source, configuration: FeedConfiguration(retryPolicy: .never))
      await feed.refresh()
      await feed.loadNext()
      var shown = ""
      dump(feed.value.state, to: &shown)
      dump(feed.value.diagnostics, to: &shown)
      for failure in [feed.value.state.refresh.failure, feed.value.state.next.failure] {
        shown += failure.map { "\($0) \($0.localizedDescription)" } ?? ""
      }
      if let page = try? await source.page(PageRequest()) {
        shown += "\(page.next as Any) \(page.previous as Any) \(page.validator ?? "")"
        shown += "\(page.unread as Any) \(page.paging ?? "")"
      }
      for request in transport.requests where request.url.host != "a.example" {
        shown += "\(request.url.absoluteString) \(request.headers)"
      }
      for text in [repeated, password, key] {
        #expect(!shown.contains(text), "seed \(seed) step \(step): \(text) in \(shown)")
      }
    }
  }

  @Test(arguments: 1...3)
  func `N5: seeded: no file of a cache has what was sent, and the list goes on from there`(
    seed: Int
  ) async throws {
    var generator = SeededGenerator(seed: seed)
    for step in 0..<12 {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("freshet-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let (token, key) = (
        SentSecretsTests.secret(6...30, &generator), SentSecretsTests.secret(6...30, &generator)
      )
      let write = SentSecretsTests.writings[0..<7].randomElement(using: &generator) ?? { $0 }
      let repeated = write(Bool.random(using: &generator) ? token : key)
      let query = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      let second = "/items/2?api_key=\(query)&k=\(repeated)"
      let transport = FunctionTransport { request in
        guard request.url.path == "/items" else {
          return .text(200, ["ETag": "\"\(repeated)\""], #"[{"id":2}]"#)
        }
        return .text(
          200, ["Link": "<\(second)>; rel=next", "ETag": "\"\(repeated)-1\""], #"[{"id":1}]"#)
      }
      func feed() throws -> Feed<HTTPValidatorTests.CodedSource.Row> {
        let source = try HTTPFeedSource<Commit>(
          try #require(URL(string: "https://a.example/items?api_key=\(query)")),
          credentials: .bearer(token),
          configuration: HTTPConfiguration(rateLimiter: RateLimiter(), transport: transport))
        return Feed(
          HTTPValidatorTests.CodedSource(source: source),
          cache: .file("items", in: CacheDirectory(folder)))
      }
      let first = try feed()
      #expect(await first.refresh() == .idle)
      await first.flush()
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      var stored = Data()
      while let file = files?.nextObject() as? URL {
        stored += (try? Data(contentsOf: file)) ?? Data()
      }
      #expect(!stored.isEmpty)
      for text in [token, key, repeated, query] {
        #expect(
          stored.range(of: Data(text.utf8)) == nil, "seed \(seed) step \(step): \(text) is stored")
      }
      let again = try feed()
      await again.loadCache()
      #expect(await again.loadNext() == .end)
      // What is asked for means what the server wrote.
      let asked = transport.requests.last?.url.absoluteString ?? ""
      #expect(
        SentSecretsTests().meant(asked) == SentSecretsTests().meant("https://a.example\(second)"),
        "seed \(seed) step \(step)")
    }
  }

  @Test(
    arguments: ["q=Zs3cret-key9", "api_key=Zs3cret%2Dkey9", "api_key=WnMzY3JldC1rZXk5"],
    [true, false])
  func `N1: no link and no redirection carries a secret to another origin`(
    written: String, isRedirection: Bool
  ) async throws {
    let transport = FunctionTransport { request in
      guard request.url.host == "a.example" else { return .text(200) }
      let target = "https://other.example/x?\(written)"
      return isRedirection
        ? .text(302, ["Location": target])
        : .text(200, ["Link": "<\(target)>; rel=next"], #"[{"id":1}]"#)
    }
    let source = HTTPFeedSource<Commit>(
      "https://a.example/items?api_key=Zs3cret-key9",
      configuration: HTTPConfiguration(
        foreignLinks: .withoutCredentials, rateLimiter: RateLimiter(), transport: transport))
    let feed = Feed(source, configuration: FeedConfiguration(retryPolicy: .never))
    await feed.refresh()
    await feed.loadNext()
    let state = feed.value.state
    guard
      case .secretInLink(let url)? = (isRedirection ? state.refresh : state.next).failure?.httpError
    else {
      Issue.record("\(state)")
      return
    }
    #expect(url.host == "other.example" && !url.absoluteString.contains(written))
    #expect(transport.requests.allSatisfy { $0.url.host == "a.example" })
  }
}
