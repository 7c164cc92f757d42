/// The place of a row in the list before.
struct RowSource: Sendable {
  /// The row's number in the list before, section after section; -1 if it was not there.
  var number: Int32
  /// Whether the row's contents were different.
  var differs: Bool

  /// Creates the source of a row.
  ///
  /// - Parameters:
  ///   - number: the row's number among all rows before; only the first of these were shown.
  ///   - before: the list that was shown.
  ///   - differs: whether the row's contents were different.
  init(_ number: Int?, in before: SnapshotRefs, differs: Bool = false) {
    self.number = number.map { $0 < before.count ? Int32($0) : -1 } ?? -1
    self.differs = differs
  }
}

extension ListChanges {
  /// Creates the batch between two lists from the source of each row.
  ///
  /// The sources contain the place of each row and whether it differs, so no row is read.
  ///
  /// - Parameters:
  ///   - before: the list before.
  ///   - after: the list after.
  ///   - sources: the source of each row of the list after, section after section.
  /// - Complexity: O(*n*), and O(*m* log *m*) for *m* rows that do not follow the same row as
  ///   before.
  init(from before: SnapshotRefs, to after: SnapshotRefs, sources: [RowSource]) {
    self.init()
    let stay = Self.sectionsThatStay(from: before.sections, to: after.sections)
    deletedSections = Self.missing(from: stay.lazy.map(\.before), of: before.sections.count)
    insertedSections = Self.missing(from: stay.lazy.map(\.after), of: after.sections.count)
    var origins = RowOrigins(before.sections.map(\.rows.count), staying: stay.map(\.before))
    for pair in stay {
      let rows = sources[after.indices(of: pair.after)]
      let fates = origins.fates(of: rows, in: pair.before)
      for (row, (source, fate)) in zip(rows, fates).enumerated() {
        let path = RowPath(section: pair.after, row: row)
        switch fate {
        case .comes: insertedRows.append(path)
        case .moves(let from): movedRows.append(Move(from: from, to: path))
        case .stays: break
        }
        if source.differs, fate != .comes { updatedRows.append(path) }
      }
    }
    deletedRows = origins.unclaimed
  }
}

/// The rows of a list before a change, which the rows of the list after it claim.
private struct RowOrigins {
  enum Fate: Equatable {
    case comes
    case moves(RowPath)
    case stays
  }

  /// The section of each row; -1 for rows of sections that are removed.
  private var sections: [Int32] = []
  /// The number of each section's first row.
  private var starts: [Int] = []
  private var isClaimed: [Bool]

  init(_ counts: [Int], staying: [Int]) {
    let staying = Set(staying)
    for (section, count) in counts.enumerated() {
      starts.append(sections.count)
      let section = staying.contains(section) ? Int32(section) : -1
      sections.append(contentsOf: repeatElement(section, count: count))
    }
    isClaimed = Array(repeating: false, count: sections.count)
  }

  func path(of number: Int) -> RowPath {
    let section = Int(sections[number])
    return RowPath(section: section, row: number - starts[section])
  }

  /// Returns the fate of each row that a section has now.
  ///
  /// Of its own rows, as many as possible stay in place.
  mutating func fates(of rows: ArraySlice<RowSource>, in section: Int) -> [Fate] {
    var fates = [Fate](repeating: .comes, count: rows.count)
    var runs: [(first: Int, count: Int, number: Int)] = []
    for (row, source) in rows.enumerated() where source.number >= 0 {
      let number = Int(source.number)
      guard sections[number] >= 0 else { continue }
      isClaimed[number] = true
      if sections[number] != section {
        fates[row] = .moves(path(of: number))
      } else if let last = runs.last, last.first + last.count == row,
        last.number + last.count == number
      {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((row, 1, number))
      }
    }
    let kept = IncreasingSubsequences.heaviest(
      of: runs.map(\.number), weights: runs.map(\.count))
    for (run, isKept) in zip(runs, kept) {
      for offset in 0..<run.count {
        let from = RowPath(section: section, row: run.number + offset - starts[section])
        fates[run.first + offset] = isKept ? .stays : .moves(from)
      }
    }
    return fates
  }

  /// The rows that no row of the list after claims, in sections that stay.
  var unclaimed: [RowPath] {
    sections.indices.compactMap { number in
      sections[number] < 0 || isClaimed[number] ? nil : path(of: number)
    }
  }
}
