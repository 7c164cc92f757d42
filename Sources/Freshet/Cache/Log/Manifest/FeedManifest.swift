internal import Foundation

/// The manifest of a feed: the order of its runs of rows, and the state beside them.
struct FeedManifest: Equatable {
  /// A part of the list.
  enum Entry: Equatable {
    /// Rows of a run, and the boundaries of the pages around them.
    case run(RunPart, PageBoundary)
    case gap

    /// Returns the entry of all rows of a run.
    static func run(sequence: UInt64, rows: Int, mark: PageBoundary) -> Self {
      .run(RunPart(sequence: sequence, rows: 0..<rows, total: rows), mark)
    }

    /// The number of rows of the timeline that it represents.
    var count: Int { part?.rows.count ?? 1 }

    /// The rows of a run that it represents; `nil` for a gap.
    var part: RunPart? { if case .run(let part, _) = self { part } else { nil } }

    /// The number of the run.
    var sequence: UInt64? { part?.sequence }

    /// Returns this entry and the next one as one; `nil` if they cannot be joined.
    ///
    /// They can be joined if they are adjacent rows of one run, without a page boundary between
    /// them.
    func joined(with next: Entry) -> Entry? {
      guard case .run(let part, var mark) = self, case .run(let nextPart, let nextMark) = next,
        part.sequence == nextPart.sequence, part.rows.upperBound == nextPart.rows.lowerBound,
        mark.next == nil, mark.fetchedAt == nil, nextMark.previous == nil
      else { return nil }
      (mark.next, mark.fetchedAt) = (nextMark.next, nextMark.fetchedAt)
      let rows = part.rows.lowerBound..<nextPart.rows.upperBound
      return .run(RunPart(sequence: part.sequence, rows: rows, total: part.total), mark)
    }

    /// Returns some of its rows, with the boundaries of the pages around them.
    ///
    /// - Parameter rows: their indices in this entry; those of a gap are `0..<1`.
    subscript(rows: Range<Int>) -> Entry {
      guard case .run(var part, var mark) = self else { return self }
      if rows.lowerBound > 0 { mark.previous = nil }
      if rows.upperBound < count { (mark.next, mark.fetchedAt) = (nil, nil) }
      let start = part.rows.lowerBound
      part.rows = (start + rows.lowerBound)..<(start + rows.upperBound)
      return .run(part, mark)
    }
  }

  /// Entries that are replaced by others.
  struct Splice: Equatable {
    var range: Range<Int>
    var entries: [Entry]
  }

  /// One step, as the log stores it.
  struct Commit: Equatable {
    var splices: [Splice]
    var state: CachedState
    var stamp: UInt64 = 0
    /// Whether the page at the head and its stamp did not change.
    var keepsPage = false
  }

  var entries = ManifestEntries()
  var state = CachedState()
  /// The stamp that the rows of `state.page` must have when they are read.
  ///
  /// If it is 0, no rows match the page.
  var stamp: UInt64 = 0

  /// The number of rows of the timeline that the entries represent.
  var count: Int { entries.rows }

  /// The numbers of the runs that the entries name.
  var sequences: [UInt64] { entries.compactMap(\.sequence) }

  /// Returns those of some runs that are in no entry, each once.
  func unnamed(_ runs: [UInt64]) -> [UInt64] {
    Set(runs).filter { entries.rows(ofRun: $0) == 0 }.sorted()
  }

  /// Performs a step.
  ///
  /// The ranges of its splices are those before the step, ascending.
  mutating func apply(_ commit: Commit) throws {
    for splice in commit.splices.reversed() {
      guard splice.range.upperBound <= entries.count else { throw BinaryReader.Truncated() }
      entries.replaceSubrange(splice.range, with: splice.entries)
    }
    let page = state.page
    state = commit.state
    if commit.keepsPage { state.page = page } else { stamp = commit.stamp }
  }

  /// Replaces a run with a gap.
  ///
  /// The reader's place then counts without the rows of the run. If it was one of them, it moves
  /// to the row above.
  mutating func lose(_ index: Int) {
    let start = entries.firstRow(of: index)
    let count = entries[index].count
    entries.replaceSubrange(index..<(index + 1), with: [.gap])
    state.unproven = state.unproven.map { rows in
      func place(_ row: Int) -> Int {
        row <= start ? row : row < start + count ? start + 1 : row - (count - 1)
      }
      return place(rows.lowerBound)..<place(rows.upperBound)
    }
    .filter { !$0.isEmpty }
    guard let anchor = state.anchor, anchor >= start else { return }
    state.anchor = anchor < start + count ? max(0, start - 1) : anchor - (count - 1)
  }

  /// Removes the keys of the pages around the rows.
  mutating func forgetKeys() {
    entries = ManifestEntries(
      entries.map { entry in
        guard case .run(let part, let mark) = entry else { return entry }
        return .run(part, PageBoundary(fetchedAt: mark.fetchedAt))
      })
    state.page = nil
  }
}
