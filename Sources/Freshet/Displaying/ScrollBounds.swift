/// How far a view can scroll.
public struct ScrollBounds: Equatable, Sendable {
  private let range: ClosedRange<Double>

  /// Creates the bounds of a view.
  ///
  /// - Parameters:
  ///   - content: how long the content is.
  ///   - visible: how much of it is visible at once.
  ///   - top: how far above its beginning it scrolls, under a bar.
  ///   - bottom: how far below its end.
  public init(content: Double, visible: Double, top: Double = 0, bottom: Double = 0) {
    range = -top...max(-top, content + bottom - visible)
  }

  /// Where to scroll from `offset` so that a row that begins at `row` stands at `distance` below the top edge, or
  /// as near as the content allows; `nil` where it stands there.
  ///
  /// Who has pulled the content beyond its end holds it there: it is the view that lets it swing back.
  public func offset(showing row: Double, at distance: Double, from offset: Double) -> Double? {
    let wanted = row - distance
    let pulled = wanted > range.upperBound && offset > range.upperBound ? min(wanted, offset) : nil
    let target = pulled ?? self.offset(showing: row, at: distance)
    return abs(target - offset) < 0.01 ? nil : target
  }

  /// Where to scroll so that a row that begins at `row` stands at `distance` below the top edge, or as near as
  /// the content allows.
  public func offset(showing row: Double, at distance: Double) -> Double {
    min(max(row - distance, range.lowerBound), range.upperBound)
  }
}
