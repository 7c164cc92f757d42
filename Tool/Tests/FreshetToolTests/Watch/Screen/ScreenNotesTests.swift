import Foundation
import Freshet
import FreshetHTTP
import Testing

@testable import FreshetTool

/// What the screen says beside the rows.
@Suite
struct ScreenNotesTests {
  @Test
  func `a failure says which option to try, as lines do`() throws {
    var session = ScreenSession()
    var loads = ListState()
    let error = FeedError.decoding(path: "/id", expected: "an id", found: "nothing", url: nil)
    loads.refresh = .failed(error)
    session.handle(.stands(ScreenList(loads: loads)))
    #expect(session.texts.suffix(4).joined(separator: " ").contains("--items and --id"))
    #expect(session.texts.last?.hasPrefix("failed: ") == true)
    // What is said of it is not said twice.
    session.handle(.said("Error: \(WatchFailure(error, isPartial: false))"))
    #expect(session.texts.count { $0.contains("--items") } == 1)
    for height in 0..<12 {
      session.handle(.resized(ScreenSize(width: 30, height: height)))
      #expect(session.texts.count == height)
    }
  }

  @Test
  func `a first load that is tried again says why, and what to try`() throws {
    var session = ScreenSession()
    var loads = ListState.loading
    let url = try #require(URL(string: "http://example.com/"))
    loads.retrying = .source(
      HTTPError.unreachable(url, code: .cannotFindHost, reason: "no host"))
    session.handle(.stands(ScreenList(loads: loads)))
    #expect(session.texts.last?.hasPrefix("trying again: ") == true)
    let said = session.texts.suffix(4).joined(separator: " ")
    #expect(said.contains("address and the connection, then retry"))
  }

  @Test(arguments: [
    (80, "as of 12 s ago · 1 gap · G looks in more rows · /14       Esc shows all  ? help"),
    (70, "as of 12 s ago · G looks in more rows · /14     Esc shows all  ? help"),
    (50, "as of 12 s ago · /14        Esc shows all  ? help"),
    (26, "/14         Esc shows all"), (10, "/14"),
    (2, "/…"),
  ])
  func `a narrow line says what matters most, and nothing in part`(
    width: Int, line: String
  ) throws {
    var session = ScreenSession(width: width)
    var loads = ListState()
    loads.gaps = [1: .idle]
    session.type("/14")
    session.press(.enter)
    try session.show([14], of: [1, 2, 14], loads)
    #expect(session.texts.last == line)
    loads.refresh = .loading
    try session.show([14], of: [1, 2, 14], loads)
    #expect(width < 11 || session.texts.last?.hasPrefix("refreshing…") == true)
  }

  @Test
  func `a message leaves the countdown of a wait on display`() throws {
    var session = ScreenSession()
    try session.show([1, 2])
    session.handle(
      .waiting(.init(reason: "Status 429", until: session.screen.now.addingTimeInterval(12))))
    session.handle(.said("Opening https://example.com"))
    #expect(session.texts.last?.hasPrefix("Status 429: retry in 12 s") == true)
    #expect(session.texts.contains { $0.contains("Opening https://example.com") })
    session.wait(7)
    #expect(!session.texts.contains { $0.contains("Opening") })
    #expect(session.screen.notes.isEmpty && session.screen.tableHeight == 21)
  }

  @Test
  func `R5: a list whose rows are on their way is not called empty`() throws {
    var session = ScreenSession()
    // The state of a first answer, before its rows.
    session.handle(.stands(ScreenList(refreshedAt: Date(timeIntervalSince1970: 0), count: 2)))
    #expect(!session.texts.contains { $0.contains("empty") })
    try session.show([1, 2])
    #expect(session.screen.list.count == 2)
  }

  @Test
  func `with a filter nothing is loaded unless the reader asks for it`() throws {
    var session = ScreenSession()
    try session.show(Array(0..<30))
    session.type("/4")
    let effects = session.screen.handle(.stands(session.screen.list))
    #expect(effects.isEmpty)
    session.press(.enter)
    #expect(session.texts.last?.contains("G looks in more rows") == true)
    session.type("G")
    #expect(session.effects == [.loadNext])
    session.press(.escape)
    let all = session.screen.handle(.stands(session.screen.list))
    #expect(all.contains { if case .display = $0 { true } else { false } })
  }

  @Test
  func `a character of a million marks costs what there is room for`() throws {
    let text = "e" + String(repeating: "\u{301}", count: 1_000_000)
    #expect(text.cut(to: 100).unicodeScalars.count == 101 && "abc".cut(to: 3) == "abc")
    var session = ScreenSession()
    try session.show([1], text: { _ in text })
    session.press(.enter)
    guard case .row(let view) = session.screen.mode else {
      Issue.record("no row is shown")
      return
    }
    #expect(view.lines.reduce(0) { $0 + $1.unicodeScalars.count } < 20_000)
  }

  @Test
  func `columns with one name show where they are from`() throws {
    let columns = try ["name", "/user/name", "size"].map { try RowColumn(argument: $0) }
    #expect(RowColumn.distinct(columns).map(\.heading) == ["name", "/user/name", "size"])
    let single = try [RowColumn(argument: "/user/name")]
    #expect(RowColumn.distinct(single).map(\.heading) == ["name"])
  }
}
