internal import FreshetLists

/// The rows of a live list, section after section.
struct ObservedRows<Item: ListItem>: ListNode {
  /// The observer of the list; `nil` if the list is read only once.
  private let observer: ListObserver<Item>?
  private let first: ListValue<Item>
  private let display: @Sendable (Item) -> Void
  private let gaps: GapNumbers
  /// The flag for changes of this list; `nil` if it is the only list, or is read only once.
  private let news: NewsFlag?
  private var last = RowStep<Item>()

  /// Starts to observe a list.
  ///
  /// - Parameters:
  ///   - wake: is called when there is something new; `nil` reads the list once, as it is now.
  ///   - gaps: the numbering of the list's gaps.
  init(_ list: some LiveList<Item>, gaps: GapNumbers = GapNumbers(), wake: (@Sendable () -> Void)?)
  {
    // Most wake-ups of several lists are for another list: the flag skips those.
    let news = gaps.isSame ? nil : wake.map { NewsFlag(wake: $0) }
    self.news = news
    observer = wake.map { ListObserver(list.publisher, wake: news?.set ?? $0) }
    first = observer?.first ?? list.value
    display = { [weak list] in list?.willDisplay($0) }
    self.gaps = gaps
  }

  var waitingRows: Int { observer?.waitingRows ?? 0 }

  /// A stream with one signal for everything that is new since the last one.
  var signals: AsyncStream<Void> { observer?.signals ?? AsyncStream { $0.finish() } }

  func lists(holdingBack edge: ListEdge) -> [Int] { [0] }

  func willDisplay(_ item: Item) { display(item) }

  mutating func begin() -> RowStep<Item> {
    last.edits.inserted = Array(0..<first.list.count)
    last.rows =
      shared(first.list) ?? RowTree(first.list.items.lazy.map { [gaps] in gaps.row($0) })
    stand(as: first)
    return last
  }

  mutating func advance() -> [RowStep<Item>] {
    if let news, !news.take() { return [] }
    var steps: [RowStep<Item>] = []
    while let update = observer?.next() {
      take(update)
      steps.append(last)
    }
    if let newest = observer?.newest {
      let (status, pending) = (last.status, last.pending)
      last.edits = RowEdits()
      stand(as: newest)
      if last.status != status || last.pending != pending { steps.append(last) }
    }
    return steps
  }

  private mutating func take(_ update: ListUpdate<Item>) {
    last.edits = update.step.rowEdits
    if let rows = shared(update.after) {
      last.rows = rows
    } else {
      let items = update.after.items
      last.rows.perform(last.edits) { [gaps] in gaps.row(items[$0]) }
    }
    stand(as: update.value)
    last.origin = update.origin
  }

  /// Returns the rows of the list itself, if they can be used unchanged.
  private func shared(_ list: ListSnapshot<ListRow<Item>>) -> RowTree<ListRow<Item>>? {
    guard gaps.isSame, list.sections.count < 2 else { return nil }
    return list.sections.first?.rows ?? []
  }

  private mutating func stand(as value: ListValue<Item>) {
    var status = ListStatus(value)
    if !gaps.isSame, !status.state.gaps.isEmpty {
      status.state.gaps = Dictionary(
        uniqueKeysWithValues: status.state.gaps.map { (gaps.number(of: $0.key), $0.value) })
    }
    last.status = status
    last.pending = value.pendingEdits
  }
}

/// A flag that is set when there may be something new since the last read.
private final class NewsFlag: Sendable {
  private let isSet = Locked(true)
  private let wake: @Sendable () -> Void

  /// - Parameter wake: is called whenever the flag is set; it leads to a read of the list.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  @Sendable func set() {
    isSet.withLock { $0 = true }
    wake()
  }

  func take() -> Bool {
    isSet.withLock { isSet in
      defer { isSet = false }
      return isSet
    }
  }
}

/// A numbering of the gaps of one of several lists, so that no two gaps have the same number.
struct GapNumbers: Sendable {
  var list = 0
  var lists = 1

  var isSame: Bool { lists == 1 }

  func number(of gap: Gap.ID) -> Gap.ID { gap * lists + list }

  /// Returns a row of the list, with the number of its gap.
  func row<Item>(_ row: ListRow<Item>) -> ListRow<Item> {
    switch row {
    case .item: row
    case .gap(let gap): .gap(Gap(id: number(of: gap.id), isStored: gap.isStored))
    }
  }

  /// Returns the list of a gap, and the gap as that list knows it.
  static func gap(_ gap: Gap, of lists: Int) -> (list: Int, gap: Gap) {
    (gap.id % lists, Gap(id: gap.id / lists, isStored: gap.isStored))
  }
}
