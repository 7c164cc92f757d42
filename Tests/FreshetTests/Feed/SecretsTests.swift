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
