import Foundation
import Testing

@testable import Freshet

/// Which rows a step writes, and what stays of the runs that it changes.
struct RewriteTests {
  private typealias Entry = FeedManifest.Entry

  private static let mark = PageBoundary(
    next: PageKey(json: "2"), previous: PageKey(json: "1"),
    fetchedAt: Date(timeIntervalSince1970: 7))

  private func run(_ sequence: Int, _ rows: Int, mark: PageBoundary = PageBoundary()) -> Entry {
    .run(sequence: UInt64(sequence), rows: rows, mark: mark)
  }

  /// The entries after a step, as text: `3[0..<5]` is rows of run 3, `2 new` are rows to write.
  private func after(
    _ entries: [Entry], deleted: [Int] = [], inserted: [Int] = [], updated: [Int] = [],
    keepsParts: Bool = true
  ) -> [String] {
    var manifest = FeedManifest()
    manifest.entries = ManifestEntries(entries)
    let rewrites = manifest.rewrites(
      deleted: deleted, inserted: inserted, updated: updated, keepsParts: keepsParts)
    var all = entries.map(Self.text)
    for rewrite in rewrites.reversed() {
      all.replaceSubrange(
        rewrite.entries,
        with: rewrite.pieces.map { piece in
          switch piece {
          case .written(let rows): "\(rows.count) new"
          case .stored(let entry, _): Self.text(entry)
          }
        })
    }
    return all
  }

  private static func text(_ entry: Entry) -> String {
    guard case .run(let part, let mark) = entry else { return "gap" }
    let marks = [
      mark.previous == nil ? "" : "p", mark.next == nil ? "" : "n",
      mark.fetchedAt == nil ? "" : "d",
    ]
    return "\(part.sequence)[\(part.rows)]" + marks.joined()
  }

  @Test
  func `P4, P5: an update divides a run, and page keys stay with the rows at its ends`() {
    let runs = [run(1, 50, mark: Self.mark), run(2, 50, mark: Self.mark)]
    #expect(after(runs, updated: [20]) == ["1[0..<20]p", "1 new", "1[21..<50]nd", "2[0..<50]pnd"])
    #expect(after(runs, updated: [0]) == ["1 new", "1[1..<50]nd", "2[0..<50]pnd"])
    #expect(after(runs, updated: [49]) == ["1[0..<49]p", "1 new", "2[0..<50]pnd"])
    #expect(
      after(runs, updated: [49, 50]) == ["1[0..<49]p", "2 new", "2[1..<50]nd"])
  }

  @Test
  func `P4: a deletion writes no row, and an insertion one`() {
    let runs = [run(1, 50, mark: Self.mark), .gap, run(2, 50)]
    #expect(after(runs, deleted: [9]) == ["1[0..<9]p", "1[10..<50]nd", "gap", "2[0..<50]"])
    #expect(after(runs, deleted: [50]) == ["1[0..<50]pnd", "2[0..<50]"])
    #expect(
      after(runs, inserted: [9]) == ["1[0..<9]p", "1 new", "1[9..<50]nd", "gap", "2[0..<50]"])
    #expect(after(runs, inserted: [0]) == ["1 new", "1[0..<50]pnd", "gap", "2[0..<50]"])
    #expect(after(runs, inserted: [50]) == ["1[0..<50]pnd", "1 new", "gap", "2[0..<50]"])
    #expect(after(runs, inserted: [101]) == ["1[0..<50]pnd", "gap", "2[0..<50]", "1 new"])
    #expect(after(runs, deleted: Array(0..<50)) == ["gap", "2[0..<50]"])
    #expect(
      after(runs, deleted: [9], inserted: [9], keepsParts: false) == ["50 new", "gap", "2[0..<50]"])
  }

  @Test
  func `parts that are adjacent again become one, unless a page ended between them`() {
    var parts = [run(1, 50)[0..<20], run(2, 1), run(1, 50)[20..<50]]
    #expect(after(parts, deleted: [20]) == ["1[0..<50]"])
    parts[0] = .run(RunPart(sequence: 1, rows: 0..<20, total: 50), Self.mark)
    #expect(after(parts, deleted: [20]) == ["1[0..<20]pnd", "1[20..<50]"])
  }

  @Test
  func `P4: a step that changes much of a run writes it as one`() {
    let every = { (step: Int) in Array(stride(from: 0, to: 100, by: step)) }
    #expect(after([run(1, 100)], updated: every(4)) == ["100 new"])
    #expect(after([run(1, 100)], updated: every(20)).count == 10)
    // Less than half of its rows are left.
    #expect(after([run(1, 100)], deleted: Array(10..<61)) == ["49 new"])
    #expect(after([run(1, 100)], deleted: Array(10..<60)) == ["1[0..<10]", "1[60..<100]"])
    let parts = [run(1, 100)[0..<30], run(2, 40), run(1, 100)[70..<100]]
    #expect(after(parts, deleted: Array(0..<11)) == ["19 new", "2[0..<40]", "30 new"])
  }

  @Test
  func `P4: short runs are joined when more than fifteen are adjacent`() {
    let singles = (1...14).map { run($0, 1) }
    #expect(after(singles + [run(99, 50)], inserted: [0]).count == 16)
    let full = (1...15).map { run($0, 1) }
    #expect(after(full + [run(99, 50)], inserted: [0]) == ["16 new", "99[0..<50]"])
    #expect(after([run(99, 50)] + full, inserted: [65]) == ["99[0..<50]", "16 new"])
    // Two rows of a longer run between them are written with them, three are not.
    let two = full + [run(99, 50)[0..<2], run(98, 1), run(99, 50)[30..<50]]
    #expect(after(two, updated: [17]) == ["18 new", "99[30..<50]"])
    let three = full + [run(99, 50)[0..<3], run(98, 1), run(99, 50)[30..<50]]
    #expect(after(three, updated: [18]).count == 18)
    // Parts of short runs count once for each run.
    let short = (1...16).flatMap { [run($0, 20)[0..<9], run($0, 20)[10..<20]] }
    #expect(after(short, updated: [0]) == ["\(16 * 19) new"])
  }
}
