import FreshetTesting
import Testing

@testable import FreshetLists

@Suite(.timeLimit(.minutes(5)))
struct HashTrieTests {
  typealias Entry = HashTrie.Entry

  /// A few of all hashes are those of many rows.
  private func place(_ random: inout SeededGenerator, _ order: Int) -> Entry {
    let hash =
      random.oneIn(8)
      ? UInt32.random(in: 0..<3, using: &random) : UInt32(truncatingIfNeeded: random.next())
    return Entry(hash: hash, section: 1, order: RowOrder(order))
  }

  @Test(arguments: 0..<20)
  func `places are found by their hashes, and copies stay as they were`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var known: [Entry] = []
    var places = HashTrie()
    if random.oneIn(2) {
      known = (0..<2_000).map { place(&random, $0) }
      places = HashTrie(known)
    }
    var copies: [(places: HashTrie, known: [Entry])] = []
    let grows = random.oneIn(2)
    for step in 0..<1_500 {
      if random.oneIn(grows ? 4 : 2), let index = known.indices.randomElement(using: &random) {
        places.remove(known.remove(at: index))
      } else {
        known.append(place(&random, 10_000 + step))
        places.insert(known[known.count - 1])
      }
      if random.oneIn(200) { copies.append((places, known)) }
    }
    for (places, known) in copies + [(places, known)] {
      #expect(Set(places.all.map(\.order)) == Set(known.map(\.order)), "seed \(seed)")
      #expect(places.all.count == known.count, "seed \(seed)")
      for place in known { #expect(places.near(place.hash).contains(place), "seed \(seed)") }
    }
  }

  @Test func `C4: to find and to change a place looks at few others, however many there are`() {
    var random = SeededGenerator(seed: 1)
    var all: [Entry] = []
    for order in 0..<100_000 {
      all.append(
        Entry(hash: UInt32(truncatingIfNeeded: random.next()), section: 1, order: RowOrder(order)))
    }
    var places = HashTrie(all)
    for place in all.prefix(1_000) { #expect(places.near(place.hash).count <= 64) }
    for place in all { places.remove(place) }
    #expect(places.all.isEmpty && places.nodes == 1)
  }
}
