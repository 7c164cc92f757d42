import FreshetLists

/// A row whose id and contents tests choose freely.
struct Row: ListItem, CustomStringConvertible {
  let id: Int
  var version = 0

  var description: String { version == 0 ? "\(id)" : "\(id)v\(version)" }
}

extension ListSnapshot<Row> {
  init(_ sections: KeyValuePairs<String, [Int]>) {
    self.init(
      sections: sections.map {
        ListSection(name: $0.key, rows: RowTree($0.value.map { Row(id: $0) }))
      })
  }
}

/// A row of which it is counted how often its id is hashed.
struct HashedRow: ListItem {
  struct ID: Hashable, Comparable, Sendable {
    let value: Int
    let hashes: Counter

    func hash(into hasher: inout Hasher) {
      hashes.increment()
      hasher.combine(value)
    }

    static func == (first: ID, second: ID) -> Bool { first.value == second.value }
    static func < (first: ID, second: ID) -> Bool { first.value < second.value }
  }

  let id: ID
  var rank = 0
}
