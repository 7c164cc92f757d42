/// In which order items came, for as long as they are there: what decides where nothing else does
/// (rule A2).
///
/// Where ids can be compared they decide, and nothing is noted.
@usableFromInline
struct Arrivals<Item: ListItem>: Sendable {
  @usableFromInline let isNeeded = !(Item.ID.self is any Comparable.Type)
  @usableFromInline var numbers: [Item.ID: Int] = [:]
  @usableFromInline var last = 0

  @inlinable init() {}

  /// Notes items that came; those that are there came before.
  @inlinable
  mutating func note(_ items: [Item]) {
    guard isNeeded else { return }
    numbers.reserveCapacity(numbers.count + items.count)
    for item in items where numbers[item.id] == nil {
      last += 1
      numbers[item.id] = last
    }
  }

  /// Forgets an item that went.
  @inlinable
  mutating func forget(_ id: Item.ID) { if isNeeded { numbers[id] = nil } }

  /// Whether an item came before another.
  @inlinable
  func precedes(_ first: Item.ID, _ second: Item.ID) -> Bool {
    guard isNeeded, let first = numbers[first], let second = numbers[second] else { return false }
    return first < second
  }

  /// The indices of items in the order in which the items came.
  @inlinable
  func order(of items: [Item]) -> [Int32] {
    let indices = Array(0..<Int32(items.count))
    guard isNeeded else { return indices }
    let numbers = items.map { self.numbers[$0.id] ?? .max }
    return indices.sorted { numbers[Int($0)] < numbers[Int($1)] }
  }
}
