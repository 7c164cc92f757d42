/// An open-addressing table from hashes to integers: half a hash, half an index, in one word.
///
/// The ids stay in the rows: if a hash agrees, the caller compares the ids there.
@usableFromInline
struct HashIndex {
  @usableFromInline var slots: [UInt64]
  @usableFromInline let mask: Int

  /// Creates a table with room for `capacity` entries.
  @inlinable
  init(capacity: Int) {
    var size = 8
    while size * 3 < capacity * 4 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
    mask = size - 1
  }

  @inlinable
  mutating func insert(_ index: Int, hash: UInt32) {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = UInt64(hash) << 32 | UInt64(UInt32(index + 1))
  }

  /// Returns the first entry with this hash that `matches` confirms.
  @inlinable
  func find(hash: UInt32, _ matches: (Int) -> Bool) -> Int? {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      if slots[slot] >> 32 == UInt64(hash) {
        let index = Int(slots[slot] & 0xffff_ffff) - 1
        if matches(index) { return index }
      }
      slot = (slot + 1) & mask
    }
    return nil
  }
}

/// The requested hashes of row ids: each id is hashed once.
@usableFromInline
package struct RowHashes: Sendable {
  /// The hashes by row index; zero for a hash that was not requested yet.
  @usableFromInline var known: ContiguousArray<UInt32> = []

  @inlinable init() {}

  /// Returns the hash of the id of the row at an index.
  mutating func hash(_ index: Int, in rows: inout TreeCursor<RowRef>) -> UInt32 {
    if index < known.count, known[index] != 0 { return known[index] }
    let offset = rows.seek(index)
    let hash = rows.leaf[offset].hash
    if index < known.count { known[index] = hash }
    return hash
  }
}
