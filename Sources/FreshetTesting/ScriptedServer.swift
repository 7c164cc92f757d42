public import Freshet
public import FreshetLists

/// A list on a server that a test controls.
///
/// Rows are inserted, removed, moved and updated. Answers can fail, be held back, and overtake each
/// other.
///
/// ```swift
/// let server = ScriptedServer((0..<100).map { Post(id: $0) })
/// let feed = Feed(server.source(.keyset))
/// server.insert(Post(id: 100), at: 0)
/// server.failNext(with: URLError(.timedOut))
/// ```
public final class ScriptedServer<Item: ListItem>: Sendable {
  private struct Row {
    var item: Item
    /// The row's rank among all rows that ever existed; it changes when the row moves.
    var rank: Double
  }

  /// The contents of a page, and the meaning of its keys.
  private struct Version: Equatable {
    var items: [Item]
    var next: String?
    var previous: String?
  }

  private struct State {
    var rows: [Row]
    var requests: [PageRequest<ScriptedKey>] = []
    var failures: [any Error] = []
    var tokens: [Double] = []
    var validTokens = 0
    /// The ids of the items that ended a page; keys refer to them by index.
    var lastItems: [Item.ID] = []
    /// The pages that have validators, each named by its index here.
    ///
    /// It is `nil` if pages have no validators.
    var versions: [Version]?
    var unchangedAnswers = 0
    /// Whether pages have positions and totals.
    var isCounted = false
    var isHolding = false
    var held: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Locked<State>

  /// Creates a server with these items.
  public init(_ items: [Item] = []) {
    let rows = items.enumerated().map { Row(item: $1, rank: Double($0)) }
    state = Locked(State(rows: rows))
  }

  // MARK: - The list

  /// The list as the server has it now.
  public var items: [Item] { state.withLock { $0.rows.map(\.item) } }

  /// Inserts an item so that it is at `index` afterwards.
  public func insert(_ item: Item, at index: Int) {
    state.withLock { Self.insert(item, at: index, in: &$0) }
  }

  /// Removes the item with an id.
  public func delete(_ id: Item.ID) {
    state.withLock { $0.rows.removeAll { $0.item.id == id } }
  }

  /// Replaces the contents of the item with the same id.
  public func update(_ item: Item) {
    state.withLock { state in
      if let index = state.rows.firstIndex(where: { $0.item.id == item.id }) {
        state.rows[index].item = item
      }
    }
  }

  /// Moves the item with an id so that it is at `index` afterwards.
  public func move(_ id: Item.ID, to index: Int) {
    state.withLock { state in
      guard let old = state.rows.firstIndex(where: { $0.item.id == id }) else { return }
      let item = state.rows.remove(at: old).item
      Self.insert(item, at: min(index, state.rows.count), in: &state)
    }
  }

  private static func insert(_ item: Item, at index: Int, in state: inout State) {
    let above = index > 0 ? state.rows[index - 1].rank : nil
    let below = index < state.rows.count ? state.rows[index].rank : nil
    let rank =
      switch (above, below) {
      case (let above?, let below?): (above + below) / 2
      case (let above?, nil): above + 1
      case (nil, let below?): below - 1
      case (nil, nil): 0.0
      }
    state.rows.insert(Row(item: item, rank: rank), at: index)
  }

  // MARK: - Answers

  /// The requests so far, oldest first.
  public var requests: [PageRequest<ScriptedKey>] { state.withLock { $0.requests } }

  /// Makes one future request fail.
  public func failNext(with error: any Error) { state.withLock { $0.failures.append(error) } }

  /// Gives each page a validator from now on.
  ///
  /// If a request has the validator of the page as it is now, the answer is `Page.unchanged`.
  public func giveValidators() { state.withLock { $0.versions = $0.versions ?? [] } }

  /// Gives each page the number of rows above it and in the whole list from now on.
  ///
  /// Only pages of `keyset` and `offset` get them.
  public func countRows() { state.withLock { $0.isCounted = true } }

  /// The number of answers that were `Page.unchanged`.
  public var unchangedAnswers: Int { state.withLock { $0.unchangedAnswers } }

  /// Invalidates the cursors handed out so far: requests with them fail with `FeedError.staleKey`.
  public func expireCursors() { state.withLock { $0.validTokens = $0.tokens.count } }

  /// Holds future requests back until they are released.
  public func hold() { state.withLock { $0.isHolding = true } }

