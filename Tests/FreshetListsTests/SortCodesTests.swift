import FreshetTesting
import Testing

@testable import FreshetLists

/// Numbers that stand for keys when they are sorted.
@Suite(.timeLimit(.minutes(5)))
struct SortCodesTests {
  @Test(arguments: SeededGenerator.seeds(400))
  func `of two texts the smaller one never has the larger number`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    // Marks that join the character before them, and characters that such marks make.
    let characters = ["a", "e", "z", "0", " ", "\0", "~", "\u{301}", "é", "ß", "\u{1F600}", "K"]
    let usual = random.oneIn(2) ? 7 : characters.count
    func text(_ count: Int) -> String {
      (0..<count).map { _ in characters[Int.random(in: 0..<usual, using: &random)] }.joined()
    }
    let beginning = text(Int.random(in: 0..<12, using: &random))
    let keys = (0..<30).map { _ in
      let middle = text(Int.random(in: 0..<12, using: &random))
      return beginning + middle + (random.oneIn(3) ? "\u{301}" : "")
    }
    for direction in ListDirection.allCases {
      guard let codes = SortCodes.codes(of: keys, direction) else { continue }
      for (key, code) in zip(keys, codes) {
        for (other, otherCode) in zip(keys, codes) where key < other {
          let isInOrder = direction == .forward ? code <= otherCode : code >= otherCode
          #expect(isInOrder, "seed \(seed): \(key.debugDescription), \(other.debugDescription)")
        }
      }
    }
  }

  @Test
  func `whole numbers have their order, the smallest and the largest too`() {
    let keys = [Int.min, -7, -1, 0, 1, 5, .max]
    let codes = SortCodes.codes(of: keys, .forward)
    #expect(codes == codes?.sorted())
    let reverse = SortCodes.codes(of: keys, .reverse)
    #expect(reverse == reverse?.sorted(by: >))
  }

  @Test
  func `texts that differ in ASCII have numbers, others and keys of other types have none`() {
    #expect(SortCodes.codes(of: ["title 1 of many é", "title 2 of many é"], .forward)?.count == 2)
    #expect(SortCodes.codes(of: ["é", "e"], .forward) == nil)
    #expect(SortCodes.codes(of: [1.5, 2.5], .forward) == nil)
    #expect(SortCodes.codes(of: [String](), .forward) == nil)
  }
}
