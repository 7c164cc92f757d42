public import Foundation

// Where rows stand, and which are visible and selected.
extension StubRows {
  /// Where a row begins, and how high it is.
  public func place(of path: IndexPath) -> Range<Double> {
    guard let slot = slot(path) else {
      report("no row at \(path) to ask the place of")
      return 0..<0
    }
    let top = sections[path.section][..<path.row]
      .reduce(place(ofHeader: path.section).upperBound) { $0 + $1.height }
    return top..<(top + slot.height)
  }

  /// Where the header of a section belongs, though it may be pinned further down.
  public func place(ofHeader section: Int) -> Range<Double> {
    let above = sections[..<section].joined().reduce(0) { $0 + $1.height }
    let top = headers[..<section].reduce(above, +)
    return top..<(top + headers[section])
  }

  public var length: Double {
    sections.joined().reduce(headers.reduce(0, +)) { $0 + $1.height }
  }

  /// The rows that lie in a part of the content, whether they have cells or not.
  public func paths(in part: Range<Double>) -> [IndexPath] {
    var found: [IndexPath] = []
    var top = 0.0
    for section in sections.indices {
      top += headers[section]
      for (row, slot) in sections[section].enumerated() {
        if (top..<(top + slot.height)).overlaps(part) {
          found.append(IndexPath(row: row, section: section))
        }
        top += slot.height
      }
    }
    return found
  }

  /// The rows that are visible, top to bottom.
  public var visiblePaths: [IndexPath] { paths { $0.cell != nil } }
  public var selectedPaths: [IndexPath] { paths(where: \.isSelected) }

  private func paths(where isTrue: (Slot) -> Bool) -> [IndexPath] {
    // Nothing is visible or selected in rows that are not counted yet.
    if isStale { return [] }
    return sections.indices.flatMap { section in
      sections[section].indices.filter { isTrue(sections[section][$0]) }
        .map { IndexPath(row: $0, section: section) }
    }
  }

  public func select(_ path: IndexPath, _ isSelected: Bool = true) {
    guard slot(path) != nil else { return report("no row to select at \(path)") }
    sections[path.section][path.row].isSelected = isSelected
  }

  public func deselectAll() {
    for path in selectedPaths { select(path, false) }
  }
}
