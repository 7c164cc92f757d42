import FreshetTesting
import Testing

@testable import FreshetLists

/// Rule A2 where ids have no order of their own.
@Suite(.timeLimit(.minutes(5)))
struct SortedOrderTests {
  struct Key: Hashable, Sendable { let value: Int }
  struct Plain: ListItem {
    let id: Key
    var rank = 0
  }

  @Test
  func `A2: items without an order of ids stand as they came`() {
    var list = SortedList(
      [3, 1, 2].map { Plain(id: Key(value: $0)) }, arrangement: .sorted(by: \.rank))
    list.change(upserting: [Plain(id: Key(value: 0)), Plain(id: Key(value: 9), rank: -1)])
    #expect(list.snapshot.items.map(\.id.value) == [9, 3, 1, 2, 0])
  }

  @Test
  func `A2: items without an order of ids stand as they came, whatever happened in between`() {
    // Many, for the order of a dictionary differs from run to run.
    let items = (0..<200).map { Plain(id: Key(value: $0 * 7919 % 200), rank: $0 % 3) }
    let ids = items.map(\.id.value)
    var list = SortedList(items)
    #expect(list.snapshot.items.map(\.id.value) == ids)
    list.arrange(.sorted(by: \.rank, .reverse))
    list.arrange(.all)
    #expect(list.snapshot.items.map(\.id.value) == ids)
    list.arrange(.filtered { $0.rank == 1 })
    list.arrange(.all)
    #expect(list.snapshot.items.map(\.id.value) == ids)
    // One that moves among others of its rank stands there as it came, and one that went comes
    // last.
    list.arrange(.sorted(by: \.rank))
    list.change(upserting: [Plain(id: Key(value: ids[0]), rank: 2)])
    list.change(upserting: [], removing: [Key(value: ids[2])])
    list.change(upserting: [Plain(id: Key(value: ids[2]), rank: 2)])
    let rank2 = items.indices.filter { $0 % 3 == 2 && $0 != 2 }.map { ids[$0] }
    #expect(
      list.snapshot.items.filter { $0.rank == 2 }.map(\.id.value) == [ids[0]] + rank2 + [ids[2]])
    let rebuilt = list.snapshot
    list.arrange(.all)
    list.arrange(.sorted(by: \.rank))
    #expect(list.snapshot == rebuilt)
  }
}
