/// A loaded part of a list, between two positions that keys name.
///
/// It begins and ends where pages began and ended. Which rows it has changes with the list: rows
/// that are moved, inserted or deleted enter and leave it.
public struct PageWindow<Key: Hashable & Codable & Sendable>: Hashable, Sendable {
  /// The position at which the window begins; `nil` is the head of the list.
  ///
  /// It is a key that led down to the first row (`Page.next`), or one that leads up from it
  /// (`Page.previous`).
  public var start: Key?
  /// The key of the page that follows the window; `nil` if it reaches to the end of the list.
  public var end: Key?
  /// The validator of the source's last answer for this window, if the list still shows it.
  public var validator: String?

  /// Creates a window between two positions; without any, it is the whole list.
  public init(start: Key? = nil, end: Key? = nil, validator: String? = nil) {
    (self.start, self.end, self.validator) = (start, end, validator)
  }

  /// The window without a validator.
  var position: PageWindow { PageWindow(start: start, end: end) }

  /// Returns the window with other keys.
  func mapKeys<NewKey>(_ transform: (Key) throws -> NewKey) rethrows -> PageWindow<NewKey> {
    PageWindow<NewKey>(
      start: try start.map(transform), end: try end.map(transform), validator: validator)
  }
}
