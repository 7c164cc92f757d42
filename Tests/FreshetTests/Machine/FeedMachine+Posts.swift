import Foundation
import FreshetLists

@testable import Freshet

// The machine knows no type of items: tests give it posts, and see posts. Where a literal fits
// both, as `.failure(…)` does, the machine's own function is meant: the other one is disfavored.
extension FeedMachine {
  typealias PostAnswer = Result<Page<Post, PageKey>, FeedError>

  /// A machine whose items are posts.
  init(
    ofPosts configuration: FeedConfiguration, continuity: PageContinuity = .stable,
    finds: RowFinding = .nothing, isCached: Bool = false, start: PageKey? = nil,
    order: (@Sendable (Post, Post) -> Bool)? = nil,
    sectionedBy section: (@Sendable (Post) -> String)? = nil
  ) {
    var ofItems: Timeline.Order?
    if let order { ofItems = { order($0.post, $1.post) } }
    var sectionOfItem: (@Sendable (AnyItem) -> String)?
    if let section { sectionOfItem = { section($0.post) } }
    self.init(
      configuration: configuration, continuity: continuity, finds: finds,
      isCached: isCached, start: start, order: ofItems, sectionedBy: sectionOfItem)
  }

  /// All that is shown, of posts.
  var value: ListValue<Post> { ListValue(contents) }

  /// Returns the effects of an event.
  mutating func effects(of event: (inout FeedMachine) -> Void) -> [Effect] {
    _ = takeEffects()
    event(&self)
    return takeEffects()
  }

  /// Changes the rows.
  mutating func change(
    _ cause: RowTrace.Cause, at now: Date,
    by change: (inout FeedRows) -> TimelineEdit = { _ in TimelineEdit() }
  ) -> Step {
    absorb(rows.change(cause, at: now, by: change))
  }

  @_disfavoredOverload
  mutating func receive(
    _ answer: PostAnswer, for ticket: LoadTicket, at now: Date, after duration: Duration = .zero
  ) {
    receive(answer.map(\.erased), for: ticket, at: now, after: duration)
  }

  mutating func insert(_ post: Post, after other: Int?, at now: Date) {
    edit(.insert(AnyItem(post), after: other.map(RowID.init(post:))), at: now)
  }

  mutating func insert(
    _ post: Post, after other: Int?, token: Int, at now: Date
  ) {
    begin(.insert(AnyItem(post), after: other.map(RowID.init(post:))), token: token, at: now)
  }

  mutating func remove(_ id: Int, at now: Date) { edit(.remove(RowID(post: id)), at: now) }

  mutating func move(_ id: Int, after other: Int?, at now: Date) {
    edit(.move(RowID(post: id), after: other.map(RowID.init(post:))), at: now)
  }

  mutating func update(
    _ id: Int, token: Int, at now: Date, by change: @escaping @Sendable (inout Post) -> Void
  ) {
    begin(.update(RowID(post: id), by: { $0.changePost(change) }), token: token, at: now)
  }

  mutating func delete(_ id: Int, token: Int, at now: Date) {
    begin(.delete(RowID(post: id)), token: token, at: now)
  }

  mutating func confirm(_ token: Int, as post: Post?, at now: Date) {
    confirm(token, as: post.map { AnyItem($0) }, at: now)
  }

  @_disfavoredOverload
  mutating func follow(_ event: FeedEvent<Post>, token: Int, at now: Date) {
    follow(event.erased, token: token, at: now)
  }

  mutating func willDisplay(_ id: Int, at now: Date) {
    willDisplay(RowID(post: id), at: now)
  }

  mutating func setAnchor(_ id: Int) { setAnchor(RowID(post: id)) }

  @_disfavoredOverload
  mutating func restore(_ cached: CachedRows<Post>, at now: Date) {
    restore(cached.erased, at: now)
  }

  mutating func readBack(
    _ rows: [CachedRows<Post>.Row]?, for ticket: LoadTicket, at now: Date
  ) {
    readBack(.success(rows?.map(\.erased)), for: ticket, at: now)
  }
}

extension [FeedMachine.Effect] {
  /// The steps that are to be stored, of items of a type.
  func commits<Item: ListItem>(of _: Item.Type = Item.self) -> [FeedCommit<Item>] {
    compactMap { if case .save(let commit) = $0 { commit.typed() } else { nil } }
  }
}

extension Timeline {
  /// The rows, of posts.
  var posts: RowTree<ListRow<Post>> { RowTree(refs: rows.refs) }
  /// Ids on a line, gaps as `|`.
  var outline: String { posts.outline }

  func index(of id: Int) -> Int? { index(of: RowID(post: id)) }
  func order(of id: Int) -> RowOrder? { order(of: RowID(post: id)) }
  func item(_ id: Int) -> Post? { item(RowID(post: id))?.post }
  func isProven(_ id: Int) -> Bool { isProven(RowID(post: id)) }

  mutating func put(_ post: Post, at row: Int) -> TimelineEdit { put(AnyItem(post), at: row) }

  mutating func mark(_ id: Int, _ edit: inout TimelineEdit, _ change: (inout PageBoundary) -> Void)
  {
    mark(RowID(post: id), &edit, change)
  }
}

extension NewRow {
  init(row: ListRow<Post>) {
    self.init(row: ListRow<AnyItem>._item(of: ListRow<Post>._row(of: row)))
  }
}

extension Run {
  init(posts: [Post], requests: [Int] = []) {
    self.init(items: posts.map { AnyItem($0) }, requests: requests)
  }
}

extension AnyItem {
  var post: Post { Post._item(of: row) }

  mutating func changePost(_ change: (inout Post) -> Void) {
    var post = post
    change(&post)
    self = AnyItem(post)
  }
}

extension ListRow<AnyItem> {
  /// The row, of posts.
  var ofPosts: ListRow<Post> { ListRow<Post>._item(of: Self._row(of: self)) }
}

extension RowID {
  /// The id of a post.
  init(post: Int) { self.init(post, of: Post.self) }

  /// The number of the post that has the id.
  var post: Int { Post._id(of: row) }
}
