import Foundation
import Freshet
import FreshetHTTP
import Testing

@testable import FreshetTool

/// What the terminal shows, without one.
@Suite
struct WatchScreenTests {
  /// A screen with a list that is replaced step by step.
  struct Session {
    var screen: WatchScreen
    var shown = ListSnapshot<WatchScreen.Row>()
    var effects: [WatchScreen.Effect] = []

    init(width: Int = 80, height: Int = 24, _ options: WatchScreen.Options = .init(title: "list")) {
      screen = WatchScreen(
        options, size: ScreenSize(width: width, height: height),
        now: Date(timeIntervalSince1970: 1000))
    }

    var texts: [String] { screen.frame.texts }
    /// The lines of the table.
    var table: [String] { Array(texts[2..<(texts.count - 1)]) }

    mutating func handle(_ event: WatchScreen.Event) {
      effects = screen.handle(event).filter { if case .display = $0 { false } else { true } }
    }

    mutating func press(_ keys: Key...) { for key in keys { handle(.key(key)) } }
    mutating func type(_ text: String) { for key in text { handle(.key(.character(key))) } }
    mutating func wait(_ seconds: Double) {
      handle(.tick(screen.now.addingTimeInterval(seconds)))
    }

    /// Shows rows: numbers, and `-1` for a gap.
    mutating func show(
      _ ids: [Int], _ loads: FeedState = FeedState(), text: (Int) -> String = { "row \($0)" }
    ) throws {
      let rows = try ids.map { id -> WatchScreen.Row in
        if id < 0 { return .gap(Gap(id: -id)) }
        let item = #"{"id":\#(id),"title":"\#(text(id))","html_url":"https://example.com/\#(id)"}"#
        return .item(try WatchedItem(try JSONReader.value(of: item.utf8), .init()))
      }
      try show(ListSnapshot(rows), loads)
    }

    mutating func show(_ list: ListSnapshot<WatchScreen.Row>, _ loads: FeedState) throws {
      let update = ListUpdate(from: shown, to: list, origin: .network)
      shown = list
      handle(
        .updated(
          update,
          ScreenList(
            list: list, loads: loads, refreshedAt: screen.now.addingTimeInterval(-12),
            count: list.items.count { $0.item != nil }
          ) { id in
            list.sections.indices.lazy.compactMap { section in
              list.sections[section].rows.firstIndex { $0.id == id }.map {
                RowPath(section: section, row: $0)
              }
            }.first
          }))
    }
  }

