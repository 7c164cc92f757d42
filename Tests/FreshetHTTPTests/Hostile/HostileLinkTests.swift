import Foundation
import Freshet
import FreshetHTTP
import Testing

/// N1 at the receiving end: whatever a link says, in a body, in a header or as a redirection,
/// nobody but the origin hears the credentials.
@Suite(.timeLimit(.minutes(5)))
struct HostileLinkTests {
  enum Carrier: CaseIterable { case body, header, redirection }

  /// Links of a server at 127.0.0.1:GOOD; somebody else listens at port EVIL of every address.
  static let links = [
    "http://127.0.0.1:EVIL/", "http://127.0.0.1:EVIL", "//127.0.0.1:EVIL/", "///127.0.0.1:EVIL/",
    "http:127.0.0.1:EVIL/", "http:/127.0.0.1:EVIL/", "http:///127.0.0.1:EVIL/",
    "HTTP://127.0.0.1:EVIL/",
    "\\\\127.0.0.1:EVIL\\", "/\\127.0.0.1:EVIL/", "\\/127.0.0.1:EVIL/", "http:\\\\127.0.0.1:EVIL/",
    "http://127.0.0.1:GOOD@127.0.0.1:EVIL/", "http://127.0.0.1:GOOD\\@127.0.0.1:EVIL/",
    "http://127.0.0.1:EVIL\\@127.0.0.1:GOOD/", "http://127.0.0.1:EVIL#@127.0.0.1:GOOD/",
    "http://127.0.0.1:EVIL?@127.0.0.1:GOOD/", "http://127.0.0.1:EVIL/@127.0.0.1:GOOD/",
    "http://127.0.0.1:EVIL;@127.0.0.1:GOOD/", "http://127.0.0.1:EVIL%23@127.0.0.1:GOOD/",
    "http://127.0.0.1:EVIL%2f@127.0.0.1:GOOD/", "http://user:pass@127.0.0.1:GOOD/",
    "http://@127.0.0.1:GOOD/",
    "http://:@127.0.0.1:EVIL/", "http://127.0.0.1%00@127.0.0.1:EVIL/",
    "http://127.0.0.1:GOOD:EVIL/",
    "http://127.0.0.1:EVIL:GOOD/", "http://127.0.0.1:GOOD,127.0.0.1:EVIL/",
    "http://127.0.0.1:GOOD 127.0.0.1:EVIL/",
    "http://localhost:GOOD/", "http://localhost:EVIL/", "http://LOCALHOST:EVIL/",
    "http://localhost.:GOOD/",
    "http://127.0.0.1.:GOOD/", "http://127.1:GOOD/", "http://127.0.1:EVIL/", "http://0x7f.1:GOOD/",
    "http://0x7f000001:EVIL/",
    "http://2130706433:GOOD/", "http://0177.0.0.1:GOOD/", "http://127.0.0.01:GOOD/",
    "http://0:EVIL/", "http://127.0.0.2:EVIL/",
    "http://[::1]:EVIL/", "http://[::ffff:127.0.0.1]:GOOD/", "http://[::ffff:7f00:1]:EVIL/",
    "http://[::1%25lo]:EVIL/",
    "http://127.0.0.1.localhost:EVIL/", "http://127。0。0。1:EVIL/", "http://１２７.0.0.1:EVIL/",
    "http://①27.0.0.1:EVIL/",
    "http://127.0.0.1\u{AD}:EVIL/", "http://127.0.0.1\u{200B}:EVIL/",
    "http://loc\u{430}lhost:GOOD/", "http://ｌｏｃａｌｈｏｓｔ:GOOD/",
    "http://%31%32%37.0.0.1:GOOD/", "http://127%2e0.0.1:GOOD/", "http://127.0.0.1%0d%0aX:GOOD/",
    "http://127.0.0.1:%45VIL/",
    "http://127.0.0.1:+EVIL/", "http://127.0.0.1:0EVIL/", "http://127.0.0.1:-1/",
    "http://127.0.0.1:99999/", "http://127.0.0.1:0/",
    "https://127.0.0.1:GOOD/", "https://127.0.0.1:EVIL/", "ftp://127.0.0.1:EVIL/",
    "ws://127.0.0.1:EVIL/",
    "gopher://127.0.0.1:EVIL/_x", "telnet://127.0.0.1:EVIL", "dict://127.0.0.1:EVIL/",
    "file://127.0.0.1/etc/passwd",
    "file:///etc/passwd", "javascript:alert(1)", "data:application/json,[]", "about:blank",
    "blob:http://127.0.0.1:GOOD/1",
    "feed:http://127.0.0.1:EVIL/", "view-source:http://127.0.0.1:EVIL/", "\thttp://127.0.0.1:EVIL/",
    " //127.0.0.1:EVIL/",
    "ht\ttp://127.0.0.1:EVIL/", "http://127.0.0.1\t:EVIL/", "/redirect/http://127.0.0.1:EVIL/",
    "./..//127.0.0.1:EVIL/",
    "?next=http://127.0.0.1:EVIL/", "#http://127.0.0.1:EVIL/",
    "http://127.0.0.1:GOOD/ HTTP/1.1%0d%0aHost:%20evil",
  ]

