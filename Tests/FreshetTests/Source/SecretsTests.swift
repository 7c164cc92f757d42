import Foundation
import Testing

@testable import Freshet

@Suite
struct SecretsTests {
  @Test(arguments: [
    "token", "key", "api_key", "apikey", "API-Key", "access_token", "auth", "sig", "signature",
    "secret", "password", "session", "code", "X-Amz-Signature", "X-Amz-Credential",
    "X-Amz-Security-Token", "clientSecret", "user[password]", "sessionid", "jwt", "my_token",
    "AWSAccessKeyId", "Ocp-Apim-Subscription-Key",
  ])
  func `names that tell of a secret are known in any case and as a last word`(name: String) {
    #expect(Secrets.isSecret(name) && Secrets.isSecret(name.uppercased()))
  }

  @Test(arguments: [
    "page", "cursor", "page_token", "nextToken", "$skiptoken", "startkey", "q", "", "tokens_left",
    "country_code", "design", "monkey", "passenger", "keyword", "offset", "_", "sort_key",
  ])
  func `names of places and of other things are none`(name: String) {
    #expect(!Secrets.isSecret(name))
  }

  @Test(arguments: [
    ("https://user:pass@h.example/a?q=1", "https://***@h.example/a?q=1"),
    ("https://user@h.example", "https://***@h.example"),
    ("https://h.example/?token=x&q=a+b#frag", "https://h.example/?token=***&q=a+b#frag"),
    ("https://h.example/?q=1&API_KEY=a%2Fb;c", "https://h.example/?q=1&API_KEY=***"),
    ("https://h.example/?%74oken=x", "https://h.example/?%74oken=***"),
    ("https://h.example/#access_token=x&q=1", "https://h.example/#access_token=***&q=1"),
    ("https://h.example/?u=a@b.example", "https://h.example/?u=a@b.example"),
    ("https://h.example/?token=", "https://h.example/?token="),
    (
      "https://h.example/?next=https%3A%2F%2Fh%2F%3Ftoken%3Dx&q=1",
      "https://h.example/?next=***&q=1"
    ),
    (#"{"url":{"_0":"https://h/?sig=x"}}"#, #"{"url":{"_0":"https://h/?sig=***"}}"#),
    (#"https:\/\/u:p@h\/"#, #"https:\/\/***@h\/"#),
    ("Error {Key=https://a:b@h/?code=x, n=1}", "Error {Key=***}"),
    ("sent Authorization: Bearer abc.DEF-1, then", "sent Authorization: Bearer ***, then"),
    ("use basic authentication", "use basic authentication"),
    (#"password="a b" q=1"#, #"password="***" q=1"#), ("no secrets", "no secrets"), ("", ""),
    ("?a[token]=x", "?a[token]=***"), ("://@", "://@"), ("=", "="), ("token=", "token="),
  ])
  func `N5: secrets in URLs are masked wherever a text holds one`(text: String, masked: String) {
    let found = Secrets.masked(text)
    // What is cut too early or too late around a secret in free text does not matter.
    #expect(
      found == masked || text.hasPrefix("Error") && !found.contains("a:b") && !found.contains("=x"))
    #expect(Secrets.masked(found) == found)
  }

  @Test(arguments: [
    (
      #"Error Domain=NSCocoaErrorDomain Code=4 "x""#, #"Error Domain=NSCocoaErrorDomain Code=4 "x""#
    ),
    ("NSURLErrorDomain Code=-1009", "NSURLErrorDomain Code=-1009"),
    ("is Code=1234567", "is Code=***"), ("is Code=abc", "is Code=***"),
    ("https://h/?Code=4", "https://h/?Code=***"), ("https://h/?code=4", "https://h/?code=***"),
    // Decoded once, from the first equals sign on, and masked as one, also beside what is no
    // encoding.
    ("a=b=c%3Ftoken%3Dx d", "a=*** d"), ("a=%ZZ=%3Ftoken%3Dx", "a=***"),
    ("a=%FF%3Ftoken%3Dx&b=c%20d", "a=***&b=c%20d"), ("a=//u:p@h/", "a=//***@h/"),
    ("a=%2F%2Fu:p@h", "a=***"), ("a='b=%41 c=%3Fsig%3Dx'", "a='***'"),
  ])
  func `N5: numbers of errors stay, and a value in percent encoding is masked as one`(
    text: String, masked: String
  ) {
    #expect(Secrets.masked(text) == masked)
  }

  @Test(arguments: [1 << 14, 1 << 18])
  func `N4: a text that is made to take long takes no longer than others`(length: Int) throws {
    let half = String(repeating: "=", count: length / 2)
    let units = ["=", "=%41", "a=%3D", "a=\"", "='\"`", "//", ":", "=//@", " bearer ", "a[]=%"]
    let texts =
      [half + half + "%41", half + String(repeating: "%41", count: length / 6)]
      + units.map { String(repeating: $0, count: length / $0.utf8.count) }
    let clock = ContinuousClock()
    for text in texts {
      let time = clock.measure {
        _ = Secrets.masked(text)
        _ = LogText(text)
      }
      // It was minutes for the short ones.
      #expect(time < .seconds(20), "\(text.prefix(8)) took \(time)")
    }
    let url = try #require(URL(string: "https://u:p@h.example/?a=\(half)%41"))
    #expect(url.masked.absoluteString.hasPrefix("https://***@h") || length > 1 << 15)
    #expect(!url.masked.absoluteString.contains("u:p"))
    #expect(url.masked.absoluteString.utf8.count <= 16_384)
  }

  @Test
  func `N5: a URL is masked as a whole, however it is written`() throws {
    for text in [
      "https://u:p@h/?token=s3cret", "//u:p@h/x?sig=s3cret", "http://h/?a=1&code=s3cret",
    ] {
      let url = try #require(URL(string: text))
      #expect(!url.masked.absoluteString.contains("s3cret"))
      #expect(!url.masked.absoluteString.contains("u:p") && !"\(LogText(url))".contains("s3cret"))
    }
  }

  @Test
  func `N5: what steers a terminal or cannot be seen is shown as an escape, and text is bounded`() {
    #expect(
      LogText("a\u{1B}[2J\u{202E}b\nc\u{200B}\u{0}\u{85}\u{E0041}\u{3164}").description
        == "a\\u{1B}[2J\\u{202E}b\\nc\\u{200B}\\u{0}\\u{85}\\u{E0041}\\u{3164}")
    #expect(LogText("grün, 日本, 🎉").description == "grün, 日本, 🎉")
    #expect(LogText(String(repeating: "x", count: 10_000)).description.count == 301)
    #expect(LogText("abc", limit: 0).description == "…" && LogText("", limit: -1).description == "")
  }
}
