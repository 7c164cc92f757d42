/// The parts of a value that views observe separately.
struct ChangedProperties: OptionSet, Sendable {
  let rawValue: Int

  /// The rows.
  static let rows = Self(rawValue: 1)
  /// The load states.
  static let state = Self(rawValue: 2)
  /// The time of the last refresh.
  static let age = Self(rawValue: 4)
  /// The reader's anchor.
  static let place = Self(rawValue: 8)
  /// The status of the last fetch of live results.
  static let fetch = Self(rawValue: 32)
  /// The items with edits that the source has not taken.
  static let pendingEdits = Self(rawValue: 16)
}