  /// Releases one held request, the `index`th of those that are held, oldest first.
  public func release(_ index: Int = 0) {
    state.withLock { $0.held.indices.contains(index) ? $0.held.remove(at: index) : nil }?.resume()
  }

  /// Releases all held requests, and holds no future ones back.
  public func releaseAll() {
    let held = state.withLock { state in
      state.isHolding = false
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }

  /// Waits until this many requests are held, as `eventually(within:_:)` does.
  ///
  /// - Returns: `false` if they are not within 30 seconds, or the task was cancelled.
  public func waiting(_ count: Int) async -> Bool {
    await eventually { state.withLock { $0.held.count >= count } }
  }

  /// Returns the keyset key of the page that starts with the item at `index`.
  ///
  /// A feed can begin with that page.
  public func key(ofPageAt index: Int) -> ScriptedKey {
    state.withLock { state in
      ScriptedKey(rank: index > 0 ? state.rows[index - 1].rank : -.infinity)
    }
  }

  /// Returns the server as a source of pages.
  public func source(_ paging: ScriptedPaging) -> ScriptedSource<Item> {
    ScriptedSource(server: self, paging: paging)
  }

  /// Answers a request at once, from the list as it is now.
  ///
  /// - Throws: the error of `failNext(with:)`, or `FeedError.staleKey` for a key that expired.
  public func answer(
    _ request: PageRequest<ScriptedKey>, _ paging: ScriptedPaging
  ) throws -> Page<Item, ScriptedKey> {
    try named(state.withLock { try Self.answer(request, paging, in: &$0) }, for: request)
  }

  private static func answer(
    _ request: PageRequest<ScriptedKey>, _ paging: ScriptedPaging, in state: inout State
  ) throws -> Page<Item, ScriptedKey> {
    state.requests.append(request)
    if !state.failures.isEmpty { throw state.failures.removeFirst() }
    switch paging {
    case .offset:
      let request = PageRequest(key: request.key?.offset, limit: request.limit)
      let offset = request.key?.offset ?? 0
      let rows = state.rows.dropFirst(offset).prefix(OffsetKey.limit(of: request)).map(\.item)
      return counted(
        OffsetKey.page(of: rows, for: request, first: 0).mapKeys { ScriptedKey(offset: $0) },
        above: offset, in: state)
    case .page:
      // This equals reading the page above again while the list does not change. `ScriptedSource`
      // does read it again.
      let number = request.key?.number?.number ?? 1
      let above =
        request.key?.number?.above == nil
        ? [] : Self.rows(onPage: number - 1, request.limit, of: state)
      let page = NumberedKey.page(
        of: Self.rows(onPage: number, request.limit, of: state), above: above, number: number,
        first: 1
      ).mapKeys { ScriptedKey(number: $0) }
      return counted(page, above: (number &- 1) &* request.limit &- above.count, in: state)
    case .lastItem: return try Self.pageBehindLast(request, in: &state)
    case .keyset, .cursor: return try Self.pageByRank(request, paging, in: &state)
    }
  }

  /// Returns the page after a position or a token, or the one above a position.
  private static func pageByRank(
    _ request: PageRequest<ScriptedKey>, _ paging: ScriptedPaging, in state: inout State
  ) throws -> Page<Item, ScriptedKey> {
    if let below = request.key?.below {
      let rows = state.rows.prefix { $0.rank < below }.suffix(request.limit)
      return counted(keysetPage(rows, isLast: false), above: rows.startIndex, in: state)
    }
    var rank = request.key?.rank ?? -.infinity
    if let token = request.key?.token {
      guard token >= state.validTokens else { throw FeedError.staleKey("\(token)") }
      rank = state.tokens[token]
    }
    let rows = state.rows.filter { $0.rank > rank }
    let page = rows.prefix(request.limit)
    if paging == .keyset {
      return counted(
        keysetPage(page, isLast: rows.count == page.count),
        above: state.rows.count - rows.count, in: state)
    }
    guard rows.count > page.count, let last = page.last else {
      return Page(page.map(\.item), next: nil)
    }
    state.tokens.append(last.rank)
    return Page(page.map(\.item), next: ScriptedKey(token: state.tokens.count - 1))
  }

  /// Returns the key of the page that begins some rows further than another page.
  ///
  /// Of numbered pages, it is the key of the page that contains the row. It is `nil` if there is no
  /// such row, or if pages are `cursor` or `lastItem`.
  public func key(
    _ count: Int, rowsFrom key: ScriptedKey?, before end: ScriptedKey?, _ paging: ScriptedPaging
  ) -> ScriptedKey? {
    switch paging {
    case .offset: return key?.offset?.advanced(by: count).map { ScriptedKey(offset: $0) }
    case .page:
      guard let number = key?.number?.number, let limit = requests.last?.limit else { return nil }
      return ScriptedKey(number: NumberedKey(number: number &+ count / max(1, limit)))
    case .keyset: break
    case .cursor, .lastItem: return nil
    }
    let ranks = state.withLock { $0.rows.map(\.rank) }
    if let below = key?.below {
      let row = ranks.filter { $0 < below }.dropLast(count).last
      return row.flatMap { row in
        end?.rank.map { row <= $0 } == true ? nil : ScriptedKey(below: row.nextUp)
      }
    }
    let row = ranks.filter { $0 > key?.rank ?? -.infinity }.dropFirst(count).first
    return row.flatMap { row in
      end?.below.map { row >= $0 } == true ? nil : ScriptedKey(rank: row.nextDown)
    }
  }

  private static func counted(
    _ page: Page<Item, ScriptedKey>, above rows: Int, in state: State
  ) -> Page<Item, ScriptedKey> {
    guard state.isCounted else { return page }
    var page = page
    (page.rowsAbove, page.total) = (.exact(rows), .exact(state.rows.count))
    return page
  }

  /// Returns the page with its validator, or `Page.unchanged`.
  func named(
    _ page: Page<Item, ScriptedKey>, for request: PageRequest<ScriptedKey>
  ) -> Page<Item, ScriptedKey> {
    state.withLock { state in
      guard let count = state.versions?.count else { return page }
      // A token keeps the meaning that it had when it was handed out.
      func meaning(_ key: ScriptedKey?) -> String? {
        key.map { key in
          if let token = key.token { return "behind \(state.tokens[token])" }
          return if let last = key.last { "behind \(state.lastItems[last])" } else { "\(key)" }
        }
      }
      let version = Version(
        items: page.items, next: meaning(page.next), previous: meaning(page.previous))
      let name = state.versions?.lastIndex(of: version) ?? count
      if name == count { state.versions?.append(version) }
      var page = page
      page.validator = "\(name)"
      guard request.validator == page.validator else { return page }
      state.unchangedAnswers += 1
      return .unchanged
    }
  }

  /// Returns the rows of a numbered page as they are now, and the total if rows are counted.
  ///
  /// This is one request of the two that such a page costs.
  func rows(onPage number: Int, _ limit: Int) throws -> (items: [Item], total: Int?) {
    try state.withLock { state in
      state.requests.append(
        PageRequest(key: ScriptedKey(number: NumberedKey(number: number)), limit: limit))
      if !state.failures.isEmpty { throw state.failures.removeFirst() }
      return (
        Self.rows(onPage: number, limit, of: state), state.isCounted ? state.rows.count : nil
      )
    }
  }

  private static func rows(onPage number: Int, _ limit: Int, of state: State) -> [Item] {
    let (start, isBeyond) = (number - 1).multipliedReportingOverflow(by: limit)
    return isBeyond ? [] : state.rows.dropFirst(start).prefix(limit).map(\.item)
  }

  /// Returns the page after an item, at the current position of the item.
  private static func pageBehindLast(
    _ request: PageRequest<ScriptedKey>, in state: inout State
  ) throws -> Page<Item, ScriptedKey> {
    var rows = state.rows[...]
    if let last = request.key?.last {
      guard let index = rows.firstIndex(where: { $0.item.id == state.lastItems[last] }) else {
        throw FeedError.staleKey("\(state.lastItems[last])")
      }
      rows = rows[(index + 1)...]
    }
    let page = rows.prefix(request.limit).map(\.item)
    guard rows.count > page.count, let last = page.last else { return Page(page, next: nil) }
    state.lastItems.append(last.id)
    return Page(page, next: ScriptedKey(last: state.lastItems.count - 1))
  }

  /// Returns a page whose neighbours are named by its first and last rows.
  private static func keysetPage(_ rows: ArraySlice<Row>, isLast: Bool) -> Page<Item, ScriptedKey> {
    Page(
      rows.map(\.item), next: isLast ? nil : rows.last.map { ScriptedKey(rank: $0.rank) },
      previous: rows.first.map { ScriptedKey(below: $0.rank) })
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isHeld = state.withLock { state in
        if state.isHolding { state.held.append(continuation) }
        return state.isHolding
      }
      if !isHeld { continuation.resume() }
    }
  }
}
