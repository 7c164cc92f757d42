internal import FreshetLists

// The places of rows whose neighbours are known.
extension Timeline {
  typealias Placement = PlacedChanges<AnyItem>.Placement

  /// Returns the index before which an item belongs; `nil` if neither neighbour is loaded.
  ///
  /// - Parameter pending: the items whose own places are yet to be determined.
  func index(of placement: Placement, among pending: Set<RowID>) -> Int? {
    if let above = placement.above.flatMap(index(of:)) { return above + 1 }
    if placement.above == nil, head == .end { return 0 }
    guard let below = placement.below, !pending.contains(below) else { return nil }
    return index(of: below)
  }

  /// Returns a row at the place of an item whose own place is yet to be determined.
  ///
  /// Such a row is no evidence of the rows around it.
  func obstacle(to placement: Placement, among pending: Set<RowID>) -> RowID? {
    guard !pending.isEmpty, let index = index(of: placement, among: pending) else { return nil }
    return [itemID(at: index), itemID(at: index - 1)].compactMap(\.self)
      .first { pending.contains($0) && $0 != placement.item.id }
  }

  /// The effect of changes on the position of an item.
  enum Position {
    /// It is between its neighbours already.
    case same
    /// It belongs before the row at an index.
    case new(Int)
    /// The rows around its place are not loaded.
    case unloaded
  }

  /// Returns the position of an item between its neighbours.
  ///
  /// - Complexity: O(log *n*).
  func position(of placement: Placement, among pending: Set<RowID>) -> Position {
    guard let index = index(of: placement, among: pending) else { return .unloaded }
    let own = self.index(of: placement.item.id)
    if let own, own == index || own + 1 == index { return .same }
    // A feed that started at the first row has no page above it.
    let isFirst = placement.above == nil && itemID(at: 0).flatMap { marks[$0] }?.previous == nil
    let hasAbove = index > 0 ? itemID(at: index - 1) != nil : head == .end || isFirst
    let hasBelow = index < count ? itemID(at: index) != nil : tail == .end
    let isLoaded =
      hasAbove && hasBelow || hasAbove && leadsPast(rowAt: index)
      || hasBelow && leadsPast(rowAbove: index)
    return isLoaded ? .new(index) : .unloaded
  }

  /// Whether the key after the row above an index may lead past a row at the index.
  private func leadsPast(rowAt index: Int) -> Bool {
    let mark = itemID(at: index - 1).flatMap { marks[$0] }
    return mark.map { $0.next != nil && !$0.isNextExact } ?? false
  }

  /// Whether the key before the row at an index may lead past a row above it.
  private func leadsPast(rowAbove index: Int) -> Bool {
    let mark = itemID(at: index).flatMap { marks[$0] }
    return mark.map { $0.previous != nil && !$0.isPreviousExact } ?? false
  }

  // MARK: - Changing

  /// Updates an item that stays between its neighbours.
  mutating func update(_ placement: Placement) -> TimelineEdit {
    var edit = update(placement.item)
    let mark = marks[placement.item.id]
    bound(placement, next: mark?.next != nil, previous: mark?.previous != nil, &edit)
    return edit
  }

  /// Inserts an item at its position; an item that is elsewhere moves there.
  ///
  /// The source has proven the position, like an answer. A page key that may lead past the item is
  /// replaced with the item's own.
  mutating func insert(_ placement: Placement, at index: Int) -> TimelineEdit {
    let (above, below) = (itemID(at: index - 1), itemID(at: index))
    let (isBeyond, isBefore) = (leadsPast(rowAt: index), leadsPast(rowAbove: index))
    let hasKey = placement.position != nil
    var edit = put(
      placement.item, at: index, isBetweenPages: hasKey || !isBeyond && !isBefore)
    markProven([placement.item])
    guard hasKey else { return edit }
    if isBeyond, let above { mark(above, &edit) { $0.next = nil } }
    if isBefore, let below { mark(below, &edit) { $0.previous = nil } }
    bound(placement, next: isBeyond, previous: isBefore, &edit)
    return edit
  }

  /// Gives an item page keys of its own position.
  private mutating func bound(
    _ placement: Placement, next: Bool, previous: Bool, _ edit: inout TimelineEdit
  ) {
    guard let position = placement.position else { return }
    let id = placement.item.id
    if next, let key = try? PageKey(position) {
      mark(id, &edit) { $0.next = key }
      noteAnswered(id, \.isNextExact)
    }
    if previous, let key = try? PageKey(position.upward) {
      mark(id, &edit) { $0.previous = key }
      noteAnswered(id, \.isPreviousExact)
    }
  }
}
