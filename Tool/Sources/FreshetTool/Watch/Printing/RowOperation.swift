import Freshet

/// An operation of an update on a row or a section, in the coordinates of a batch update.
enum RowOperation<Row: Encodable>: Encodable {
  case delete(RowPath, id: String)
  case move(from: RowPath, to: RowPath, Row)
  case insert(RowPath, Row)
  case update(RowPath, Row)
  case deleteSection(Int)
  case insertSection(Int, name: String)

  private enum Keys: String, CodingKey {
    case op, path, from, to, id, item, section, name
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Keys.self)
    func path(_ path: RowPath) -> [Int] { [path.section, path.row] }
    switch self {
    case .delete(let at, let id):
      try object.encode("delete", forKey: .op)
      try object.encode(path(at), forKey: .path)
      try object.encode(id, forKey: .id)
    case .move(let from, let to, let row):
      try object.encode("move", forKey: .op)
      try object.encode(path(from), forKey: .from)
      try object.encode(path(to), forKey: .to)
      try object.encode(row, forKey: .item)
    case .insert(let at, let row):
      try object.encode("insert", forKey: .op)
      try object.encode(path(at), forKey: .path)
      try object.encode(row, forKey: .item)
    case .update(let at, let row):
      try object.encode("update", forKey: .op)
      try object.encode(path(at), forKey: .path)
      try object.encode(row, forKey: .item)
    case .deleteSection(let section):
      try object.encode("deleteSection", forKey: .op)
      try object.encode(section, forKey: .section)
    case .insertSection(let section, let name):
      try object.encode("insertSection", forKey: .op)
      try object.encode(section, forKey: .section)
      try object.encode(name, forKey: .name)
    }
  }
}

extension ListStep {
  /// Returns the update as operations that contain all that is needed to build the list.
  ///
  /// The rows of inserted sections are inserted one by one.
  func operations<Row: Encodable>(_ row: (Item) -> (id: String, row: Row)) -> [RowOperation<Row>] {
    var operations: [RowOperation<Row>] = changes.deletedRows.reversed().map {
      .delete($0, id: row(before[$0]).id)
    }
    operations += changes.deletedSections.reversed().map { .deleteSection($0) }
    operations += changes.insertedSections.map { .insertSection($0, name: after.sections[$0].name) }
    let newRows = changes.insertedSections.flatMap { section in
      after.sections[section].rows.indices.map { RowPath(section: section, row: $0) }
    }
    let targets = Dictionary(uniqueKeysWithValues: changes.movedRows.map { ($0.to, $0.from) })
    for path in (changes.insertedRows + newRows + targets.keys).sorted() {
      let row = row(after[path]).row
      operations.append(targets[path].map { .move(from: $0, to: path, row) } ?? .insert(path, row))
    }
    operations += changes.updatedRows.map { .update($0, row(after[$0]).row) }
    return operations
  }
}

extension ListSnapshot {
  /// Returns the list without some of its rows, and without empty sections.
  func rows(where isKept: (Item) -> Bool) -> ListSnapshot {
    let sections = sections.map { section in
      ListSection(name: section.name, rows: RowTree(section.rows.lazy.filter(isKept)))
    }
    return ListSnapshot(sections: sections.filter { $0.count > 0 })
  }
}
