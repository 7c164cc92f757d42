import Foundation

@testable import FreshetTool

/// A script that reads what `freshet watch --format jsonl` writes, and holds the list.
struct LineReader {
  struct Line {
    struct Change {
      var op: String
      var path: [Int]?
      var from: [Int]?
      var to: [Int]?
      var item: JSONValue?
      var section: Int?
      var name: String?
    }

    var origin: String
    var count: Int
    var gaps: Int
    var state: [String: String]
    var error: String?
    var changes: [Change]
  }

  private(set) var sections: [(name: String, rows: [JSONValue])] = []
  private(set) var lines: [Line] = []

  var rows: [JSONValue] { sections.flatMap(\.rows) }
  var ids: [String] { rows.compactMap { $0[["id"]]?.text } }

  mutating func read(_ text: some StringProtocol) throws {
    for line in text.split(separator: "\n") {
      let line = try Line(try JSONReader.value(of: line.utf8, depth: 1000))
      perform(line.changes)
      lines.append(line)
    }
  }

  private mutating func perform(_ changes: [Line.Change]) {
    func sorted(_ op: String, by path: (Line.Change) -> [Int]?) -> [Line.Change] {
      changes.filter { $0.op == op }.sorted {
        (path($0) ?? []).lexicographicallyPrecedes(path($1) ?? [])
      }
    }
    let gone = changes.compactMap { $0.op == "delete" ? $0.path : $0.op == "move" ? $0.from : nil }
    for path in gone.sorted(by: { $1.lexicographicallyPrecedes($0) }) {
      sections[path[0]].rows.remove(at: path[1])
    }
    for change in sorted("deleteSection", by: { $0.section.map { [$0] } }).reversed() {
      sections.remove(at: change.section ?? 0)
    }
    for change in sorted("insertSection", by: { $0.section.map { [$0] } }) {
      sections.insert((change.name ?? "", []), at: change.section ?? 0)
    }
    let come = changes.filter { ["insert", "move"].contains($0.op) }.sorted {
      ($0.path ?? $0.to ?? []).lexicographicallyPrecedes($1.path ?? $1.to ?? [])
    }
    for change in come {
      guard let path = change.path ?? change.to, let item = change.item else { continue }
      sections[path[0]].rows.insert(item, at: path[1])
    }
    for change in changes where change.op == "update" {
      guard let path = change.path, let item = change.item else { continue }
      sections[path[0]].rows[path[1]] = item
    }
  }
}

extension LineReader.Line {
  struct Missing: Error {
    let name: String
  }

  init(_ value: JSONValue) throws {
    func text(_ path: String...) throws -> String {
      guard let text = value[path]?.text else { throw Missing(name: path.joined(separator: "/")) }
      return text
    }
    guard case .array(let operations)? = value[["changes"]] else { throw Missing(name: "changes") }
    origin = try text("origin")
    count = Int(try text("count")) ?? -1
    gaps = Int(try text("gaps")) ?? -1
    state = ["refresh": try text("state", "refresh"), "next": try text("state", "next")]
    error = value[["error"]]?.text
    changes = operations.map(Change.init)
  }
}

extension LineReader.Line.Change {
  init(_ value: JSONValue) {
    func path(_ name: String) -> [Int]? {
      guard case .array(let numbers)? = value[[name]] else { return nil }
      return numbers.compactMap { $0.text.flatMap { Int($0) } }
    }
    op = value[["op"]]?.text ?? ""
    self.path = path("path")
    from = path("from")
    to = path("to")
    item = value[["item"]]
    section = value[["section"]]?.text.flatMap { Int($0) }
    name = value[["name"]]?.text
  }
}
