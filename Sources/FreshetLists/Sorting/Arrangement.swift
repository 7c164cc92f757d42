/// How a list is laid out: which items it shows, in which order, in which sections, and how many.
///
/// ```swift
/// let arrangement = Arrangement<Quake>.sorted(by: \.time, .reverse).sectioned(by: \.day, .reverse)
/// ```
///
/// Items that compare as equal stand in the order of their ids where ids can be compared, else in
/// the order in which they came (rule A2). A comparison that contradicts itself gives some order,
/// and never loses or doubles an item.
public struct Arrangement<Item: ListItem>: Sendable {
  @usableFromInline var rows: RowArrangement

  /// Everything, in the order of the ids, or in that of arrival.
  @inlinable
  public init() { rows = RowArrangement(ids: Item._idOrder) }

  @inlinable
  init(_ rows: RowArrangement) { self.rows = rows }

  /// The same arrangement of items whose type is not known.
  package var erased: Arrangement<AnyItem> { Arrangement<AnyItem>(rows) }

  /// How many items are shown at most; those beyond come back when there is room (rule A3).
  @inlinable public var limit: Int? {
    get { rows.limit }
    set { rows.limit = newValue }
  }

  /// This arrangement, of the items for which `isIncluded` is true only.
  ///
  /// A second filter narrows the first.
  @inlinable
  public func filtered(_ isIncluded: @escaping @Sendable (Item) -> Bool) -> Self {
    var arrangement = self
    let first = rows.isIncluded
    arrangement.rows.isIncluded = { (first?($0) ?? true) && isIncluded(Item._item(of: $0)) }
    return arrangement
  }

  /// This arrangement, ordered by a part of the items; a second order applies where the first does
  /// not tell items apart.
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

  /// This arrangement, ordered as a comparison says.
  ///
  /// - Parameter precedes: whether the first item comes before the second.
  @inlinable
  public func sorted(by precedes: @escaping @Sendable (Item, Item) -> Bool) -> Self {
    adding(RowComparison({ Item._item(of: $0) }, nil, precedes))
  }

  /// This arrangement, in sections by a part of the items.
  ///
  /// - Parameters:
  ///   - key: what the items of a section have in common; sections stand in its order.
  ///   - direction: whether sections ascend or descend.
  ///   - name: the name of a section, which is also what identifies it.
  ///   - keepingEmpty: whether a section stays when its last item goes.
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

  /// This arrangement, of the first items only (rule A3).
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

// Where an arrangement is expected, it may begin with its first part.
extension Arrangement {
  /// Everything, in the order of the ids, or in that of arrival.
  @inlinable public static var all: Self { Self() }

  /// The items for which `isIncluded` is true.
  @inlinable
  public static func filtered(_ isIncluded: @escaping @Sendable (Item) -> Bool) -> Self {
    all.filtered(isIncluded)
  }

  /// Everything, ordered by a part of the items.
  @inlinable
  public static func sorted<Value: Comparable & Sendable>(
    by key: any KeyPath<Item, Value> & Sendable, _ direction: ListDirection = .forward
  ) -> Self {
    all.sorted(by: key, direction)
  }

  /// Everything, ordered as a comparison says.
  @inlinable
  public static func sorted(by precedes: @escaping @Sendable (Item, Item) -> Bool) -> Self {
    all.sorted(by: precedes)
  }
}

/// Whether an order ascends or descends.
public enum ListDirection: String, Codable, CaseIterable, Sendable {
  /// The smallest key comes first.
  case forward
  /// The largest key comes first.
  case reverse

  /// How two values stand to each other: negative, zero or positive.
  @inlinable
  func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
    if first < second { return self == .forward ? -1 : 1 }
    return second < first ? (self == .forward ? 1 : -1) : 0
  }
}
