/// The row at the top of a screen, as requested from outside and as moved by the reader.
struct ScrollTarget<ID: Hashable & Sendable>: Equatable, Sendable {
  /// The row to scroll to as soon as it exists.
  private(set) var wanted: ID?
  /// The row at the top that the outside knows of.
  private var told: ID?

  /// Creates a target with the row that is wanted.
  init(_ wanted: ID?) { self.wanted = wanted }

  /// Requests a row, or clears the target if `id` is `nil`.
  ///
  /// A row that was reported to be at the top is ignored, as the reader is there anyway.
  mutating func want(_ id: ID?) {
    if let id, id != told { wanted = id } else if id == nil { (wanted, told) = (nil, nil) }
  }

  /// Prepares for another list, in which the row at the top is wanted too, if it exists.
  mutating func startAnew() {
    wanted = wanted ?? told
    told = nil
  }

  /// Returns the row to scroll to now, or `nil` as long as nothing is laid out.
  ///
  /// Scrolling has no effect before layout.
  ///
  /// - Parameter height: the height of the visible part of the view; 0 if it is in no window.
  func goal(inHeight height: Double) -> ID? { height > 0 ? wanted : nil }

  /// Clears the wanted row, as the reader scrolls by hand.
  mutating func leave() { wanted = nil }

  /// Records that the wanted row is at the top now.
  mutating func arrive() {
    told = wanted
    wanted = nil
  }

  /// Records the row that the reader sees at the top.
  ///
  /// - Returns: the row to report, if it is new; `nil` as long as another one is wanted.
  mutating func see(_ id: ID) -> ID? {
    guard wanted == nil, id != told else { return nil }
    told = id
    return id
  }
}
