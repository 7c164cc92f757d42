import FreshetTesting
import Testing

@testable import Freshet

/// The page boundaries of a timeline, beside a dictionary of them.
@Suite(.timeLimit(.minutes(5)))
struct PageBoundariesTests {
  private func boundary(_ random: inout SeededGenerator) throws -> PageBoundary {
    PageBoundary(
      next: try PageKey(Int.random(in: 0..<9, using: &random)),
      previous: try PageKey(Int.random(in: 0..<9, using: &random)))
  }

  @Test(arguments: SeededGenerator.seeds(60))
  func `boundaries are those of a dictionary, and a copy keeps its own`(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var (boundaries, all) = (PageBoundaries(), [RowID: PageBoundary]())
    var copies: [(PageBoundaries, [RowID: PageBoundary])] = []
    for step in 0..<400 {
      let id = RowID(post: .random(in: 0..<200, using: &random))
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        let key = random.oneIn(4) ? nil : try PageKey(Int.random(in: 0..<9, using: &random))
        boundaries.forget(key)
        for (id, boundary) in all {
          if key == nil || boundary.next == key { all[id]?.next = nil }
          if key == nil || boundary.previous == key { all[id]?.previous = nil }
        }
      case 1...5: #expect(boundaries.removeValue(forKey: id) == all.removeValue(forKey: id))
      default:
        let new = try boundary(&random)
        (boundaries[id], all[id]) = (new, new)
      }
      #expect(boundaries.count == all.count && boundaries[id] == all[id], "seed \(seed), \(step)")
      if step % 80 == 0 { copies.append((boundaries, all)) }
    }
    for (boundaries, all) in copies + [(boundaries, all)] {
      #expect(Dictionary(boundaries.map { ($0, $1) }) { $1 } == all, "seed \(seed)")
    }
  }
}
