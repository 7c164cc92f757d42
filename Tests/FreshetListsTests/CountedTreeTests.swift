import FreshetLists
import FreshetTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CountedTreeTests {
  @Test(arguments: SeededGenerator.seeds(40))
  func `any sequence of edits gives what an array gives, and copies stay as they were`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var model = Array(0..<Int.random(in: 0...3000, using: &random))
    var tree = CountedTree(model)
    for step in 0..<300 {
      let (treeBefore, modelBefore) = (tree, model)
      let at = Int.random(in: 0...model.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        model.insert(-step, at: at)
        tree.insert(-step, at: at)
      case 2 where at < model.count:
        #expect(tree.remove(at: at) == model.remove(at: at))
      case 3 where at < model.count:
        model[at] = -step
        tree.update(-step, at: at)
      case 4:
        let end = min(model.count, at + Int.random(in: 0...400, using: &random))
        let rows = Array(0..<Int.random(in: 0...300, using: &random))
        model.replaceSubrange(at..<end, with: rows)
        tree.replaceSubrange(at..<end, with: rows)
      case 5:
        for row in 0..<70 {
          model.insert(row, at: min(at, model.count))
          tree.insert(row, at: min(at, tree.count))
        }
      case 6:
        for _ in 0..<min(100, model.count - at) {
          model.remove(at: at)
          tree.remove(at: at)
        }
      default:
        model.append(contentsOf: 0..<25)
        tree.append(contentsOf: 0..<25)
      }
      guard tree.count == model.count, tree.elementsEqual(model),
        treeBefore.elementsEqual(modelBefore)
      else {
        Issue.record("seed \(seed), step \(step): \(tree.count) rows, not \(model.count)")
        return
      }
      if let last = model.last, model.count > 1 {
        #expect(tree[model.count - 1] == last && tree[at / 2] == model[at / 2])
        #expect(Array(tree.slice(at / 2..<at)) == Array(model[at / 2..<at]))
        #expect(Array(tree.rows(from: at)) == Array(model[at...]))
      }
    }
  }

  @Test
  func `a sorted tree is searched in logarithmic time`() {
    let tree = CountedTree(stride(from: 0, to: 2_000_000, by: 2))
    var calls = 0
    for wanted in [0, 1, 2, 63, 64, 127, 128, 129, 4096, 999_999, 1_999_998, 1_999_999] {
      let index = tree.partitioningIndex {
        calls += 1
        return $0 >= wanted
      }
      #expect(index == (wanted + 1) / 2)
    }
    #expect(calls <= 12 * 24)
    #expect(CountedTree<Int>().partitioningIndex { _ in true } == 0)
  }

  @Test
  func `a copy is identical, an edited copy is not`() {
    let tree = CountedTree(0..<1000)
    var copy = tree
    #expect(copy.isIdentical(to: tree))
    copy.update(7, at: 7)
    #expect(!copy.isIdentical(to: tree))
    #expect(copy == tree)
  }
}
