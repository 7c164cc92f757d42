/// The layout of a list: which items it shows, in which order and sections, and how many.
///
/// ```swift
/// let arrangement = Arrangement<Quake>.sorted(by: \.time, .reverse).sectioned(by: \.day, .reverse)
/// ```
///
/// Items that compare as equal are in the order of their ids, if ids can be compared. Otherwise
/// they are in the order of arrival (rule A2). A comparison that contradicts itself gives some
/// order, and never loses or duplicates an item.
public struct Arrangement<Item: ListItem>: Sendable {
  @usableFromInline var rows: RowArrangement

  /// Creates an arrangement of all items, in the order of their ids or of arrival.
  @inlinable
  public init() { rows = RowArrangement(ids: Item._idOrder) }

  @inlinable
  init(_ rows: RowArrangement) { self.rows = rows }

  /// The same arrangement without the item type.
  package var erased: Arrangement<AnyItem> { Arrangement<AnyItem>(rows) }

  /// The maximum number of items shown; the others are shown once there is room (rule A3).
  @inlinable public var limit: Int? {
    get { rows.limit }
    set { rows.limit = newValue }
  }

  /// Returns this arrangement with only the items for which `isIncluded` is true.
  ///
  /// A second filter narrows the first.
  @inlinable
  public func filtered(_ isIncluded: @escaping @Sendable (Item) -> Bool) -> Self {
    var arrangement = self
    let first = rows.isIncluded
    arrangement.rows.isIncluded = { (first?($0) ?? true) && isIncluded(Item._item(of: $0)) }
    return arrangement
  }

  /// Returns this arrangement, ordered by a property of the items.
  ///
  /// A second order applies to items that are equal in the first.
  @inlinable
  public func sorted<Value: Comparable & Sendable>(
    by key: any KeyPath<Item, Value> & Sendable, _ direction: ListDirection = .forward
  ) -> Self {
    switch direction {
    case .forward:
      return adding(RowComparison({ Item._item(of: $0)[keyPath: key] }, direction) { $0 < $1 })
    case .reverse:
      return adding(RowComparison({ Item._item(of: $0)[keyPath: key] }, direction) { $1 < $0 })
    }
  }

  /// Returns this arrangement, ordered by a comparison.
  ///
  /// - Parameter precedes: returns whether the first item is ordered before the second.
  @inlinable
  public func sorted(by precedes: @escaping @Sendable (Item, Item) -> Bool) -> Self {
    adding(RowComparison({ Item._item(of: $0) }, nil, precedes))
  }

  /// Returns this arrangement, in sections by a value of the items.
  ///
  /// - Parameters:
  ///   - key: returns the value that the items of a section share; sections are in its order.
  ///   - direction: whether sections ascend or descend.
  ///   - name: returns the name of a section, which also identifies it.
  ///   - keepingEmpty: whether a section stays when its last item is removed.
  @inlinable
  public func sectioned<Key: Comparable & Sendable>(
    by key: @escaping @Sendable (Item) -> Key, _ direction: ListDirection = .forward,
    name: @escaping @Sendable (Key) -> String = { "\($0)" }, keepingEmpty: Bool = false
  ) -> Self {
    var arrangement = self
    arrangement.rows.sections = RowArrangement.Sections(
      name: { name(key(Item._item(of: $0))) },
      compare: { direction.order(key(Item._item(of: $0)), key(Item._item(of: $1))) },
      keepsEmpty: keepingEmpty)
    return arrangement
  }

  /// Returns this arrangement with only the first items (rule A3).
  public func limited(to limit: Int) -> Self {
    var arrangement = self
    arrangement.rows.limit = max(0, limit)
    return arrangement
  }

  @usableFromInline
  func adding(_ order: RowComparison) -> Self {
    var arrangement = self
    arrangement.rows.orders.append(order)
    return arrangement
  }
}

// With these, an expression such as `.sorted(by:)` can begin an arrangement.
extension Arrangement {
  /// The arrangement of all items, in the order of their ids or of arrival.
  @inlinable public static var all: Self { Self() }

  /// Returns an arrangement of the items for which `isIncluded` is true.
  @inlinable
  public static func filtered(_ isIncluded: @escaping @Sendable (Item) -> Bool) -> Self {
    all.filtered(isIncluded)
  }

  /// Returns an arrangement of all items, ordered by a property of the items.
  @inlinable
  public static func sorted<Value: Comparable & Sendable>(
    by key: any KeyPath<Item, Value> & Sendable, _ direction: ListDirection = .forward
  ) -> Self {
    all.sorted(by: key, direction)
  }

  /// Returns an arrangement of all items, ordered by a comparison.
  @inlinable
  public static func sorted(by precedes: @escaping @Sendable (Item, Item) -> Bool) -> Self {
    all.sorted(by: precedes)
  }
}

/// The direction of an order: ascending or descending.
public enum ListDirection: String, Codable, CaseIterable, Sendable {
  /// The smallest key is first.
  case forward
  /// The largest key is first.
  case reverse

  /// Returns the order of two values: negative, zero or positive.
  @inlinable
  func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
    if first < second { return self == .forward ? -1 : 1 }
    return second < first ? (self == .forward ? 1 : -1) : 0
  }
}
