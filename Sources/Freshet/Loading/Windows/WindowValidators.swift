internal import struct Foundation.Date

/// The validators of the windows that a list shows as the source answered for them.
struct WindowValidators: Sendable {
  /// Whether the source reads windows again.
  var areRead = false
  /// The time of the last answer for all windows.
  var answeredAt: Date?
  private var validators: [PageWindow<PageKey>: String] = [:]

  /// The validator of a window.
  subscript(window: PageWindow<PageKey>) -> String? {
    get { validators[window.position] }
    set { validators[window.position] = newValue }
  }

  /// Forgets all validators if the rows changed.
  ///
  /// A page may be older than the answers for the windows, and an event or an edit newer.
  mutating func follow(_ edit: TimelineEdit) {
    if edit.isVisible, !validators.isEmpty { validators = [:] }
  }
}
