import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP
import Testing

@testable import FreshetTool

/// What is printed, without a process.
@Suite
struct PrintingTests {
  static func list(_ rows: [String], _ places: WatchedPlaces = .init()) throws
    -> ListSnapshot<WatchedItem>
  {
    let items = try rows.map { try WatchedItem(try JSONReader.value(of: $0.utf8), places) }
    return ListSnapshot(items)
  }

  static func update(
    _ before: [String], _ after: [String], _ origin: ListOrigin = .network
  ) throws -> ListStep<WatchedItem> {
    ListStep(from: try list(before), to: try list(after), origin: origin)
  }

  // MARK: - Tables

  @Test
  func `a table shows whole ids and titles, aligned where ids are short`() throws {
    let long = String(repeating: "x", count: 50)
    var table = TablePrinter()
    let lines = table.lines(
      for: try Self.update(
        [],
        [#"{"id":"a","title":"A"}"#, #"{"id":"\#(long)","title":"B"}"#, #"{"id":"last"}"#]),
      at: "now")
    #expect(
      lines == [
        "  a" + String(repeating: " ", count: 39) + "  A", "  \(long)  B", "  last", "",
        "now  3 rows from the network",
      ])
  }

  @Test
  func `a table says what changed, and counts what was pushed out`() throws {
    var table = TablePrinter()
    let rows = (0..<4).map { #"{"id":\#($0),"title":"row \#($0)"}"# }
    _ = table.lines(for: try Self.update([], Array(rows[1...])), at: "")
    let update = try Self.update(
      Array(rows[1...]), [rows[0], rows[2].replacing("row", with: "new")])
    let gone = try Self.list([rows[3]]).items.map(\.id)
    #expect(
      table.lines(for: update, at: "now", pushedOut: Set(gone)) == [
        "now  2 rows from the network, 1 more no longer kept", "- 1     row 1", "+ 0     row 0",
        "~ 2     new 2",
      ])
  }

  @Test
  func `the first rows come before the others, and all lines are those of the whole list`() throws {
    let rows = (0..<60).map { #"{"id":\#($0),"title":"row \#($0)","s":"\#($0 / 25)"}"# }
    for places in [WatchedPlaces(), WatchedPlaces(section: .init(pointer: "/s", isDay: false))] {
      func snapshot(_ count: Int) throws -> ListSnapshot<WatchedItem> {
        let items = try rows.prefix(count).map {
          try WatchedItem(try JSONReader.value(of: $0.utf8), places)
        }
        let names = Array(Set(items.map(\.section))).sorted()
        return ListSnapshot(
          sections: names.map { name in
            ListSection(name: name, rows: RowTree(items.filter { $0.section == name }))
          })
      }
      let whole = ListStep(from: ListSnapshot(), to: try snapshot(60), origin: .cache)
      var atOnce = TablePrinter()
      let lines = atOnce.lines(for: whole, at: "now")
      for first in [1, 25, 40, 60] {
        var table = TablePrinter()
        let begun = table.begin(try snapshot(first))
        #expect(begun.count >= first && begun + table.lines(for: whole, at: "now") == lines)
      }
    }
  }

  @Test
  func `an empty list says that it is empty`() throws {
    var table = TablePrinter()
    #expect(table.lines(for: try Self.update([], []), at: "now") == ["now  the list is empty"])
    _ = table.lines(for: try Self.update([], [#"{"id":1}"#]), at: "now")
    #expect(
      table.lines(for: try Self.update([#"{"id":1}"#], []), at: "now") == [
        "now  the list is empty", "- 1",
      ])
  }

  @Test
  func `N5: ids, titles and sections of a server cannot move the cursor`() throws {
    var table = TablePrinter()
    let row = #"{"id":"\u001b[2J","title":"\u202ea\u009bb\u200b"}"#
    let item = try WatchedItem(try JSONReader.value(of: row.utf8), .init())
    let list = ListSnapshot(sections: [ListSection(name: "s\u{7}", rows: RowTree([item]))])
    let update = ListStep(from: ListSnapshot(), to: list)
    let lines = table.lines(for: update, at: "now")
    #expect(
      lines == [
        "", "s\\u{7}", "  \\u{1B}[2J  \\u{202E}a\\u{9B}b\\u{200B}", "",
        "now  1 row from the network",
      ])
    let line = UpdateLine.text(update, .init(error: "\u{1B}"))
    #expect(line.unicodeScalars.allSatisfy { !$0.isInvisible })
  }

  // MARK: - Lines of JSON

  @Test
  func `a line holds the update, the state and what failed, with ids as they are`() throws {
    let update = try Self.update(
      [#"{"id":1}"#, #"{"id":"1"}"#], [#"{"id":"1","v":1.50}"#, #"{"id":2}"#])
    #expect(
      UpdateLine.text(update, .init(next: "failed", error: "no \"way\"", gaps: 1)) == #"""
        {"origin":"network","count":2,"gaps":1,"state":{"refresh":"idle","next":"failed"},\#
        "error":"no \"way\"","changes":[{"op":"delete","path":[0,0],"id":1},\#
        {"op":"insert","path":[0,1],"item":{"id":2}},\#
        {"op":"update","path":[0,0],"item":{"id":"1","v":1.50}}]}
        """#)
  }

  @Test
  func `a reader of lines holds the list`() throws {
    var reader = LineReader()
    var before: [String] = []
    for after in [["1", "2", "3"], ["3", "\"1\"", "2"], [], ["4"]] {
      let rows = after.map { "{\"id\":\($0)}" }
      try reader.read(UpdateLine.text(try Self.update(before, rows), .init()))
      #expect(reader.rows.map { $0[["id"]].map(JSONText.text) } == after)
      before = rows
    }
  }

  // MARK: - Standard error

  @Test
  func `the same summary is said once, until the source is reached again`() {
    func failure(_ status: Int, _ seconds: Double) -> WatchFailure {
      WatchFailure(
        .source(
          HTTPError.status(
            status,
            url: URL(string: "http://x/?page=\(Int(seconds))") ?? URL(fileURLWithPath: "/"),
            retryAfter: .seconds(seconds), message: nil)), isPartial: false)
    }
    var reporter = ErrorReporter()
    #expect(reporter.recovery() == nil)
    #expect(reporter.line(for: failure(429, 60)) != nil)
    for second in 0..<50 {
      #expect(reporter.line(for: failure(429, Double(second))) == nil)
    }
    #expect(reporter.line(for: failure(500, 1)) != nil)
    #expect(reporter.line(for: failure(429, 60)) == nil)
    #expect(reporter.recovery() == "Reached again.")
    #expect(reporter.recovery() == nil)
    #expect(reporter.line(for: failure(429, 60)) != nil)
    #expect(reporter.note("a", about: "x") == "Note: a")
    #expect(reporter.note("b", about: "x") == nil)
  }

  @Test
  func `errors name the option that helps`() throws {
    let url = try #require(URL(string: "http://x/"))
    let cases: [(FeedError, String, Int32)] = [
      (.source(HTTPError.foreignLink(url)), "--allow-foreign-links", 69),
      (.pagingLoop(key: "2"), "--paging", 65),
      (.source(HTTPError.heldBack(url, retryAfter: .zero, reason: "r")), "held back", 69),
      (.decoding(path: "", expected: "JSON", found: "something else", url: url), "JSON API", 65),
      (.decoding(path: "/0/id", expected: "a value", found: "nothing", url: url), "--id", 65),
      (.source(HTTPError.tooLarge(limit: 1)), "smaller pages", 69),
      (
        .source(HTTPError.status(401, url: url, retryAfter: nil, message: nil)),
        "--user or --header", 69
      ),
      (
        .source(HTTPError.status(403, url: url, retryAfter: nil, message: nil)),
        "--user or --header", 69
      ),
      (
        .source(HTTPError.unreachable(url, code: .timedOut, reason: "r")), "no answer in time", 69
      ),
    ]
    for (error, text, code) in cases {
      let failure = WatchFailure(error, isPartial: false)
      #expect(failure.description.contains(text) && failure.code.rawValue == code)
      #expect(WatchFailure(error, isPartial: true).code.rawValue == 75)
    }
  }
}
