import FreshetTesting
import Testing

@testable import FreshetLists

/// Which rows show, against asking each row.
struct HiddenRangesTests {
  @Test
  func `X1, X2: rows are hidden and shown as ranges say`() {
    for seed in SeededGenerator.seeds(2_000) {
      var random = SeededGenerator(seed: seed)
      func ranges() -> [Range<Int>] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
          let start = Int.random(in: 0...30, using: &random)
          return start..<Int.random(in: start...30, using: &random)
        }
      }
      let (old, new) = (ranges(), ranges())
      let (before, after) = (HiddenRanges(old), HiddenRanges(new))
      func isHidden(_ index: Int) -> Bool { old.contains { $0.contains(index) } }
      func isHiddenAfter(_ index: Int) -> Bool { new.contains { $0.contains(index) } }
      for index in 0..<30 {
        #expect(before.contains(index) == isHidden(index), "seed \(seed)")
        #expect(before.place(of: index) == (0..<index).count { !isHidden($0) }, "seed \(seed)")
      }
      let (shown, indices) = before.edits(RowEdits(), hiding: after)
      let gone = (0..<30).filter { !isHidden($0) && isHiddenAfter($0) }
      let came = (0..<30).filter { isHidden($0) && !isHiddenAfter($0) }
      #expect(shown.deleted == gone.map { before.place(of: $0) }, "seed \(seed)")
      #expect(shown.inserted.map { indices[$0] } == came, "seed \(seed)")
      #expect(shown.updated == [], "seed \(seed)")
    }
  }
}
