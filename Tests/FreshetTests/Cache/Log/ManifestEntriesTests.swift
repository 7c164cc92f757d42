import FreshetTesting
import Testing

@testable import Freshet

/// The entries of a manifest, beside an array of them.
@Suite(.timeLimit(.minutes(5)))
struct ManifestEntriesTests {
  typealias Entry = FeedManifest.Entry

  private func entry(_ random: inout SeededGenerator) -> Entry {
    if random.oneIn(5) { return .gap }
    let start = Int.random(in: 0..<20, using: &random)
    let part = RunPart(
      sequence: .random(in: 1...40, using: &random),
      rows: start..<(start + .random(in: 1...30, using: &random)), total: 60)
    return .run(part, PageBoundary())
  }

  private func range(in count: Int, _ random: inout SeededGenerator) -> Range<Int> {
    let start = Int.random(in: 0...count, using: &random)
    let length = random.oneIn(10) ? count - start : min(3, count - start)
    return start..<(start + .random(in: 0...length, using: &random))
  }

  @Test(arguments: SeededGenerator.seeds(100))
  func `entries and rows are found where an array has them, whatever was replaced`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var array = (0..<Int.random(in: 0...900, using: &random)).map { _ in entry(&random) }
    var entries = ManifestEntries(array)
    for step in 0..<40 {
      let replaced = range(in: array.count, &random)
      let length = random.oneIn(10) ? 300 : 3
      let new = (0..<Int.random(in: 0...length, using: &random)).map { _ in entry(&random) }
      array.replaceSubrange(replaced, with: new)
      entries.replaceSubrange(replaced, with: new)
      #expect(Array(entries) == array && entries.count == array.count, "seed \(seed), \(step)")
      let slice = range(in: array.count, &random)
      #expect(entries.slice(slice) == Array(array[slice]), "seed \(seed), step \(step)")
      let sequence = UInt64.random(in: 1...40, using: &random)
      let parts = array.compactMap(\.part).filter { $0.sequence == sequence }
      #expect(entries.rows(ofRun: sequence) == parts.reduce(0) { $0 + $1.rows.count })
      let starts = array.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
      #expect(entries.rows == starts.last)
      if let index = array.indices.randomElement(using: &random) {
        #expect(entries[index] == array[index] && entries.firstRow(of: index) == starts[index])
      }
      if random.oneIn(8) { entries.countRuns() }
      var (cursor, row) = (ManifestEntries.Cursor(), 0)
      while row <= entries.rows {
        entries.seek(row, &cursor)
        let index = starts.lastIndex { $0 <= row } ?? 0
        #expect(cursor.index == index && cursor.row == starts[index], "seed \(seed), row \(row)")
        if index < array.count { #expect(entries[cursor] == array[index]) }
        row += .random(in: 1...200, using: &random)
      }
    }
  }

  #if DEBUG
    @Test
    func `P4: what a step looks at does not grow with the pages of the list`() throws {
      func looks(pages: Int) throws -> Int {
        var manifest = FeedManifest()
        manifest.entries = ManifestEntries(
          (1...pages).map { .run(sequence: UInt64($0), rows: 50, mark: PageBoundary()) })
        func step(at row: Int) throws {
          let rewrites = manifest.rewrites(
            deleted: [row], inserted: [], updated: [row + 20], keepsParts: true)
          let splices = rewrites.map { rewrite in
            let entries = rewrite.pieces.map { piece -> FeedManifest.Entry in
              switch piece {
              case .stored(let entry, _): entry
              case .written(let rows): .run(sequence: 0, rows: rows.count, mark: PageBoundary())
              }
            }
            return FeedManifest.Splice(range: rewrite.entries, entries: entries)
          }
          try manifest.apply(.init(splices: splices, state: manifest.state))
          _ = (manifest.unnamed([1, 2, 3]), manifest.count)
          _ = manifest.beginning(moment: 0, nextSequence: 0)
        }
        manifest.entries.countRuns()
        let counter = WorkCount.Counter()
        try WorkCount.$counter.withValue(counter) {
          for row in stride(from: 107, to: 50 * pages, by: 5 * pages) { try step(at: row) }
        }
        return counter.count / 10
      }
      #expect(try looks(pages: 200) < 1_000)
      // A hundred times the pages: one more look for each 64 of them, a few times over.
      #expect(try looks(pages: 20_000) < 5_000)
    }
  #endif
}
