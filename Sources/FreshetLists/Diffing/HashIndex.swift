/// An open-addressing table from hashes to integers: half a tag, half an index, in one word.
///
/// The ids themselves stay in the rows; a tag that agrees is confirmed there by the caller.
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
  static func tag(_ hash: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: hash) & 0xffff_ffff_0000_0000
  }

  @inlinable
  mutating func insert(_ index: Int, hash: Int) {
    var slot = hash & mask
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = Self.tag(hash) | UInt64(UInt32(index + 1))
  }

  /// The first entry with this hash that `matches` confirms.
  @inlinable
  func find(hash: Int, _ matches: (Int) -> Bool) -> Int? {
    var slot = hash & mask
    let tag = Self.tag(hash)
    while slots[slot] != 0 {
      if slots[slot] & 0xffff_ffff_0000_0000 == tag {
        let index = Int(slots[slot] & 0xffff_ffff) - 1
        if matches(index) { return index }
      }
      slot = (slot + 1) & mask
    }
    return nil
  }
}
