import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

@Suite
struct ServerMessageTests {
  @Test(arguments: [
    (#"{"detail":"Not found."}"#, "Not found."),
    (#"{"message":"Bad credentials","x":1}"#, "Bad credentials"),
    (#"{"error":"invalid_token","error_description":"It expired"}"#, "It expired"),
    (#"{"error":{"code":"x","message":"No such table"}}"#, "No such table"),
    (
      #"{"errors":[{"title":"Bad","detail":"page[size] is 0"},{"message":"b"}]}"#,
      "page[size] is 0; b"
    ),
    (#"{"errors":["a","b","c","d"]}"#, "a; b; c"),
    (#"{"title":"Forbidden","status":403}"#, "Forbidden"),
    (#"[{"detail":"a"}]"#, "a"), (#"  {"detail":" a \n b "}"#, "a b"),
    (#"{"detail":["one","two"]}"#, "one; two"),
    (#"{"detail":[{"loc":["query","page"],"msg":"Too small","type":"x"}]}"#, "Too small"),
    (#"{"detail":null,"message":"m"}"#, "m"),
  ])
  func `what a server says itself is found at the usual places`(body: String, words: String) {
    #expect(ServerMessage.words(of: .text(400, [:], body)) == words)
  }

  @Test(arguments: [
    "", "<html>", #""text""#, "{}", #"{"detail":""}"#, #"{"detail":7}"#, #"{"detail":"cut"#,
    #"{"a":{"detail":"deep"}}"#, "null",
    String(repeating: #"{"error":"#, count: 300) + "1" + String(repeating: "}", count: 300),
  ])
  func `who says nothing there is not quoted`(body: String) {
    #expect(ServerMessage.words(of: .text(400, [:], body)) == nil)
  }

  @Test
  func `a refusal in plain text is quoted, bounded, and a page is none`() {
    let plain: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8"]
    #expect(ServerMessage.words(of: .text(403, plain, " API key\n missing ")) == "API key missing")
    let long = ServerMessage.words(of: .text(403, plain, String(repeating: "x", count: 5_000)))
    #expect(long?.count == 301)
    for body in ["", " \n", "<html>no", String(repeating: "x", count: 70_000)] {
      #expect(ServerMessage.words(of: .text(403, plain, body)) == nil)
    }
    #expect(ServerMessage.words(of: .text(403, ["Content-Type": "text/html"], "no")) == nil)
  }

  @Test
  func `N5: words are escaped, bounded, and never quote what the request carried`() {
    let body =
      #"{"detail":"\u001b[2JToken s3cret-token is no good, \#(String(repeating: "x", count: 5000))"}"#
    let words = ServerMessage.words(
      of: .text(400, [:], body), hiding: SentSecrets(SentSecret.all(in: .bearer("s3cret-token"))))
    #expect(
      words?.hasPrefix("\\u{1B}[2JToken *** is no good") == true && words?.count ?? 999 <= 310)
    let long = #"{"detail":"\#(String(repeating: "x", count: 70_000))"}"#
    #expect(ServerMessage.words(of: .text(400, [:], long)) == nil)
  }
}