  @Test
  func `rows stand in columns, with the state below`() throws {
    var session = Session(width: 40, height: 8)
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

  @Test(arguments: [(80, 24), (120, 40), (40, 15), (20, 5), (3, 2), (1, 1), (0, 0), (300, 3)])
  func `every size has a frame of that size`(width: Int, height: Int) throws {
    var session = Session(width: width, height: height)
    try session.show(Array(0..<50) + [-1] + Array(50..<60), text: { "日本語 \($0) 👩‍👩‍👧" })
    for key in "jjGgkk?x/日" { session.press(.character(key)) }
    session.press(.enter, .pageDown, .pageDown, .enter, .pageDown, .escape, .end)
    let frame = session.screen.frame
    #expect(frame.lines.count == height && frame.lines.allSatisfy { $0.count == width })
    session.handle(.resized(ScreenSize(width: height + 5, height: width / 2)))
    #expect(session.screen.frame.lines.count == width / 2)
  }

  @Test
  func `changes are marked for a moment, each with its sign, and gone rows where they were`() throws
  {
    var session = Session(height: 10)
    try session.show([1, 2, 3, 4, 5])
    #expect(session.table.allSatisfy { !$0.hasPrefix("+") })
    try session.show([9, 1, 3, 5, 4], text: { $0 == 1 ? "new" : "row \($0)" })
    let lines = session.table
    #expect(lines[0].hasPrefix("+ 9") && lines[1].hasPrefix("~ 1") && lines[2].hasPrefix("- 2"))
    #expect(lines[3].hasPrefix("  3"))
    #expect(lines[4...5].contains { $0.hasPrefix("↕") })
    session.wait(10)
    #expect(session.table.prefix(5).map { $0.prefix(3) } == ["  9", "  1", "  3", "  5", "  4"])
  }

  @Test
  func `rows that loading brought behind the last one are no news`() throws {
    var session = Session()
    try session.show([1, 2])
    try session.show([0, 1, 2, 3, 4])
    #expect(session.table.prefix(5).map { $0.prefix(1) } == ["+", " ", " ", " ", " "])
  }

  @Test
  func `the chosen row and those around it stay where they are while rows come above`() throws {
    var session = Session(height: 8)
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
    var session = Session(height: 8)
    try session.show(Array(0..<100))
    let effects = session.screen.handle(.key(.pageDown))
    guard case .display(let items)? = effects.last else {
      Issue.record("nothing is on display")
      return
    }
    #expect(items.map(\.id.json) == (4..<9).map(String.init))
    session.press(.character("G"))
    #expect(session.effects == [.loadNext] && session.screen.cursor == 99)
    var loads = FeedState()
    loads.next = .end
    try session.show(Array(0..<100), loads)
    session.press(.end)
    #expect(session.effects.isEmpty && session.table.last?.contains("That is all") == true)
  }

  @Test
  func `gaps, failures, waits and pages on their way are told`() throws {
    var session = Session()
    var loads = FeedState()
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
    loads.refresh = .failed(.tooLarge(limit: 10))
    try session.show([1, -1, 2], loads)
    #expect(session.texts.last?.hasPrefix("failed: ") == true)
    #expect(session.table[0].contains("could not be read"))
  }

  @Test
  func `a filter is typed, kept, and taken back`() throws {
    var session = Session()
    try session.show(Array(0..<30))
    session.type("/ab")
    #expect(session.effects == [.filter("ab")] && session.texts.last == "/ab")
    // What a filter takes away did not go.
    try session.show([4])
    #expect(!session.table.contains { $0.hasPrefix("-") })
    session.press(.backspace, .enter)
    #expect(session.screen.filter == "a" && session.texts.last?.contains("/a") == true)
    session.press(.escape)
    #expect(session.effects == [.filter("")])
    session.type("/q")
    session.press(.escape)
    #expect(session.effects == [.filter("")] && session.screen.filter.isEmpty)
  }

  @Test
  func `a filter asks for every word, in any case and without accents`() throws {
    let item = try WatchedItem(
      try JSONReader.value(of: #"{"id":1,"t":"Éclair au Chocolat"}"#.utf8), .init())
    #expect(RowFilter("eclair CHOCO").includes(item) && RowFilter("").includes(item))
    #expect(!RowFilter("eclair vanille").includes(item))
  }

  @Test
  func `enter shows the row and why it is there, and o opens its link alone`() throws {
    var session = Session()
    try session.show([1, 2])
    session.press(.down, .enter)
    guard case .row(let view) = session.screen.mode else {
      Issue.record("no row is shown")
      return
    }
    #expect(session.effects == [.trace(view.id)])
    session.handle(.traced(view.id, "the first page"))
    #expect(
      session.texts[1] == "Here by the first page"
        && session.texts[4] == "  \"html_url\": \"https://example.com/2\",")
    session.type("o")
    #expect(session.effects == [.open(URL(string: "https://example.com/2")!)])
    session.press(.escape)
    #expect(session.screen.mode == .list)
  }

  @Test(arguments: [
    (#"{"url":"javascript:alert(1)"}"#, nil), (#"{"url":"file:///etc/passwd"}"#, nil),
    (#"{"url":"--help"}"#, nil), (#"{"url":"https://"}"#, nil), (#"{"id":1}"#, nil),
    (#"{"url":"https://api.x/1","html_url":"https://x/1"}"#, "https://x/1"),
    (#"{"_links":{"html":{"href":"http://x/2"}}}"#, "http://x/2"),
    (#"{"properties":{"url":"https://x/3"}}"#, "https://x/3"),
    (#"{"a":1,"b":"HTTPS://x/4"}"#, "HTTPS://x/4"),
  ])
  func `only web addresses are links`(json: String, link: String?) throws {
    #expect(try JSONReader.value(of: json.utf8).link?.absoluteString == link)
  }

  @Test
  func `columns are members and pointers, and numbers stand to the right`() throws {
    let columns = try ["id", "size", "/a/b"].map { try RowColumn(argument: $0) }
    #expect(columns.map(\.heading) == ["id", "size", "b"])
    #expect(try RowColumn(argument: "a/b~c").heading == "a/b~c")
    #expect(throws: (any Error).self) { try RowColumn(argument: "/a~2") }
    #expect(throws: (any Error).self) { try RowColumn(argument: "") }
    var session = Session(width: 40, height: 6, .init(title: "x", columns: columns))
    let rows = try [#"{"id":"x","size":9,"a":{"b":[1]}}"#, #"{"id":"yy","size":1000}"#].map {
      WatchScreen.Row.item(try WatchedItem(try JSONReader.value(of: $0.utf8), .init()))
    }
    try session.show(ListSnapshot(rows), FeedState())
    #expect(session.texts[1...3] == ["  id  size  b", "  x      9  [1]", "  yy  1000"])
  }

  @Test
  func `sections have titles, over which the chosen row steps`() throws {
    var session = Session(height: 9, .init(title: "x", hasSections: true))
    func row(_ id: Int) throws -> WatchScreen.Row {
      .item(try WatchedItem(.object([.init(name: "id", value: .number("\(id)"))]), .init()))
    }
    try session.show(
      ListSnapshot(sections: [
        ListSection(name: "Mon", rows: RowTree([try row(1)])),
        ListSection(name: "Tue", rows: RowTree([try row(2)])),
      ]), FeedState())
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

  @Test(arguments: [
    (EdgeRow.Edge.refresh, WatchScreen.Effect.refresh(.head)), (.previous, .loadPrevious),
    (.next, .loadNext),
  ])
  func `enter on a row that failed to load asks for that again`(
    edge: EdgeRow.Edge, effect: WatchScreen.Effect
  ) throws {
    var session = Session(width: 40, height: 8)
    var loads = FeedState()
    switch edge {
    case .refresh: loads.refresh = .failed(.tooLarge(limit: 10))
    case .previous: loads.previous = .failed(.tooLarge(limit: 10))
    case .next: loads.next = .failed(.tooLarge(limit: 10))
    }
    try session.show([1], loads)
    session.press(edge == .next ? .end : .home)
    session.press(.enter)
    #expect(session.effects.map { "\($0)" } == ["\(effect)"])
  }

  @Test
  func `a first load that fails says so, without a row`() throws {
    var session = Session()
    var loads = FeedState()
    loads.refresh = .failed(.tooLarge(limit: 10))
    session.handle(.stands(ScreenList(loads: loads)))
    let failure = EdgeRow(.refresh, loads.refresh)
    let text = try #require(ScreenRow<WatchedItem>.edge(failure).text)
    #expect(session.table.contains { $0.contains(text.prefix(40)) })
    #expect(session.texts.last?.hasPrefix("failed: ") == true)
  }

  @Test
  func `a row that is shown whole stays on the screen when that becomes wider`() throws {
    var session = Session(width: 20, height: 8)
    try session.show([1], text: { _ in String(repeating: "long ", count: 60) })
    session.press(.enter, .end)
    session.handle(.resized(ScreenSize(width: 200, height: 8)))
    #expect(session.texts.contains { $0.contains("long") })
  }

  @Test
  func `q and control c quit, r and R refresh, and any key leaves the help`() throws {
    var session = Session()
    try session.show([1])
    session.type("r")
    #expect(session.effects == [.refresh(.head)])
    session.type("R")
    #expect(session.effects == [.refresh(.all)])
    session.type("?")
    #expect(session.texts[1].contains("a row up or down"))
    session.type("q")
    #expect(session.screen.mode == .list && session.effects.isEmpty)
    session.type("q")
    #expect(session.effects == [.quit])
    session.press(.control("c"))
    #expect(session.effects == [.quit])
  }
}
