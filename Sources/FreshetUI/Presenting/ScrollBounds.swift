/// How far a view can scroll.
struct ScrollBounds: Equatable, Sendable {
  private let range: ClosedRange<Double>

  /// Creates the bounds of a view.
  ///
  /// - Parameters:
  ///   - content: how long the content is.
  ///   - visible: how much of it is visible at once.
  ///   - top: how far above its beginning it scrolls, under a bar.
  ///   - bottom: how far below its end.
  init(content: Double, visible: Double, top: Double = 0, bottom: Double = 0) {
    range = -top...max(-top, content + bottom - visible)
  }

  /// How far a view that is scrolled to `offset` is pulled beyond its end; less than nothing where
  /// it is pulled beyond its beginning.
  func pull(at offset: Double) -> Double {
    offset - min(max(offset, range.lowerBound), range.upperBound)
  }

  /// Where to scroll from `offset` so that a row that begins at `row` stands at `distance` below
  /// the top edge, or as near as the content allows; `nil` where it stands there.
  ///
  /// - Parameters:
  ///   - row: where the row begins.
  ///   - distance: how far below the top edge it is wanted.
  ///   - offset: where the view is scrolled to.
  ///   - pull: how far the view was pulled beyond an end before its content changed. It stays
  ///     pulled as far, and no further: it is the view that lets it swing back.
  func offset(
    showing row: Double, at distance: Double, from offset: Double, pulledBy pull: Double = 0
  ) -> Double? {
    let lowest = range.lowerBound + min(pull, 0)
    let highest = range.upperBound + max(pull, 0)
    let target = min(max(row - distance, lowest), highest)
    return abs(target - offset) < 0.01 ? nil : target
  }

  /// Where to scroll so that a row that begins at `row` stands at `distance` below the top edge, or
  /// as near as the content allows.
  func offset(showing row: Double, at distance: Double) -> Double {
    min(max(row - distance, range.lowerBound), range.upperBound)
  }
}
