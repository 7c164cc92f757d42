import Foundation
import FreshetTesting
import Testing

@testable import FreshetHTTP

/// The head of an answer as a value: no socket, no clock.
@Suite
struct ResponseHeadTests {
  func head(_ lines: [String]) throws(ResponseHead.Problem) -> ResponseHead {
    var head = ResponseHead()
    for line in lines { try head.add(Array("\(line)\r\n".utf8)) }
    return head
  }

  @Test
  func `fields keep their order, their names and all their values`() throws {
    let head = try head([
      "HTTP/1.1 200 OK", "Link: <a>; rel=next ", "X: \t1", "link:<b>; rel=prev", "Empty:", "",
    ])
    #expect(head.isComplete && head.status == 200)
    #expect(head.headers["LINK"] == "<a>; rel=next, <b>; rel=prev")
    #expect(head.headers["x"] == "1" && head.headers["Empty"] == "")
  }

  @Test
  func `interim answers before it and trailers after it leave no trace`() throws {
    let head = try head([
      "HTTP/1.1 103 Early Hints", "Link: </style>", "", "HTTP/1.1 100 Continue", "",
      "HTTP/2 404", "A: 1", "", "HTTP/1.1 200 OK", "A: 2", "B: 3", "",
    ])
    #expect(head.isComplete && head.status == 404)
    #expect(head.headers.fields.map(\.name) == ["A"] && head.headers["A"] == "1")
  }

  @Test
  func `a value may go on in the next line, and may be Latin-1`() throws {
    var head = try head(["HTTP/1.1 200 OK", "A: one", " \t two"])
    try head.add(Array("Name: caf".utf8) + [0xe9, 13, 10])
    try head.add([13, 10])
    #expect(head.headers["A"] == "one two" && head.headers["Name"] == "café")
  }

  @Test
  func `a name that is none is nobody's, nor is what goes on after it`() throws {
    let head = try head(["HTTP/1.1 200 OK", "Link : <evil>", " more", ": x", "B: 1", ""])
    #expect(head.headers.fields.map(\.name) == ["B"])
  }

  @Test(arguments: [
    ["HTTP/1.1"], ["HTTP/1.1 2000 OK"], ["HTTP/1.1 abc"], ["ICY 200 OK"], ["HTTP/1.1 099 x"], [""],
    ["HTTP/1.1 200 OK", "no colon"], ["HTTP/1.1 200 OK", "A: \0"], ["HTTP/1.1 +20 OK"],
  ])
  func `N2: what is no head is malformed`(lines: [String]) {
    #expect(throws: ResponseHead.Problem.malformed) { try head(lines) }
  }

