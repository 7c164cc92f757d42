import FreshetLists

/// What came, went, moved and changed by Heckel's algorithm (Communications of the ACM 21, 4,
/// 1978), as the popular diffing libraries of Swift have it: linear, by one table of ids, and with
/// more moves than needed.
struct HeckelDifference {
  var deleted: [Int] = []
  var inserted: [Int] = []
  var moved: [(from: Int, to: Int)] = []
  var updated: [Int] = []

  init<Item: ListItem>(from old: [Item], to new: [Item]) {
    var places = [Item.ID: Int](minimumCapacity: old.count)
    for (index, item) in old.enumerated() { places[item.id] = index }
    var sources = [Int](repeating: -1, count: new.count)
    var stays = [Bool](repeating: false, count: old.count)
    for (index, item) in new.enumerated() {
      guard let source = places[item.id] else { continue }
      sources[index] = source
      stays[source] = true
    }
    // How many rows above one are gone.
    var gone = [Int](repeating: 0, count: old.count)
    for index in old.indices {
      gone[index] = deleted.count
      if !stays[index] { deleted.append(index) }
    }
    for (index, source) in sources.enumerated() {
      if source < 0 {
        inserted.append(index)
        continue
      }
      if old[source] != new[index] { updated.append(index) }
      if source - gone[source] + inserted.count != index { moved.append((source, index)) }
    }
  }
}
