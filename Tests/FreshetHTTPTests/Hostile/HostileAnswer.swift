import FreshetTesting

/// One answer of a server that is broken, unlucky or bad: a number always makes the same.
struct HostileAnswer: Sendable {
  let name: String
  let steps: [RawServer.Step]
  /// Whether no reader could take it for the answer it is not.
  let mustFail: Bool

  private init(_ name: String, mustFail: Bool = false, _ steps: [RawServer.Step]) {
    self.name = name
    self.steps = steps + [.close]
    self.mustFail = mustFail
  }

  private init(_ name: String, mustFail: Bool = false, _ text: String) {
    self.init(name, mustFail: mustFail, [.send(text)])
  }

  /// How many kinds there are; numbers go round them.
  static let kinds = 40

  /// Creates the answer of a number in place of one with this body.
  init(_ number: Int, instead body: String) {
    var random = SeededGenerator(seed: number)
    let turn = number / Self.kinds
    func pick<Value>(_ values: [Value]) -> Value { values[turn % values.count] }
    let good = answer(body)
    let head = Array(good.dropLast(body.utf8.count))
    let ok = "HTTP/1.1 200 OK\r\n"
    let chunked = "\(ok)Transfer-Encoding: chunked\r\n\r\n"
    let spaces = [UInt8](repeating: 32, count: 1 << 16)
    switch number % Self.kinds {
    case 0...3:
      let cut = Array(good.prefix((4 * turn + number % Self.kinds) % good.count))
      self.init("cut at \(cut.count)", mustFail: true, [.send(cut)])
    case 4:
      let cut = Array(good.prefix(3 * turn % good.count))
      self.init("reset at \(cut.count)", mustFail: true, [.send(cut), .reset])
    case 5:
      let cut = Array(good.prefix(7 * turn % good.count))
      self.init("silent at \(cut.count)", mustFail: true, [.send(cut), .hold])
    case 6:
      self.init("a drip", mustFail: true, [.drip(good, every: .milliseconds(40))])
    case 7:
      self.init(
        "a drip in the body", mustFail: true,
        [.send(head), .drip(Array(body.utf8), every: .milliseconds(120))])
    case 8, 9:
      var broken = head
      for _ in 0...turn % 3 {
        broken[Int.random(in: 0..<broken.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      self.init("a broken head", [.send(broken + Array(body.utf8))])
    case 10:
      var broken = Array(body.utf8)
      broken[turn % broken.count] |= 0x80
      self.init("a broken body", mustFail: true, [.send(head + broken)])
    case 11:
      self.init("a long line", mustFail: true, [.send("\(ok)X: "), .flood(spaces, times: 100)])
    case 12:
      self.init(
        "many fields", mustFail: true,
        [.send(ok), .flood([UInt8]("A: 1\r\n".utf8), times: 100_000)])
    case 13:
      let length = pick(["1000000000", "9223372036854775807", "99999999999999999999999"])
      self.init(
        "a length of \(length)", mustFail: true,
        [.send("\(ok)Content-Length: \(length)\r\n\r\n"), .flood(spaces, times: 1_000)])
    case 14:
      self.init("a flood", mustFail: true, [.send("\(ok)\r\n"), .flood(spaces, times: 1_000)])
    case 15:
      self.init(
        "a chunk of a gigabyte", mustFail: true,
        [.send("\(chunked)40000000\r\n"), .flood(spaces, times: 1_000)])
    case 16:
      let length = max(0, body.utf8.count - 1 - turn % 5)
      self.init(
        "too short a length", mustFail: true, "\(ok)Content-Length: \(length)\r\n\r\n\(body)")
    case 17:
      let length = body.utf8.count + 1 + turn % 9
      self.init(
        "too long a length", mustFail: true, "\(ok)Content-Length: \(length)\r\n\r\n\(body)")
    case 18:
      let length = pick(["-1", "x", "1e3", "0x10", "", "5 5", "+7", "5, 6", "\u{663}"])
      self.init(
        "a length of '\(length)'",
        "\(ok)Content-Length: \(length)\r\nContent-Length: 7\r\n\r\n\(body)")
    case 19:
      self.init(
        "a gzip bomb", mustFail: true,
        [
          .send([UInt8]("\(ok)Content-Encoding: gzip\r\n\r\n".utf8) + Packing.gzipBombHead),
          .flood(Packing.gzipBombBlock, times: 2_000),
        ])
    case 20:
      self.init(
        "a zstd bomb", mustFail: true,
        [.send(answer(Packing.zstdBomb(blocks: 4_000), [("Content-Encoding", "zstd")]))])
    case 21:
      var packed = Packing.gzip(Array(body.utf8))
      packed[turn % packed.count] ^= 0xff
      self.init("broken gzip", [.send(answer(packed, [("Content-Encoding", "gzip")]))])
    case 22:
      let packed = Array(Packing.gzip(Array(body.utf8)).prefix(turn % (body.utf8.count + 10)))
      self.init("cut gzip", mustFail: true, [.send(answer(packed, [("Content-Encoding", "gzip")]))])
    case 23:
      let coding = pick([
        "rot13", "gzip, gzip", "br", "zstd", "deflate", "gzip;q=1", "gzip,,,gzip", "compress",
      ])
      self.init(
        "'\(coding)' it is not", mustFail: true,
        [.send(answer(body, [("Content-Encoding", coding)]))])
    case 24:
      let size = pick([
        "", "zz", "-1", "ffffffffffffffffff", "7fffffffffffffff", "1;\u{0}", " 5", "0x5",
      ])
      self.init("a chunk of '\(size)'", "\(chunked)\(size)\r\n\(body)\r\n0\r\n\r\n")
    case 25:
      let size = String(body.utf8.count, radix: 16)
      let trailer = pick(["A: 1\r\n", "", "no colon\r\n", "Link: <x>; rel=next\r\n", "A: \0\r\n"])
      self.init("a trailer", "\(chunked)\(size)\r\n\(body)\r\n0\r\n\(trailer)\r\n")
    case 26:
      self.init(
        "a redirection in circles", mustFail: true,
        [.send(answer("", status: "302 Found", [("Location", "")]))])
    case 27:
      let target = pick([
        "file:///etc/passwd", "ftp://127.0.0.1/", "javascript:0", "//127.0.0.1:1/", "http://",
        "http://[::1",
        "http://a@127.0.0.1/", "\u{0}", "http://127.0.0.1:99999/", "data:,[]",
        "http://localhost:1/", "gopher://x/",
      ])
      let status = pick(["301 M", "302 F", "303 S", "307 T", "308 P"])
      self.init(
        "a redirection to \(target)", mustFail: true,
        [.send(answer("[]", status: status, [("Location", target)]))])
    case 28:
      let storm = [UInt8]("HTTP/1.1 10\(pick(["0", "2", "3", "9"])) Wait\r\nA: 1\r\n\r\n".utf8)
      self.init("a storm of interim answers", mustFail: true, [.flood(storm, times: 100_000)])
    case 29:
      let challenge = pick([
        "Basic realm=x", "Digest realm=x, nonce=y, qop=auth", "Negotiate", "NTLM", "\"", "Basic",
      ])
      let status = pick(["401 Unauthorized", "407 Proxy", "403 No"])
      self.init(
        "\(status) \(challenge)", mustFail: true,
        [
          .send(
            answer(
              "{}", status: status,
              [("WWW-Authenticate", challenge), ("Proxy-Authenticate", challenge)]))
        ])
    case 30:
      self.init(
        "a body where none belongs",
        [.send(answer(body, status: pick(["204 No", "304 Same", "205 Reset", "101 Switch"])))])
    case 31:
      self.init(
        "HTTP/0.9", mustFail: true, pick([body, "\n\(body)", "HTTP/0.9 \(body)", "HTTP \(body)"]))
    case 32:
      let place = turn % good.count
      self.init("a NUL at \(place)", [.send(Array(good[..<place]) + [0] + Array(good[place...]))])
    case 33:
      self.init(
        "fields that are not UTF-8",
        [
          .send(
            [UInt8]("HTTP/1.1 200 \u{fc}\r\nX-\u{fc}: 1\r\nX: ".utf8) + [0xff, 0xfe, 0xc3, 13, 10]
              + head.dropFirst(17) + Array(body.utf8))
        ])
    case 34:
      let line = pick([
        "HTTP/1.1 000 x", "HTTP/1.1 999", "HTTP/9.9 200 OK", "HTTP/1.1 99999 x", "HTTP/1.1",
        "http/1.1 200 OK", "HTTP/1.1 -200 OK", "HTTP/3 200",
      ])
      self.init(line, "\(line)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    case 35:
      self.init("two answers", [.send(good + good), .send(good)])
    case 36:
      let noise = (0..<(1 + turn * 13 % 5_000)).map { _ in UInt8.random(in: 0...255, using: &random)
      }
      self.init("noise", mustFail: true, [.send(noise)])
    case 37:
      let text = pick([
        "<html><body>Sign in</body></html>", String(repeating: "[", count: 50_000), "\u{feff}{",
        "{\"a\":", "nul",
        "[{\"id\":1e999}]", "[{\"id\":\"\\ud800\"}]", "[NaN]",
        String(repeating: "{\"a\":", count: 9_000), "[1,]", "",
      ])
      self.init("no rows", mustFail: true, [.send(answer(text))])
    case 38:
      let link = pick([
        "<", "<>; rel=next", "<?>; rel=next", "<//127.0.0.1:1/>; rel=next",
        String(repeating: "<a>; rel=next, ", count: 5_000),
        "<\u{0}>; rel=next", "<http://[::1>; rel=next", "<a>; rel=\"next",
        String(repeating: ";", count: 50_000),
      ])
      self.init("links", [.send(answer(body, [("Link", link)]))])
    default:
      self.init(
        "500 \(turn % 7)", mustFail: true,
        [
          .send(
            answer(
              "no", status: "50\(turn % 7) Oh", [("Retry-After", pick(["-1", "x", "1e99", "1"]))]))
        ])
    }
  }
}
