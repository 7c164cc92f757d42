internal import FreshetLists

/// Items in the order in which they came, found by their ids: what it holds at a moment is kept in
/// O(1), for whoever wants to look at it later.
struct InsertionOrderedItems<Item: ListItem>: Sendable {
  /// Items that came one behind the other, with holes where some went.
  fileprivate struct Chunk: Sendable {
    var items: [Item?] = []
    var count = 0
  }

  /// All items at a moment.
  struct Snapshot: Sendable {
    fileprivate let chunks: [Int: Chunk]

    /// The items, in the order in which they came.
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

  /// As many items are copied where one changes that a snapshot holds.
  private static var length: Int { 64 }

  private var chunks: [Int: Chunk] = [:]
  private var places: [Item.ID: Int] = [:]
  private var end = 0

  /// How many items there is room for.
  var slots: Int { chunks.count * Self.length }

  /// What there is now.
  ///
  /// - Complexity: O(1), and O(*n* / 64) for the change that comes next.
  var snapshot: Snapshot { Snapshot(chunks: chunks) }

  /// The item with an id.
  subscript(id: Item.ID) -> Item? {
    places[id].flatMap { chunks[$0 / Self.length]?.items[$0 % Self.length] }
  }

  /// Puts an item in the place of the one with its id, or behind all others.
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

  /// Removes the item with an id, if it is there.
  ///
  /// - Complexity: O(1) on average: items that are few for their slots are put anew.
  mutating func remove(_ id: Item.ID) {
    guard let place = places.removeValue(forKey: id) else { return }
    let number = place / Self.length
    chunks[number]?.items[place % Self.length] = nil
    chunks[number]?.count -= 1
    // The last chunk goes on: its places count from its start.
    if chunks[number]?.count == 0, number < end / Self.length { chunks[number] = nil }
    if chunks.count > 1, places.count < slots / 4 { pack() }
  }

  private mutating func pack() {
    let items = snapshot.items
    self = InsertionOrderedItems()
    for item in items { put(item) }
  }
}
