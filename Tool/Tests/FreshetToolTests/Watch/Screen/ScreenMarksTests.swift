import Foundation
import Freshet
import Testing

@testable import FreshetTool

/// What the screen marks of what happened, and what it leaves alone.
@Suite
struct ScreenMarksTests {
  @Test
  func `changes are marked for a moment, each with its sign, and gone rows where they were`() throws
  {
    var session = ScreenSession(height: 10)
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
  func `rows with unsent edits are marked and counted for as long as they are not sent`() throws {
    var session = ScreenSession(height: 10)
    try session.show([1, 2, 3])
    let ids = try [2, 3, 99].map { try #require(RowID(.number("\($0)"))) }
    session.handle(.unsent(Set(ids)))
    func signs() -> [String] { session.table.prefix(3).map { String($0.prefix(3)) } }
    #expect(signs() == ["  1", "↑ 2", "↑ 3"])
    #expect(session.texts.last?.contains("3 not sent") == true)
    // What happened is shown first, and the mark is there again afterwards.
    try session.show([1, 2, 3], text: { $0 == 2 ? "new" : "row \($0)" })
    #expect(signs() == ["  1", "~ 2", "↑ 3"])
    session.wait(10)
    #expect(signs() == ["  1", "↑ 2", "↑ 3"])
    session.type("/row")
    session.press(.escape)
    #expect(signs() == ["  1", "↑ 2", "↑ 3"])
    session.handle(.unsent([]))
    #expect(signs() == ["  1", "  2", "  3"])
    #expect(session.texts.last?.contains("not sent") == false)
  }

  @Test
  func `rows that loading brought behind the last one are no news`() throws {
    var session = ScreenSession()
    try session.show([1, 2])
    try session.show([0, 1, 2, 3, 4])
    #expect(session.table.prefix(5).map { $0.prefix(1) } == ["+", " ", " ", " ", " "])
  }

  @Test
  func `the list decides whether a filter or the source took a row, however late it goes`() throws {
    var session = ScreenSession()
    func signs() -> [String] { session.table.map { String($0.prefix(3)) } }
    try session.show([1, 2, 14])
    session.type("/14")
    session.wait(60)
    // The filter's rows come long after it.
    try session.show([14], of: [1, 2, 14])
    #expect(signs()[0] == "  1")
    #expect(!signs().contains { $0.hasPrefix("-") || $0.hasPrefix("+") })
    // The source takes a row away and brings another one that it includes.
    try session.show([141], of: [1, 2, 141])
    #expect(signs().contains { $0.hasPrefix("-") })
    session.press(.escape)
    session.wait(60)
    try session.show([1, 2, 141])
    #expect(!signs().contains { $0.hasPrefix("+") || $0.hasPrefix("-") })
    // Now no filter hides what is new.
    try session.show([0, 1, 2, 141])
    #expect(signs()[0] == "+ 0")
  }

  @Test
  func `a new row that only the second of two filters leaves is marked`() throws {
    var session = ScreenSession()
    try session.show([14, 2], of: [14, 2])
    session.type("/4")
    try session.show([14], of: [14, 2])
    // The second leaves the same rows, and no update says that it is in force.
    session.press(.backspace)
    session.type("1")
    session.wait(60)
    try session.show([31, 14], of: [31, 14, 2])
    #expect(session.table.prefix(2).map { $0.prefix(4) } == ["+ 31", "  14"])
  }

  @Test
  func `a new row is marked where the source's list is a step ahead of the one on display`() throws
  {
    var session = ScreenSession()
    try session.show([1, 2])
    try session.source(has: [9, 1, 2])
    // A row changes before the new one is on display, and the screen is told of both lists.
    try session.show(
      [1, 2], of: [9, 1, 2], text: { $0 == 1 ? "changed" : "row \($0)" })
    try session.show([9, 1, 2], text: { $0 == 1 ? "changed" : "row \($0)" })
    #expect(session.table.prefix(3).map { $0.prefix(3) } == ["+ 9", "~ 1", "  2"])
    // What goes and is back at once did not go.
    try session.source(has: [8, 9, 1, 2])
    try session.source(has: [9, 1, 2])
    try session.source(has: [8, 9, 1, 2])
    try session.show([9, 1, 2], of: [8, 9, 1, 2])
    try session.show([8, 9, 1, 2])
    #expect(session.table.prefix(2).map { $0.prefix(3) } == ["+ 8", "+ 9"])
  }

  @Test
  func `what went is held in bounds, however fast rows go`() throws {
    var session = ScreenSession()
    for round in 0..<10 {
      try session.show(Array((round * 200)..<(round * 200 + 201)))
    }
    #expect(session.screen.marks.gone.count <= RowMarks.limit)
    #expect(!session.screen.marks.gone.isEmpty)
  }
}
