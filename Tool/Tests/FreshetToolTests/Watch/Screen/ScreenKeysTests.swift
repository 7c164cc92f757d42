import Foundation
import Freshet
import FreshetHTTP
import FreshetUI
import Testing

@testable import FreshetTool

/// What keys do.
@Suite
struct ScreenKeysTests {
  @Test
  func `a filter is typed, kept, and taken back`() throws {
    var session = ScreenSession()
    try session.show(Array(0..<30))
    session.type("/ab")
    #expect(session.effects == [.filter("ab")] && session.texts.last == "/ab")
    // What a filter takes away did not go.
    try session.show([4], of: Array(0..<30))
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
    var session = ScreenSession()
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

  @Test(arguments: [
    (EdgeRow.Edge.refresh, WatchScreen.Effect.refresh(.head)), (.previous, .loadPrevious),
    (.next, .loadNext),
  ])
  func `enter on a row that failed to load asks for that again`(
    edge: EdgeRow.Edge, effect: WatchScreen.Effect
  ) throws {
    var session = ScreenSession(width: 40, height: 8)
    var loads = ListState()
    switch edge {
    case .refresh: loads.refresh = .failed(.source(HTTPError.tooLarge(limit: 10)))
    case .previous: loads.previous = .failed(.source(HTTPError.tooLarge(limit: 10)))
    case .next: loads.next = .failed(.source(HTTPError.tooLarge(limit: 10)))
    }
    try session.show([1], loads)
    session.press(edge == .next ? .end : .home)
    session.press(.enter)
    #expect(session.effects.map { "\($0)" } == ["\(effect)"])
  }

  @Test
  func `a row that is shown whole stays on the screen when that becomes wider`() throws {
    var session = ScreenSession(width: 20, height: 8)
    try session.show([1], text: { _ in String(repeating: "long ", count: 60) })
    session.press(.enter, .end)
    session.handle(.resized(ScreenSize(width: 200, height: 8)))
    #expect(session.texts.contains { $0.contains("long") })
  }

  @Test
  func `q and control c quit, r and R refresh, and any key leaves the help`() throws {
    var session = ScreenSession()
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

  @Test
  func `help fits, or scrolls`() throws {
    var session = ScreenSession(width: 40, height: 10)
    try session.show([1])
    session.type("?")
    #expect(!session.texts.contains { $0.contains("…") })
    #expect(!session.texts.contains { $0.contains("rows may be missing") })
    for _ in 0..<9 { session.press(.pageDown) }
    #expect(session.texts.contains { $0.contains("rows may be missing") })
    session.handle(.resized(ScreenSize(width: 80, height: 24)))
    #expect(session.texts[1].contains("a row up or down"))
    session.press(.enter)
    #expect(session.screen.mode == .list)
  }
}
