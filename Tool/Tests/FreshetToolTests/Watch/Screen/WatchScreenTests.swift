import Foundation
import Freshet
import FreshetHTTP
import FreshetUI
import Testing

@testable import FreshetTool

/// What the terminal shows, without one.
@Suite
struct WatchScreenTests {
  @Test
  func `rows stand in columns, with the state below`() throws {
    var session = ScreenSession(width: 40, height: 8)
    try session.show([7, 12])
    #expect(
      session.texts == [
        " list                            2 rows", "  id  title", "  7   row 7", "  12  row 12", "",
        "",
        "", "as of 12 s ago · more below      ? help",
      ])
    session.wait(60)
    #expect(session.texts.last?.hasPrefix("as of 72 s ago") == true)
  }

  @Test(arguments: [
    (RowTotal.exact(2), "2 rows"), (.exact(70), "2 of 70 rows"),
    (.estimated(70), "2 of about 70 rows"), (.atLeast(70), "2 of 70 or more rows"),
  ])
  func `the title has the number of rows of the whole list`(
    total: RowTotal, text: String
  ) throws {
    var session = ScreenSession(width: 60, height: 8)
    var loads = ListState()
    loads.total = total
    try session.show([7, 12], loads)
    #expect(session.texts.first?.hasSuffix(" \(text)") == true)
  }

  @Test(arguments: [(80, 24), (120, 40), (40, 15), (20, 5), (3, 2), (1, 1), (0, 0), (300, 3)])
  func `every size has a frame of that size`(width: Int, height: Int) throws {
    var session = ScreenSession(width: width, height: height)
    try session.show(Array(0..<50) + [-1] + Array(50..<60), text: { "日本語 \($0) 👩‍👩‍👧" })
    for key in "jjGgkk?x/日" { session.press(.character(key)) }
    session.press(.enter, .pageDown, .pageDown, .enter, .pageDown, .escape, .end)
    let frame = session.screen.frame
    #expect(frame.lines.count == height && frame.lines.allSatisfy { $0.count == width })
    session.handle(.resized(ScreenSize(width: height + 5, height: width / 2)))
    #expect(session.screen.frame.lines.count == width / 2)
  }

  @Test
  func `the chosen row and those around it stay where they are while rows come above`() throws {
    var session = ScreenSession(height: 8)
    try session.show(Array(100..<150))
    for _ in 0..<20 { session.press(.down) }
    let before = session.table
    try session.show(Array(90..<150))
    session.wait(10)
    #expect(session.table == before)
    #expect(session.screen.row(at: session.screen.cursor)?.item?.id.json == "120")
    // At the head, the head stays on display.
    session.press(.home)
    try session.show(Array(80..<150))
    #expect(session.table[0].contains("80"))
    // Where the chosen row goes, another one is chosen.
    session.press(.end)
    try session.show([80, 81])
    #expect(session.screen.cursor == 1)
    try session.show([])
    session.wait(10)
    #expect(session.table[0].contains("empty"))
  }

  @Test
  func `scrolling tells what is on display, and the end asks for more`() throws {
    var session = ScreenSession(height: 8)
    try session.show(Array(0..<100))
    let effects = session.screen.handle(.key(.pageDown))
    guard case .display(let items)? = effects.last else {
      Issue.record("nothing is on display")
      return
    }
    #expect(items.map(\.id.json) == (4..<9).map(String.init))
    session.press(.character("G"))
    #expect(session.effects == [.loadNext] && session.screen.cursor == 99)
    var loads = ListState()
    loads.next = .end
    try session.show(Array(0..<100), loads)
    session.press(.end)
    #expect(session.effects.isEmpty && session.table.last?.contains("That is all") == true)
  }

  @Test
  func `gaps, failures, waits and pages on their way are told`() throws {
    var session = ScreenSession()
    var loads = ListState()
    loads.refresh = .loading
    loads.gaps = [1: .idle]
    try session.show([1, -1, 2], loads)
    #expect(session.table[1].contains("Enter loads it"))
    #expect(session.texts.last?.contains("refreshing… · as of 12 s ago · 1 gap") == true)
    session.press(.down, .enter)
    #expect(session.effects == [.load(Gap(id: 1))])
    session.handle(
      .waiting(.init(reason: "Status 429 from x", until: session.screen.now.addingTimeInterval(12)))
    )
    #expect(session.texts.last?.hasPrefix("Status 429 from x: retry in 12 s") == true)
    session.wait(4)
    #expect(session.texts.last?.hasPrefix("Status 429 from x: retry in 8 s") == true)
    session.wait(9)
    #expect(session.texts.last?.contains("retry") == false)
    loads.refresh = .failed(.source(HTTPError.tooLarge(limit: 10)))
    try session.show([1, -1, 2], loads)
    #expect(session.texts.last?.hasPrefix("failed: ") == true)
    #expect(session.table[0].contains("could not be read"))
  }

  @Test
  func `columns are members and pointers, and numbers stand to the right`() throws {
    let columns = try ["id", "size", "/a/b"].map { try RowColumn(argument: $0) }
    #expect(columns.map(\.heading) == ["id", "size", "b"])
    #expect(try RowColumn(argument: "a/b~c").heading == "a/b~c")
    #expect(throws: (any Error).self) { try RowColumn(argument: "/a~2") }
    #expect(throws: (any Error).self) { try RowColumn(argument: "") }
    var session = ScreenSession(width: 40, height: 6, .init(title: "x", columns: columns))
    let rows = try [#"{"id":"x","size":9,"a":{"b":[1]}}"#, #"{"id":"yy","size":1000}"#].map {
      WatchScreen.Row.item(try WatchedItem(try JSONReader.value(of: $0.utf8), .init()))
    }
    session.show(ListSnapshot(rows))
    #expect(session.texts[1...3] == ["  id  size  b", "  x      9  [1]", "  yy  1000"])
  }

  @Test
  func `sections have titles, over which the chosen row steps`() throws {
    var session = ScreenSession(height: 9, .init(title: "x", hasSections: true))
    func row(_ id: Int) throws -> WatchScreen.Row {
      .item(try WatchedItem(.object([.init(name: "id", value: .number("\(id)"))]), .init()))
    }
    session.show(
      ListSnapshot(sections: [
        ListSection(name: "Mon", rows: RowTree([try row(1)])),
        ListSection(name: "Tue", rows: RowTree([try row(2)])),
      ]))
    #expect(session.table.prefix(4).map { $0.prefix(3) } == ["Mon", "  1", "Tue", "  2"])
    #expect(session.screen.cursor == 1)
    session.press(.down)
    #expect(session.screen.cursor == 3)
    session.press(.up)
    #expect(session.screen.cursor == 1)
    session.press(.down)
    session.type("/1")
    #expect(session.screen.cursor == 1)
  }

  @Test
  func `a first load that fails says so, without a row`() throws {
    var session = ScreenSession()
    var loads = ListState()
    loads.refresh = .failed(.source(HTTPError.tooLarge(limit: 10)))
    session.handle(.stands(ScreenList(loads: loads)))
    let failure = EdgeRow(.refresh, loads.refresh)
    let text = try #require(ScreenRow<WatchedItem>.edge(failure).text)
    #expect(session.table.contains { $0.contains(text.prefix(40)) })
    #expect(session.texts.last?.hasPrefix("failed: ") == true)
  }

}