  static func reply(_ carrier: Carrier, _ link: String) -> [UInt8] {
    // What a header cannot carry comes without its control characters.
    let text = link.filter { $0 != "\r" && $0 != "\n" }
    let quoted =
      "\"\(text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\"", with: "\\\""))\""
    return switch carrier {
    case .body: answer("{\"items\":[{\"id\":1}],\"next\":\(quoted)}")
    case .header: answer("[{\"id\":1}]", [("Link", "<\(text)>; rel=\"next\"")])
    case .redirection: answer("", status: "302 Found", [("Location", text)])
    }
  }

  @Test(arguments: [ForeignLinks.refused, .withoutCredentials], Carrier.allCases)
  func `N1: nobody but the origin hears the credentials`(
    foreignLinks: ForeignLinks, carrier: Carrier
  ) async throws {
    let evil = try RawServer(isOpenToAll: true) { _ in [.send(answer("[{\"id\":9}]")), .close] }
    defer { evil.stop() }
    await withTaskGroup { group in
      for part in 0..<8 {
        group.addTask {
          for index in stride(from: part, to: Self.links.count, by: 8) {
            await #expect(throws: Never.self) {
              try await ask(Self.links[index], carrier, foreignLinks, evil)
            }
          }
        }
      }
    }
    #expect(!evil.requests.contains { $0.head.contains("secret") })
    if foreignLinks == .refused {
      #expect(evil.requests.map(\.head) == [])
    } else {
      // The table is not in vain: some of it is followed.
      #expect(evil.requests.count > 3)
    }
  }

  /// One list whose server answers with such a link.
  private func ask(
    _ template: String, _ carrier: Carrier, _ foreignLinks: ForeignLinks, _ evil: RawServer
  ) async throws {
    let good = try RawServer { [evil] request in
      let link = template.replacing("EVIL", with: "\(evil.port)")
      guard request.path == "/list" else { return [.send(answer("[{\"id\":2}]")), .close] }
      let port = request.field("Host")?.split(separator: ":").last.map(String.init) ?? ""
      return [.send(Self.reply(carrier, link.replacing("GOOD", with: port))), .close]
    }
    defer { good.stop() }
    let feed = Feed(
      try HTTPFeedSource<Commit>(
        try good.url(), credentials: ["Authorization": "secret", "X-Key": "secret"],
        configuration: HTTPConfiguration(
          foreignLinks: foreignLinks,
          transport: .standard(
            timeouts: HTTPTimeouts(
              connect: .seconds(2), idle: .seconds(1), total: .seconds(5))))),
      configuration: FeedConfiguration(retryPolicy: .never))
    await feed.refresh()
    await feed.loadNext()
    #expect(good.requests.first?.field("Authorization") == "secret")
    // The same socket by another name is somebody else.
    for request in good.requests where request.field("Host") != "127.0.0.1:\(good.port)" {
      #expect(!request.head.contains("secret"), "\(template): \(request.head)")
      #expect(foreignLinks == .withoutCredentials, "\(template): \(request.head)")
    }
    let state = feed.value.state
    #expect(
      carrier == .redirection || feed.value.items.first?.id == 1
        || state.refresh.failure != nil, "\(template): \(state)")
  }

  @Test
  func `the tables are as long as they should be`() {
    #expect(Self.links.count >= 57 && Set(Self.links).count == Self.links.count)
    #expect(OriginTests.refused.count >= 40)
  }
}
