/// The range in which a view can scroll.
struct ScrollBounds: Equatable, Sendable {
  private let range: ClosedRange<Double>
  /// The number of times that a view scrolls to a row, whose place may depend on estimated heights.
  static var attempts: Int { 8 }

  /// Creates the bounds of a view.
  ///
  /// - Parameters:
  ///   - content: the length of the content.
  ///   - visible: the length of the part that is visible at once.
  ///   - top: how far above its beginning the view scrolls, under a bar.
  ///   - bottom: how far below its end the view scrolls.
  init(content: Double, visible: Double, top: Double = 0, bottom: Double = 0) {
    range = -top...max(-top, content + bottom - visible)
  }

  /// Returns how far a view at `offset` is pulled beyond its end; negative beyond its beginning.
  func pull(at offset: Double) -> Double {
    offset - min(max(offset, range.lowerBound), range.upperBound)
  }

  /// Returns the offset at which a row begins at a distance below the top edge.
  ///
  /// The offset is as near to that as the content allows. It is `nil` if the view is there already.
  ///
  /// - Parameters:
  ///   - row: the position at which the row begins.
  ///   - distance: the distance that is wanted below the top edge.
  ///   - offset: the current offset of the view.
  ///   - pull: how far the view was pulled beyond an end before its content changed. It stays
  ///     pulled that far, and no further: the view itself lets it swing back.
  func offset(
    showing row: Double, at distance: Double, from offset: Double, pulledBy pull: Double = 0
  ) -> Double? {
    let target = self.offset(showing: row, at: distance, pulledBy: pull)
    return abs(target - offset) < 0.01 ? nil : target
  }

  /// Returns the offset at which a row begins at a distance below the top edge.
  ///
  /// The offset is as near to that as the content allows, and as far beyond it as it was pulled.
  func offset(showing row: Double, at distance: Double, pulledBy pull: Double = 0) -> Double {
    let lowest = range.lowerBound + min(pull, 0)
    let highest = range.upperBound + max(pull, 0)
    return min(max(row - distance, lowest), highest)
  }
}
