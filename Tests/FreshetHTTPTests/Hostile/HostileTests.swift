import Foundation
import Freshet
import FreshetHTTP
import FreshetTesting
import Testing

/// N2, N4: whatever a server sends, and whenever in the life of a list.
///
/// In a process of its own: what would end a process fails a test, and its memory is its own.
@Suite(.timeLimit(.minutes(5 * SeededGenerator.minutes)))
struct HostileTests {
  static let bodyLimit = 1 << 20
  static let good = #"[{"id":1},{"id":2},{"id":3}]"#
  static let more = #"[{"id":4},{"id":5}]"#

  enum Position: String, CaseIterable { case first, refresh, append }

  /// How many answers there are: 400 before a change lands, 2,000 by `make attacks`.
  static let count = SeededGenerator.seeds(400).count

  /// Answers by the path: position, number, and `more` for the second page.
  ///
  /// Of each page the hostile
  /// answer comes once, all others are good.
  final class Server: Sendable {
    private let visits = Locked<[String: Int]>([:])

    /// The list of a path was loaded: its next answer is the hostile one.
    func turn(_ path: String) { visits.withLock { $0[path] = 0 } }

    func steps(_ path: String) -> [RawServer.Step] {
      let words = path.split(separator: "/")
      guard words.count >= 2, let position = Position(rawValue: String(words[0])),
        let number = Int(words[1].prefix { $0 != "?" })
      else { return [.send(answer("", status: "404 No")), .close] }
      let isMore = words.count > 2
      let body = isMore ? HostileTests.more : HostileTests.good
      let visit = visits.withLock { visits in
        // A list that is to be refreshed is loaded first, in as many attempts as that takes.
        visits[path, default: position == .refresh ? -1_000_000 : 0] += 1
        return visits[path, default: 0]
      }
      let isHostile = visit == 1 && (position != .append || isMore)
      if isHostile { return HostileAnswer(number, instead: body).steps }
      let link =
        position == .append && !isMore ? [("Link", "</append/\(number)/more>; rel=next")] : []
      return [.send(answer(body, link + [("Connection", "close")])), .close]
    }
  }

  /// What came of one answer, and whether the list lives on; `nil` if all is well.
  static func diagnosis(
    _ number: Int, _ position: Position, _ server: RawServer, _ answers: Server
  ) async throws -> String? {
    let transport = StandardTransport(
      timeouts: HTTPTimeouts(
        connect: .seconds(60), idle: .milliseconds(700), total: .milliseconds(1_500)))
    let clock = ManualClock()
    let feed = Feed(
      try HTTPFeedSource<Commit>(
        try server.url("/\(position)/\(number)"), paging: .linkHeader,
        configuration: HTTPConfiguration(
          bodyLimit: bodyLimit, rateLimiter: RateLimiter(clock: clock), transport: transport)),
      configuration: FeedConfiguration(retryPolicy: .never))
    let known = position == .first ? [] : [1, 2, 3]
    // A busy machine may be too slow for the good answers, which are not what is shown here.
    if position != .first { while await feed.refresh().failure != nil {} }
    if position == .refresh { answers.turn("/\(position)/\(number)") }
    let state = position == .append ? await feed.loadNext() : await feed.refresh()
    let name = HostileAnswer(number, instead: position == .append ? more : good)
    let ids = feed.value.items.map(\.id)
    func says(_ text: String) -> String {
      "\(number) \(name.name), \(position): \(text); \(state), \(ids)"
    }
    switch state.failure {
    case .source(let error)? where !(error is HTTPError):
      return says("an error of no type, \(error)")
    case nil where name.mustFail: return says("no error")
    // The rows show where the link behind them cannot be read.
    case .decoding(path: "the next link", _, _, _)? where ids.starts(with: known): break
    case .some: guard ids == known else { return says("rows changed") }
    case nil:
      guard [known, [1, 2, 3], [1, 2, 3, 4, 5]].contains(ids) else {
        return says("wrong rows")
      }
    }
    // So may it be for those that heal the list.
    var (healed, tries) = (await feed.refresh(), 0)
    while let failure = healed.failure, tries < 50 {
      if let rest = failure.rest { clock.advance(by: rest) }
      healed = await feed.refresh()
      tries += 1
    }
    if position == .append { while await feed.loadNext() != .end, tries < 50 { tries += 1 } }
    let rows = feed.value.items.map(\.id)
    guard healed.failure == nil, rows == (position == .append ? [1, 2, 3, 4, 5] : [1, 2, 3]) else {
      return says("does not live on: \(healed), \(rows)")
    }
    return nil
  }

  /// All answers in all positions, handed out one by one, and what was wrong with them.
  final class Cases: Sendable {
    private let next = Locked(0)
    private let complaints = Locked<[String]>([])

    func take() -> (number: Int, position: Position)? {
      let index = next.withLock { index in
        defer { index += 1 }
        return index
      }
      let (number, position) = index.quotientAndRemainder(dividingBy: Position.allCases.count)
      return number < HostileTests.count ? (number, Position.allCases[position]) : nil
    }

    func work(on server: RawServer, _ answers: Server) async {
      while let (number, position) = take() {
        do {
          let diagnosis = try await HostileTests.diagnosis(number, position, server, answers)
          if let diagnosis { complaints.withLock { $0.append(diagnosis) } }
        } catch {
          complaints.withLock { $0.append("\(error)") }
        }
      }
    }

    var all: [String] { complaints.withLock { $0 } }
  }

  @Test
  func `N4: no answer ends the process, hangs a load, takes a row or fills the memory`() async {
    await #expect(processExitsWith: .success) { try await HostileTests.run() }
  }

  static func run() async throws {
    #if os(Linux)
      // A process inherits what its parent has open, and its libraries open a few files once.
      let filesBefore = openFiles + 20
    #endif
    let answers = Server()
    let server = try RawServer { answers.steps($0.path) }
    let cases = Cases()
    await withTaskGroup { group in
      for _ in 0..<64 { group.addTask { await cases.work(on: server, answers) } }
    }
    server.stop()
    for diagnosis in cases.all.prefix(20) { Issue.record("\(diagnosis)") }
    #expect(cases.all.count == 0)
    #if os(Linux)
      // 64 at once, each at most three times its bound, beside what a test process has anyway.
      let peak = try Memory.peak()
      #expect(
        !Memory.isMeasurable || peak < 64 * 3 * bodyLimit + 150 << 20,
        "\(peak >> 20) MB")
      await settle(filesBefore)
    #endif
  }

  #if os(Linux)
    /// How many files this process has open.
    static var openFiles: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    /// How many threads of transports there are.
    static var transports: Int {
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
      return threads.count { thread in
        let name = "/proc/self/task/\(thread)/comm"
        return (try? String(contentsOfFile: name, encoding: .utf8)) == "Freshet HTTP\n"
      }
    }

    /// Waits until all threads of transports have ended, and no more files are open than before.
    static func settle(_ filesBefore: Int) async {
      _ = await eventually(within: .seconds(60)) { transports == 0 && openFiles <= filesBefore }
      #expect(transports == 0, "threads are left")
      #expect(openFiles <= filesBefore, "sockets are left")
    }
  #endif
}

extension FeedError {
  /// How long to leave the server alone before it is asked again for the good answer: not at all
  /// where the machine is busy; `nil` where that would not help.
  fileprivate var rest: Duration? {
    switch httpError {
    case .unreachable(_, code: .timedOut, _): .zero
    case .status(_, _, retryAfter: let time?, _), .heldBack(_, retryAfter: let time, _): time
    default: nil
    }
  }
}
