import Foundation
import Freshet

// Reports of outboxes, whose mutations are named by their types: what is in them is private.
extension ReportText {
  /// The most mutations that are listed beside other reports.
  private static let mutationLimit = 20

  /// Returns the lines of a report; all mutations are included if it `isWhole`.
  static func lines(_ report: OutboxReport, at now: Date, isWhole: Bool) -> [String] {
    let (pending, failed) = (report.pending.count, report.failed.count)
    var lines = [
      "outbox", "  \(pending) pending, \(failed) failed, \(size(report.bytes))",
      "  folder: \(report.url.path.visible)",
    ]
    let listed = report.mutations.prefix(isWhole ? .max : mutationLimit)
    lines += listed.enumerated().map { index, mutation in
      "  \(padded("\(index + 1)", 8))  \(line(mutation, at: now))"
    }
    let rest = report.mutations.count - listed.count
    if rest > 0 { lines.append("       ···  \(rest) more") }
    if report.hasFileSetAside {
      lines.append("  note: a damaged file was set aside before; its mutations may be lost")
    }
    return lines + report.problems.map { "  problem: \($0.visible)" }
  }

  private static func line(_ mutation: PendingMutation, at now: Date) -> String {
    let age = Age.text(now.timeIntervalSince(mutation.performedAt))
    let what = "\(mutation.name) of \(mutation.itemName)".visible
    if let failure = mutation.failure {
      return "failed   \(what)  \(age)  \(failure.message.visible)"
    }
    return "pending  \(what)  \(age)  \(mutation.attempts > 0 ? "tried before" : "not tried yet")"
  }

  /// Returns a report as one line of JSON.
  static func json(_ report: OutboxReport) -> String {
    JSONText.text(
      object([
        ("kind", .string("outbox")), ("folder", .string(report.url.path)),
        ("bytes", number(report.bytes)), ("mutations", .array(report.mutations.map(mutation))),
        ("hasFileSetAside", .bool(report.hasFileSetAside)),
        ("problems", .array(report.problems.map { .string($0) })),
      ]))
  }

  private static func mutation(_ mutation: PendingMutation) -> JSONValue {
    object([
      ("id", .string(mutation.id)), ("name", .string(mutation.name)),
      ("item", .string(mutation.itemName)), ("performedAt", date(mutation.performedAt)),
      ("isTried", .bool(mutation.attempts > 0)),
      ("failure", mutation.failure.map { .string($0.message) } ?? .null),
    ])
  }
}
