internal import FreshetLists

/// The parts of a value that are observed apart from each other.
struct ValueParts: OptionSet, Sendable {
  let rawValue: Int

  /// The rows.
  static let rows = Self(rawValue: 1)
  /// How it stands.
  static let state = Self(rawValue: 2)
  /// When it was refreshed.
  static let age = Self(rawValue: 4)
  /// Where the reader is.
  static let place = Self(rawValue: 8)
  /// Which edits are being sent.
  static let pendingEdits = Self(rawValue: 16)
}

extension Displayed {
  /// Shows another value of a feed; with the update that led to it, where rows changed.
  func show<Item>(_ value: FeedValue<Item>, by update: FeedUpdate<Item>?)
  where Update == FeedUpdate<Item> {
    show(value, changing: value.parts(differingFrom: current), by: update)
  }

  /// Shows another value of live results; with the update that led to it, where rows changed.
  func show<Item>(_ value: ResultsValue<Item>, by update: ResultsUpdate<Item>?)
  where Update == ResultsUpdate<Item> {
    let differs =
      value.state != current.state || value.isCut != current.isCut
      || value.interruption != nil || current.interruption != nil
    show(value, changing: differs ? .state : [], by: update)
  }
}
