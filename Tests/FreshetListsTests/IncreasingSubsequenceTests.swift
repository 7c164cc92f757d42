import FreshetTesting
import Testing

@testable import FreshetLists

@Suite(.timeLimit(.minutes(5)))
struct IncreasingSubsequenceTests {
  @Test(arguments: SeededGenerator.seeds(200))
  func `C3: piles and the tree of sums find subsequences that weigh the same`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...60, using: &random)
    let values = (0..<(2 * count)).shuffled(using: &random).prefix(count).map { $0 }
    let most = [1, 3, 15].randomElement(using: &random)!
    let weights = values.map { _ in Int.random(in: 1...most, using: &random) }
    let members = IncreasingSubsequences.heaviest(of: values, weights: weights)
    let kept = values.indices.filter { members[$0] }
    #expect(zip(kept, kept.dropFirst()).allSatisfy { values[$0] < values[$1] }, "seed \(seed)")
    let heaviest = IncreasingSubsequences(values, weights: weights).sums.max()
    #expect(kept.reduce(0) { $0 + weights[$1] } == heaviest, "seed \(seed)")
  }
}
