import Freshet

/// An update as one line of JSON, the format of `freshet watch`.
enum UpdateLine {
  /// Returns the line of an update and its state.
  static func text<Row: PrintedRow>(
    _ update: ListStep<Row>, _ state: WatchView.State
  ) -> String {
    let operations: [RowOperation<String>] = update.operations { row in
      (row.item?.id.json ?? "null", row.item?.text ?? "null")
    }
    var members = [
      ("origin", JSONText.quoted(update.origin.rawValue)), ("count", "\(update.after.count)"),
      ("gaps", "\(state.gaps)"),
      (
        "state",
        object([
          ("refresh", JSONText.quoted(state.refresh)), ("next", JSONText.quoted(state.next)),
        ])
      ),
    ]
    if let error = state.error { members.append(("error", JSONText.quoted(error))) }
    members.append(("changes", "[" + operations.map(text).joined(separator: ",") + "]"))
    return object(members)
  }

  /// Returns the JSON of an operation, whose ids and items are JSON already.
  private static func text(_ operation: RowOperation<String>) -> String {
    func path(_ path: RowPath) -> String { "[\(path.section),\(path.row)]" }
    func line(_ name: String, _ members: [(String, String)]) -> String {
      object([("op", JSONText.quoted(name))] + members)
    }
    return switch operation {
    case .delete(let at, let id): line("delete", [("path", path(at)), ("id", id)])
    case .move(let from, let to, let row):
      line("move", [("from", path(from)), ("to", path(to)), ("item", row)])
    case .insert(let at, let row): line("insert", [("path", path(at)), ("item", row)])
    case .update(let at, let row): line("update", [("path", path(at)), ("item", row)])
    case .deleteSection(let section): line("deleteSection", [("section", "\(section)")])
    case .insertSection(let section, let name):
      line("insertSection", [("section", "\(section)"), ("name", JSONText.quoted(name))])
    }
  }

  /// Returns an object of members whose values are JSON already.
  private static func object(_ members: [(name: String, value: String)]) -> String {
    "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
  }
}
