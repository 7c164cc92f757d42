import Foundation
import Testing

@testable import FreshetHTTP

#if os(Linux)
  import CLibCurl
#endif

/// Who credentials are for, as browsers compare it (N1).
@Suite
struct OriginTests {
  /// Two ways to write one origin.
  @Test(arguments: [
    ("http://example.com", "HTTP://EXAMPLE.com:80/a?b#c"),
    ("https://example.com/", "https://example.com:443"),
    ("http://example.com:/", "http://example.com/"),
    ("http://example.com:080/", "http://example.com/"),
    ("http://[::1]/", "http://[0:0:0:0:0:0:0:1]:80/"),
    ("http://[::FFFF:1.2.3.4]/", "http://[::ffff:102:304]/"),
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://ＥＸＡＭＰＬＥ.com/", "http://example.com/"),
    ("http://example。com/", "http://example.com/"),
    ("http://ex\u{AD}ample.com/", "http://example.com/"),
  ])
  func `N1: one origin, written differently`(first: String, second: String) throws {
    let (first, second) = (try #require(URL(string: first)), try #require(URL(string: second)))
    let origin = try #require(Origin(first))
    #expect(origin == Origin(second))
  }

  /// What looks like one origin and is another.
  @Test(arguments: [
    ("http://example.com/", "https://example.com/"),
    ("http://example.com/", "http://example.com:81/"),
    ("http://example.com/", "http://example.com./"),
    ("http://example.com/", "http://example.com.evil.example/"),
    ("http://example.com/", "http://www.example.com/"),
    ("https://apple.com/", "https://аpple.com/"),
    ("http://fass.de/", "http://faß.de/"), ("http://127.0.0.1/", "http://localhost/"),
    ("http://127.0.0.1/", "http://[::ffff:127.0.0.1]/"),
    ("http://example.com/", "http://examp1e.com/"),
    ("http://[::1]/", "http://[::2]/"),
  ])
  func `N1: what looks alike is another origin`(first: String, second: String) throws {
    let (first, second) = (try #require(URL(string: first)), try #require(URL(string: second)))
    #expect(try #require(Origin(first)) != #require(Origin(second)))
  }

  static let refused = [
    "http://good@evil.example/", "http://good\\@evil.example/", "http://user:@a/", "http://:@a/",
    "http://@a/",
    "http://ex%61mple.com/", "http://example.com%2fevil/", "http://example.com%00.evil/",
    "http://a%20b/",
    "http://[::1%25eth0]/", "http://[v1.x]/", "http://[]/", "http://0x7f.1/", "http://2130706433/",
    "http://127.1/", "http://0177.0.0.1/", "http://127.0.0.1./", "http://1.2.3.4.5/",
    "http://256.1.1.1/",
    "http://a.0x1/", "http://0x7f000001/", "http://01.2.3.4/", "http://example.com../",
    "http://.example.com/",
    "http://a..b/", "http://example.com:99999/", "http://example.com:0/",
    "http://example.com:65536/",
    "http://example.com:000080/", "http:evil", "http:/evil", "http:///evil", "http://", "//evil/",
    "evil",
    "http://a,b/", "http://a;b/", "http://a&b/", "http://a'b/", "http://a!b/", "http://a*b/",
    "http://a(b/",
    "ftp://example.com/", "file:///etc/passwd", "ws://a/", "javascript:alert(1)", "data:,x",
    "http://" + String(repeating: "a", count: 64) + "/",
    "http://" + String(repeating: "a.", count: 130) + "b/",
  ]

  @Test(arguments: refused)
  func `N1: what two parsers could read in two ways is refused`(text: String) {
    #expect(URL(string: text).flatMap(Origin.init) == nil)
    #expect(URL(string: text).flatMap(Origin.address) == nil)
  }

  @Test(arguments: [
    ("http://Example.com", "http://example.com/"), ("http://a:80/x y", "http://a/x%20y"),
    ("https://a?x#@evil/", "https://a/?x"), ("http://a:8080/p#f", "http://a:8080/p"),
    ("http://[0::1]:81/?q=#", "http://[::1]:81/?q="),
  ])
  func `what is asked for is what was checked`(text: String, address: String) throws {
    let url = try #require(URL(string: text))
    #expect(Origin.address(of: url) == address)
  }

  @Test
  func `a relative URL is its resolution`() throws {
    let base = try #require(URL(string: "http://example.com/a/b"))
    let link = try #require(URL(string: "//evil.example/c", relativeTo: base))
    #expect(Origin(link)?.host == "evil.example")
    #expect(Origin.address(of: link) == "http://evil.example/c")
  }

  #if os(Linux)
    @Test(arguments: [
      "http://example.com/", "HTTP://EXAMPLE.com:80/a?b#c", "http://[0:0::1]:81/",
      "http://a_b-c.example./x",
      "http://bücher.example/ä?ö", "http://1.2.3.4/", "http://evil.example#@good/", "http://a/\\@b",
      "http://a/..//../x@y:z", "http://a?@b:80/", "http://a/?http://b/", "http://xn--a/",
      "http://a/%0d%0aHost:%20b", "http://a:80//b/", "https://a:443/:80@b",
    ])
    func `N1: libcurl sees the origin that was checked`(text: String) throws {
      let url = try #require(URL(string: text))
      let origin = try #require(Origin(url))
      let handle = unsafe curl_url()
      defer { unsafe curl_url_cleanup(handle) }
      let address = try #require(Origin.address(of: url))
      let isSet = unsafe curl_url_set(handle, CURLUPART_URL, address, 0) == CURLUE_OK
      #expect(isSet)
      func part(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let flags = UInt32(CURLU_DEFAULT_PORT)
        guard unsafe curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text = unsafe text
        else {
          return nil
        }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
      }
      #expect(part(CURLUPART_SCHEME) == origin.scheme && part(CURLUPART_HOST) == origin.host)
      #expect(part(CURLUPART_PORT) == "\(origin.port)" && part(CURLUPART_USER) == nil)
    }
  #endif
}
