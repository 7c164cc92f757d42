#if os(Linux)
  import Foundation
  import Freshet
  import FreshetHTTP
  import Testing

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// What this process holds.
  enum Memory {
    /// Whether its numbers mean anything: a sanitizer holds on to what was freed.
    static let isMeasurable = !has("__asan_init") && !has("__tsan_init")

    private static func has(_ symbol: String) -> Bool {
      unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), symbol) != nil
    }

    /// The most that it held at once, in bytes.
    static func peak() throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      let number = line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
      return try #require(number) << 10
    }
  }

  /// N4: memory stays within a small multiple of the bound, measured in a process of its own.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: Memory.isMeasurable))
  struct TransportMemoryTests {
    static let limit = 4 << 20

    @Test
    func `N4: a gigabyte, however it comes, takes no more than three times the bound`() async {
      await #expect(processExitsWith: .success) {
        let plain = [UInt8](repeating: 32, count: 1 << 16)
        let zeros: [RawServer.Step] = [.flood(plain, times: 1 << 14), .close]
        let head = "HTTP/1.1 200 OK\r\n"
        let gzip = [UInt8]("\(head)Content-Encoding: gzip\r\n\r\n".utf8) + Packing.gzipBombHead
        let gzipBlocks = [[UInt8]](repeating: Packing.gzipBombBlock, count: 1_000).flatMap(\.self)
        let zstd = answer(Packing.zstdBomb(blocks: 16_000), [("Content-Encoding", "zstd")])
        let cases: [(String, [RawServer.Step])] = [
          ("length", [.send("\(head)Content-Length: 1073741824\r\n\r\n")] + zeros),
          ("lengthless", [.send("\(head)\r\n")] + zeros),
          ("chunks", [.send("\(head)Transfer-Encoding: chunked\r\n\r\n40000000\r\n")] + zeros),
          ("gzip", [.send(gzip), .flood(gzipBlocks, times: 500), .close]),
          ("zstd", [.send(zstd), .close]),
          ("header", [.send("HTTP/1.1 200 OK\r\nA: ")] + zeros),
          (
            "headers",
            [
              .send("HTTP/1.1 200 OK\r\n"), .flood([UInt8]("A: 1\r\n".utf8), times: 1 << 20),
              .close,
            ]
          ),
          (
            "interim",
            [.flood([UInt8]("HTTP/1.1 100 Continue\r\n\r\n".utf8), times: 1 << 20), .close]
          ),
        ]
        let table = Dictionary(uniqueKeysWithValues: cases)
        let server = try RawServer { request in
          table[String(request.path.dropFirst())] ?? [.send(answer("[]"))]
        }
        let transport = StandardTransport(timeouts: HTTPTimeouts())
        // What is set up once is not counted.
        _ = try await transport.response(
          to: HTTPRequest(try server.url("/warm")), bodyLimit: TransportMemoryTests.limit)
        let before = try Memory.peak()
        for (name, _) in cases {
          await #expect(throws: HTTPError.self, "\(name)") {
            try await transport.response(
              to: HTTPRequest(try server.url("/\(name)")), bodyLimit: TransportMemoryTests.limit)
          }
          let grown = try Memory.peak() - before
          #expect(grown < 3 * TransportMemoryTests.limit + (8 << 20), "\(name): \(grown) bytes")
        }
        server.stop()
      }
    }
  }
#endif
