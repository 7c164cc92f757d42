/// A list that stays filtered, sorted and sectioned while its items change.
///
/// Work follows the change, not the list (rule C4): a batch of *k* known changes costs O(*k* log
/// *n*), gives the exact batch for the screen, and a snapshot that shares its rows with the last
/// one.
///
/// ```swift
/// var list = ArrangedList(quakes, arrangement: .sorted(by: \.time, .reverse))
/// let update = list.change(upserting: [revised], removing: [withdrawn.id])
/// ```
public struct ArrangedList<Item: ListItem>: Sendable {
  @usableFromInline
  struct Section: Sendable {
    @usableFromInline let name: String
    /// What tells it from others that have or had its name.
    @usableFromInline let id: Int
    /// Some item of the section, by which it is compared with others.
    @usableFromInline let sample: Item
    @usableFromInline var content = OrderedRows<Item>()

    @inlinable
    init(name: String, id: Int, sample: Item) {
      self.name = name
      self.id = id
      self.sample = sample
    }
  }

  /// What a batch did to a section's rows: what left names its order before, the others their ids.
  @usableFromInline
  struct Edits {
    /// The section's rows before it.
    @usableFromInline let before: OrderedRows<Item>
    @usableFromInline var deleted: [RowOrder] = []
    @usableFromInline var inserted: [Item.ID] = []
    @usableFromInline var updated: [Item.ID] = []

    @inlinable init(before: OrderedRows<Item>) { self.before = before }
  }

  /// How the items are laid out.
  @inlinable public var arrangement: Arrangement<Item> { layout }
  /// The list as it is shown: sorted, filtered, in sections.
  @inlinable public var snapshot: ListSnapshot<Item> { shown }
  @usableFromInline var layout: Arrangement<Item>
  @usableFromInline var shown = ListSnapshot<Item>()
  @usableFromInline var sections: [Section] = []
  /// The index of each section, by its id, and its id, by its name.
  @usableFromInline var indices: [Int: Int] = [:]
  @usableFromInline var sectionIDs: [String: Int] = [:]
  @usableFromInline var places: [Item.ID: ArrangedPlace] = [:]
  /// The items that the arrangement does not include.
  @usableFromInline var hidden: [Item.ID: Item] = [:]
  @usableFromInline var arrivals = Arrivals<Item>()
  @usableFromInline var lastSection = 0

  /// Creates a list; of items with the same id, the last one counts.
  ///
  /// - Complexity: O(*n* log *n*).
  @inlinable
  public init(_ items: some Sequence<Item>, arrangement: Arrangement<Item> = .all) {
    layout = arrangement
    layOutFirst(Array(items))
  }

  /// Creates a list without items.
  @inlinable
  public init(arrangement: Arrangement<Item> = .all) { self.init([], arrangement: arrangement) }

  // MARK: - Looking

  /// How many items there are, shown or not.
  @inlinable
  public var count: Int { places.count + hidden.count }

  /// Whether the limit leaves items out.
  @inlinable
  public var isCut: Bool { snapshot.count < places.count }

  /// The ids of all items, shown or not.
  @inlinable
  public var ids: [Item.ID] { Array(places.keys) + hidden.keys }

  /// The item with an id, shown or not.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  public subscript(id: Item.ID) -> Item? {
    guard let place = places[id], let index = indices[place.section] else { return hidden[id] }
    let content = sections[index].content
    return content.rows[content.index(of: place.order)]
  }

  /// Where an item is shown.
  ///
  /// - Complexity: O(log *n*), and O(sections) where there is a limit or sections are empty.
  @inlinable
  public func path(of id: Item.ID) -> RowPath? {
    guard let place = places[id], let index = indices[place.section] else { return nil }
    let row = sections[index].content.index(of: place.order)
    guard snapshot.sections.indices.contains(index), row < snapshot.sections[index].count else {
      return nil
    }
    return RowPath(section: index, row: row)
  }
}

// For engines, which do not know what their items are.
extension ArrangedList {
  @usableFromInline
  typealias Change =
    @Sendable (
      inout ArrangedList, _ upserted: [Item], _ removed: [Item.ID], ListUpdate<Item>.Origin
    ) -> ListUpdate<Item>?

  /// `change(upserting:removing:)`, in the code that came with the arrangement.
  package mutating func take(upserting upserted: [Item], removing removed: [Item.ID])
    -> ListUpdate<Item>?
  {
    layout.performChange(&self, upserted, removed, .network)
  }

  /// `arrange(_:)`, in the code that came with the arrangement.
  package mutating func take(_ arrangement: Arrangement<Item>) -> ListUpdate<Item>? {
    arrangement.performArrange(&self, arrangement)
  }
}

/// Where an item of an arranged list is.
@usableFromInline
struct ArrangedPlace: Sendable {
  @usableFromInline var section: Int
  @usableFromInline var order: RowOrder

  @inlinable
  init(section: Int, order: RowOrder) {
    self.section = section
    self.order = order
  }

  /// The place of an item that has none yet, by the item's index in its batch.
  @inlinable
  init(waiting index: Int) { self.init(section: -1, order: RowOrder(index)) }

  /// The index in its batch of an item that has no place yet.
  @inlinable var waiting: Int? { section == -1 ? Int(order) : nil }
}
