import Foundation
import FreshetLists
import FreshetTesting
import Testing

/// The items of a snapshot, and what values of lists show of themselves.
@Suite struct ListItemsTests {
  @Test(arguments: SeededGenerator.seeds(50))
  func `items are the rows of all sections, reached by any way`(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var id = 0
    let sections = (0..<Int.random(in: 0...8, using: &random)).map { section in
      ListSection(
        name: "\(section)",
        rows: RowTree(
          (0..<Int.random(in: 0...5, using: &random)).map { _ in
            id += 1
            return Row(id: id)
          }))
    }
    let snapshot = ListSnapshot(sections: sections)
    let expected = sections.flatMap { Array($0.rows) }
    let items = snapshot.items
    #expect(Array(items) == expected && items.indices.map { items[$0] } == expected, "seed \(seed)")
    #expect(items.count == expected.count && Array(items.reversed()) == expected.reversed())
    for index in items.indices {
      let path = snapshot.path(at: index)
      #expect(try snapshot.item(at: path) == expected[index], "seed \(seed)")
    }
  }

  @Test
  func `items are equal where their rows are, whatever the sections`() {
    let one = ListSnapshot([Row(id: 1), Row(id: 2)])
    let two = ListSnapshot(sections: [
      ListSection(name: "a", rows: [Row(id: 1)]), ListSection(name: "b", rows: [Row(id: 2)]),
    ])
    #expect(one.items == two.items && one != two)
    #expect(one.items != ListSnapshot([Row(id: 2), Row(id: 1)]).items)
  }

  @Test
  func `changes are read by people, and sent to another place`() throws {
    var changes = ListChanges()
    #expect("\(changes)" == "no changes")
    changes.insertedSections = [1]
    changes.deletedRows = [RowPath(section: 0, row: 1), RowPath(section: 0, row: 2)]
    #expect("\(changes)" == "1 section inserted, 2 rows deleted")
    let sent = try JSONEncoder().encode(changes)
    #expect(try JSONDecoder().decode(ListChanges.self, from: sent) == changes)
  }

  /// An item of a class that others may inherit from.
  private class Person: ListItem, @unchecked Sendable {
    let id: Int
    let name: String

    init(id: Int, name: String) {
      self.id = id
      self.name = name
    }

    static func == (first: Person, second: Person) -> Bool {
      first.id == second.id && first.name == second.name
    }
  }

  private final class Editor: Person, @unchecked Sendable {}

  @Test
  func `items may be objects, of a class and of those that inherit from it`() {
    let people = [Person(id: 1, name: "Ada"), Editor(id: 2, name: "Ben")]
    var list = SortedList(people, arrangement: .sorted(by: \.name, .reverse))
    #expect(list.snapshot.items.map(\.id) == [2, 1] && list[2] is Editor)
    let update = list.change(upserting: [Editor(id: 1, name: "Cem")], removing: [2])
    #expect(update?.after.items.map(\.name) == ["Cem"])
    #expect(list.path(of: 1) == RowPath(section: 0, row: 0) && list.path(of: 2) == nil)
  }
}
