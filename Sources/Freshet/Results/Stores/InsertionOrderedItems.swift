internal import FreshetLists

/// The items of a store in insertion order, with lookup by id.
///
/// A snapshot takes O(1), and can be read later.
struct InsertionOrderedItems<Item: ListItem>: Sendable {
  /// Consecutive items, with holes for those that were removed.
  fileprivate struct Chunk: Sendable {
    var items: [Item?] = []
    var count = 0
  }

  /// All items at one moment.
  struct Snapshot: Sendable {
    fileprivate let chunks: [Int: Chunk]

    /// The items, in insertion order.
    ///
    /// - Complexity: O(*n*).
    var items: [Item] {
      // Loops: in code for any item, each step of a lazy sequence costs more than its work.
      var items: [Item] = []
      items.reserveCapacity(chunks.values.reduce(0) { $0 + $1.count })
      for number in chunks.keys.sorted() {
        guard let slots = chunks[number]?.items else { continue }
        for index in slots.indices { if let item = slots[index] { items.append(item) } }
      }
      return items
    }
  }

  /// The size of a chunk: a change copies as many items if a snapshot holds the chunk.
  private static var length: Int { 64 }

  private var chunks: [Int: Chunk] = [:]
  private var places: [Item.ID: Int] = [:]
  private var end = 0

  /// The number of items that the chunks have room for.
  var slots: Int { chunks.count * Self.length }

  /// The current items.
  ///
  /// - Complexity: O(1), and O(*n* / 64) for the next change.
  var snapshot: Snapshot { Snapshot(chunks: chunks) }

  /// The item with an id.
  subscript(id: Item.ID) -> Item? {
    places[id].flatMap { chunks[$0 / Self.length]?.items[$0 % Self.length] }
  }

  /// Replaces the item with the same id, or appends the item if there is none.
  mutating func put(_ item: Item) {
    if let place = places[item.id] {
      chunks[place / Self.length]?.items[place % Self.length] = item
      return
    }
    places[item.id] = end
    chunks[end / Self.length, default: Chunk()].items.append(item)
    chunks[end / Self.length]?.count += 1
    end += 1
  }

  /// Removes the item with an id, if there is one.
  ///
  /// - Complexity: O(1) on average: if few of the slots are in use, all items are inserted again
  ///   into new chunks.
  mutating func remove(_ id: Item.ID) {
    guard let place = places.removeValue(forKey: id) else { return }
    let number = place / Self.length
    chunks[number]?.items[place % Self.length] = nil
    chunks[number]?.count -= 1
    // The last chunk is kept even if it is empty: new items get positions counted from its start.
    if chunks[number]?.count == 0, number < end / Self.length { chunks[number] = nil }
    if chunks.count > 1, places.count < slots / 4 { pack() }
  }

  private mutating func pack() {
    let items = snapshot.items
    self = InsertionOrderedItems()
    for item in items { put(item) }
  }
}
