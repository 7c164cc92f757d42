/// In which order items came, for as long as they are there: what decides where nothing else does
/// (rule A2).
///
/// Where ids can be compared they decide, and nothing is noted.
struct Arrivals<Item: ListItem>: Sendable {
  private let isNeeded = !(Item.ID.self is any Comparable.Type)
  private var numbers: [Item.ID: Int] = [:]
  private var last = 0

  /// Notes items that came; those that are there came before.
  mutating func note(_ items: [Item]) {
    guard isNeeded else { return }
    numbers.reserveCapacity(numbers.count + items.count)
    for item in items where numbers[item.id] == nil {
      last += 1
      numbers[item.id] = last
    }
  }

  /// Forgets an item that went.
  mutating func forget(_ id: Item.ID) { if isNeeded { numbers[id] = nil } }

  /// Whether an item came before another.
  func precedes(_ first: Item.ID, _ second: Item.ID) -> Bool {
    guard isNeeded, let first = numbers[first], let second = numbers[second] else { return false }
    return first < second
  }

  /// The items as they came.
  func sorted(_ items: [Item]) -> [Item] {
    guard isNeeded else { return items }
    return items.map { (number: numbers[$0.id] ?? .max, item: $0) }
      .sorted { $0.number < $1.number }.map(\.item)
  }
}
