import Foundation
import Freshet

/// Reports of caches and outboxes, as lines for people or as JSON for scripts.
enum ReportText {
  /// Returns the lines of a report; its parts are included only if it `isWhole`.
  static func lines(_ report: CacheReport, at now: Date, isWhole: Bool) -> [String] {
    let files = counted(report.files, "file")
    var lines = [
      (report.name.isEmpty ? report.url.path : report.name).visible,
      "  \(counted(report.rows, "row")) in \(files), \(counted(report.gaps, "gap")), "
        + "\(size(report.bytes)), version \(report.version)",
    ]
    if isWhole { lines += whole(report, at: now) }
    if report.hasFileSetAside {
      lines.append("  note: a damaged file was set aside before; its rows are asked for again")
    }
    lines += report.problems.map { "  problem: \($0.visible)" }
    return lines
  }

  private static func whole(_ report: CacheReport, at now: Date) -> [String] {
    let state = report.state
    func age(_ date: Date?) -> String {
      date.map { Age.text(now.timeIntervalSince($0)) } ?? "never"
    }
    var lines = [
      "  folder: \(report.url.path.visible)", "  refreshed: \(age(state.refreshedAt))",
      "  head: \(state.head.rawValue), end: \(state.tail.rawValue)",
      "  log: \(counted(report.steps, "step")) behind the last whole state",
    ]
    if let page = state.page {
      lines.append(
        "  validator: \(page.validator.visible), of the first \(counted(page.rows, "row"))")
    }
    if let anchor = state.anchor { lines.append("  the reader is at row \(anchor + 1)") }
    var first = 1
    lines += report.parts.map { part in
      switch part {
      case .gap:
        first += 1
        return "       ···  a gap"
      case .run(let run):
        defer { first += run.rows }
        let key = run.mark.next.map { "  next \(shown($0).visible)" } ?? ""
        let fetched = run.mark.fetchedAt.map { "  \(age($0))" } ?? ""
        let broken = run.isReadable ? "" : "  damaged"
        return "  \(padded("\(first)", 8))  \(run.file)  \(counted(run.rows, "row"))"
          + "  \(size(run.bytes))\(fetched)\(key)\(broken)"
      @unknown default: return "  ?"
      }
    }
    return lines
  }

  /// Returns a page key as text for people.
  ///
  /// A key that is a case with one text, such as a URL or a cursor, becomes that text.
  private static func shown(_ pageKey: PageKey) -> String {
    if case .object(let cases) = key(pageKey), cases.count == 1,
      case .object(let values) = cases[0].value, values.count == 1, values[0].name == "_0",
      case .string(let text) = values[0].value
    {
      return text
    }
    return pageKey.json
  }

  private static func counted(_ count: Int, _ what: String) -> String {
    "\(count) \(what)\(count == 1 ? "" : "s")"
  }

  static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Returns a number of bytes as text for people.
  static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1000: "\(bytes) B"
    case ..<1_000_000: "\(bytes / 1000) kB"
    default: "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    }
  }

  // MARK: - JSON

  /// Returns a report as one line of JSON.
  static func json(_ report: CacheReport) -> String {
    let state = report.state
    return object([
      ("kind", .string("feed")), ("name", .string(report.name)),
      ("folder", .string(report.url.path)), ("version", number(report.version)),
      ("rows", number(report.rows)), ("gaps", number(report.gaps)),
      ("bytes", number(report.bytes)),
      ("head", .string(state.head.rawValue)), ("end", .string(state.tail.rawValue)),
      ("refreshedAt", date(state.refreshedAt)),
      ("anchor", state.anchor.map(number) ?? .null),
      ("validator", state.page.map { .string($0.validator) } ?? .null),
      ("steps", number(report.steps)), ("parts", .array(report.parts.map(part))),
      ("hasFileSetAside", .bool(report.hasFileSetAside)),
      ("problems", .array(report.problems.map { .string($0) })),
    ]).line
  }

  private static func part(_ part: CacheReport.Part) -> JSONValue {
    guard case .run(let run) = part else { return object([("kind", .string("gap"))]) }
    return object([
      ("kind", .string("run")), ("file", .string(run.file)), ("rows", number(run.rows)),
      ("bytes", number(run.bytes)), ("fetchedAt", date(run.mark.fetchedAt)),
      ("next", key(run.mark.next)), ("previous", key(run.mark.previous)),
      ("isReadable", .bool(run.isReadable)),
    ])
  }

  private static func key(_ key: PageKey?) -> JSONValue {
    guard let key else { return .null }
    return (try? JSONReader.value(of: key.json.utf8)) ?? .string(key.json)
  }

  static func number(_ number: Int) -> JSONValue { .number("\(number)") }

  static func date(_ date: Date?) -> JSONValue {
    date.map { .string($0.formatted(.iso8601)) } ?? .null
  }

  static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { .init(name: $0.0, value: $0.1) }.sorted { $0.name < $1.name })
  }
}

extension JSONValue {
  fileprivate var line: String { JSONText.text(self) }
}