  @Test(arguments: [
    ["Content-Encoding: gzip, gzip"], ["Content-Encoding: gzip", "content-encoding: br"],
    ["Content-Encoding: gzip", "Transfer-Encoding: gzip, chunked"],
  ])
  func `N4: a body that is packed more than once is refused`(fields: [String]) {
    #expect(throws: ResponseHead.Problem.packedTwice) {
      try head(["HTTP/1.1 200 OK"] + fields + [""])
    }
  }

  @Test(arguments: [
    ["Content-Encoding: gzip", "Transfer-Encoding: chunked"], ["Content-Encoding: identity, br"],
    ["Content-Encoding:"],
  ])
  func `a body that is packed once is not`(fields: [String]) throws {
    #expect(try head(["HTTP/1.1 200 OK"] + fields + [""]).isComplete)
  }

  @Test(arguments: [
    (["Content-Length: 7"], 7), (["Content-Length: 7", "Content-Length: 9"], 9), ([], nil),
    (["Content-Length: 99999999999999999999"], Int.max), (["Content-Length: -1"], 0),
    (["Content-Length: 1e9"], 0), (["Content-Length: 7", "Transfer-Encoding: chunked"], nil),
    (["Content-Length: ٣"], 0),
  ])
  func `the length that is announced`(fields: [String], length: Int?) throws {
    #expect(try head(["HTTP/1.1 200 OK"] + fields + [""]).announcedLength == length.map(Int64.init))
  }

  @Test
  func `N4: bytes and lines are bounded, those of interim answers and trailers too`() throws {
    let long = String(repeating: "x", count: 1_000)
    #expect(throws: ResponseHead.Problem.tooLong) {
      try head(["HTTP/1.1 200 OK"] + (0..<300).map { "A\($0): \(long)" })
    }
    #expect(throws: ResponseHead.Problem.tooLong) {
      try head((0..<600).flatMap { _ in ["HTTP/1.1 100 Continue", ""] })
    }
    #expect(throws: ResponseHead.Problem.tooLong) {
      try head(["HTTP/1.1 200 OK", ""] + (0..<1_000).map { "A\($0): 1" })
    }
  }

  @Test
  func `N4: no bytes make it trap`() {
    let seed = Int.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    let words = [
      "HTTP/1.1 ", "200", " ", "A", ":", "\t", "\r", "\n", "\0", ",", "gzip", "Content-Length: ",
    ]
    for _ in 0..<20_000 {
      var head = ResponseHead()
      for _ in 0..<6 {
        var line: [UInt8] = random.oneIn(2) ? Array("HTTP/1.1 200 OK".utf8) : []
        for _ in 0..<Int.random(in: 0..<5, using: &random) {
          line +=
            random.oneIn(3)
            ? [UInt8.random(in: 0...255, using: &random)]
            : Array(words.randomElement(using: &random)?.utf8 ?? "".utf8)
        }
        do { try head.add(line) } catch { break }
      }
      #expect(!head.headers.fields.contains { !$0.hasName }, "seed \(seed)")
      _ = head.announcedLength
    }
  }

  @Test(arguments: [
    ("A", "1", true), ("A", "", true), ("A", "é\t", true), ("A", "1\r\nB: 2", false),
    ("A", "\n", false), ("A\r\nB", "1", false), ("", "1", false), ("A B", "1", false),
    ("A:", "1", false), ("A", "\0", false), ("A", "\u{7f}", false),
  ])
  func `N1: a field that would begin another is not sent`(
    name: String, value: String, isSendable: Bool
  ) async throws {
    var headers: HTTPHeaders = [:]
    headers.append(name, value)
    #expect(headers.fields[0].isSendable == isSendable)
  }
}

/// The words for failures, the same on every system.
@Suite
struct UnreachableTests {
  @Test(arguments: [
    URLError.Code.timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost,
    .secureConnectionFailed, .serverCertificateUntrusted, .badServerResponse,
  ])
  func `what a session throws keeps its code and gets plain words`(code: URLError.Code) {
    let unreachable = Unreachable(URLError(code))
    #expect(unreachable.code == code && unreachable.reason == Unreachable(code).reason)
    #expect(!unreachable.reason.contains("NSURLError") && unreachable.reason.count > 10)
  }

  @Test
  func `time-outs stay within a millisecond and a day`() {
    let wild = HTTPTimeouts(connect: .seconds(-5), idle: .seconds(Int64.max), total: .zero).bounded
    #expect(
      wild
        == HTTPTimeouts(connect: .milliseconds(1), idle: .seconds(86_400), total: .milliseconds(1)))
    #expect(
      wild.idle.milliseconds == 86_400_000 && Duration.milliseconds(1_234).milliseconds == 1_234)
  }

  @Test
  func `a body is kept up to its bound and no further`() throws {
    var body = BodyBuffer(limit: 4)
    try body.append([1, 2, 3])
    #expect(throws: (any Error).self) { try body.append([4, 5]) }
    try body.append([4])
    #expect(body.bytes.count == 4)
    #expect(BodyBuffer(limit: -1).limit == 0)
    try body.check(announced: 5, status: 304)
    #expect(throws: (any Error).self) { try body.check(announced: 5, status: 200) }
  }
}
