/// The row at the top of a screen, as somebody outside wants it and as the reader moves it.
struct ScrollTarget<ID: Hashable & Sendable>: Equatable, Sendable {
  /// The row to scroll to as soon as it is there.
  private(set) var wanted: ID?
  /// The row that is known to be at the top, outside.
  private var told: ID?

  /// Begins with the row that somebody wants.
  init(_ wanted: ID?) { self.wanted = wanted }

  /// Somebody wants a row; the one they were told of is where the reader is anyway.
  mutating func want(_ id: ID?) {
    if let id, id != told { wanted = id } else if id == nil { (wanted, told) = (nil, nil) }
  }

  /// Another list is shown: the row that was at the top is wanted in it, too, if it is there.
  mutating func startAnew() {
    wanted = wanted ?? told
    told = nil
  }

  /// The row to scroll to now: none as long as nothing is laid out, where scrolling leads nowhere.
  ///
  /// - Parameter height: how much of the view is visible; 0 where it is in no window.
  func goal(inHeight height: Double) -> ID? { height > 0 ? wanted : nil }

  /// The reader scrolls by hand: no other row is wanted any more.
  mutating func leave() { wanted = nil }

  /// The row that is wanted is at the top now.
  mutating func arrive() {
    told = wanted
    wanted = nil
  }

  /// The reader sees a row at the top.
  ///
  /// - Returns: the row to tell of, if that is news; none as long as another one is wanted.
  mutating func see(_ id: ID) -> ID? {
    guard wanted == nil, id != told else { return nil }
    told = id
    return id
  }
}
