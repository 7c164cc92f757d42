// The page at the head, in a manifest.
extension FeedManifest {
  /// Returns a step after this manifest.
  ///
  /// - Parameter newStamp: returns the stamp of the page at the head, called only if the page
  ///   changed.
  func step(
    _ splices: [Splice], _ state: CachedState, stamp newStamp: (CachedHeadPage) -> UInt64?
  ) -> Commit {
    let keepsPage = state.page == self.state.page
    let stamp = keepsPage ? self.stamp : state.page.flatMap(newStamp) ?? 0
    return Commit(splices: splices, state: state, stamp: stamp, keepsPage: keepsPage)
  }

  /// Returns the state stored beside the rows, without the page if the rows differ from it.
  ///
  /// - Parameter stamp: returns the stamp of the rows.
  func state(stamp readStamp: (CachedHeadPage) -> UInt64?) -> CachedState {
    var state = state
    if let page = state.page, stamp == 0 || readStamp(page) != stamp { state.page = nil }
    return state
  }
}

/// The page at the head, in a record.
private enum PageTag: UInt8 {
  case none = 0
  /// The page did not change in the step.
  case kept = 1
  case said = 2
}

extension BinaryWriter {
  mutating func write(_ page: CachedHeadPage?, _ stamp: UInt64) {
    guard let page else { return write(PageTag.none.rawValue) }
    write(PageTag.said.rawValue)
    write(page.validator)
    write(UInt32(page.rows))
    write(page.next?.json ?? "")
    write(page.previous?.json ?? "")
    write(page.continuity.map { $0 == .stable ? UInt8(1) : 2 } ?? 0)
    write(stamp)
  }

  /// Writes that the page did not change in the step.
  mutating func writeKeptPage() { write(PageTag.kept.rawValue) }
}

extension BinaryReader {
  mutating func readPage() throws -> (CachedHeadPage?, stamp: UInt64, isKept: Bool) {
    switch PageTag(rawValue: try read()) {
    case nil: throw Truncated()
    case .none?: return (nil, 0, false)
    case .kept?: return (nil, 0, true)
    case .said?: break
    }
    let (validator, rows) = (try readText(), try readCount())
    var page = CachedHeadPage(
      validator: validator, rows: rows, next: try readKey(), previous: try readKey())
    page.continuity = [1: .stable, 2: .overlapping][try read(UInt8.self)]
    return (page, try read(), false)
  }
}
