/// The parts of a value that are observed apart from each other.
struct ChangedProperties: OptionSet, Sendable {
  let rawValue: Int

  /// The rows.
  static let rows = Self(rawValue: 1)
  /// How it stands.
  static let state = Self(rawValue: 2)
  /// When it was refreshed.
  static let age = Self(rawValue: 4)
  /// Where the reader is.
  static let place = Self(rawValue: 8)
  /// The status of the last fetch of live results.
  static let fetch = Self(rawValue: 32)
  /// Which edits are being sent.
  static let pendingEdits = Self(rawValue: 16)
}
