@testable import Freshet

/// The live results of a random history, whose store has some of the items.
///
/// The results of a fetch are fixed when it begins, and arrive later. What changes in the store
/// meanwhile arrives after them, and later changes at once.
struct SharedResults {
  /// The results of a fetch that have not arrived.
  private struct Answer {
    let fetch: Int
    let request: StoreFetch
    let posts: [Post]
    var later: [Int: Post] = [:]
    var deleted: Set<Int> = []
  }

  private(set) var machine: ResultsMachine
  let sharing: ResultsSharing
  /// The ids of the items in the store.
  private(set) var ids: Set<Int>
  private let filter: @Sendable (Post) -> Bool
  private var answer: Answer?
  private var request: StoreFetch?
  /// The edits that the store took, and that it has not reported for a while.
  ///
  /// Until they are settled, they are shown over what the store reports.
  private(set) var unsettled: [Int] = []

  init(_ ids: Set<Int>, isFiltered: Bool, _ sharing: ResultsSharing) {
    (self.ids, self.sharing) = (ids, sharing)
    filter = { !isFiltered || $0.version % 3 != 1 }
    machine = ResultsMachine(arrangement: Arrangement<Post>.filtered(filter).erased)
    machine.share()
  }

  /// The items on display.
  var items: [Post] { Array(ListValue<Post>(shared: machine.shown).items) }
  var isLoading: Bool { answer != nil }
  /// The items that are to be on display at rest.
  func expected(_ versions: [Int: Int]) -> [Post] {
    ids.sorted().compactMap { id in versions[id].map { Post(id: id, version: $0) } }.filter(filter)
  }

  /// Applies an event, as live results do.
  mutating func apply(_ event: (inout ResultsMachine, ResultsSharing) -> ListStep<AnyItem>?) {
    _ = machine.publish(event(&machine, sharing))
    while true {
      let news = sharing.exchange(&machine)
      if news.isEmpty { break }
      for step in machine.take(news) { _ = machine.publish(step) }
      for case .confirm(let token, _) in news.notices { unsettled.append(token) }
    }
    sharing.member.wakeOthers()
  }

  mutating func fetch(_ versions: [Int: Int]) {
    let posts = ids.sorted().compactMap { id in versions[id].map { Post(id: id, version: $0) } }
    let request = sharing.beginRequest()
    apply { machine, _ in
      machine.begin(isSame: true, arrangement: nil, requestNumber: request.moment.request)
    }
    self.request = request
    answer = Answer(fetch: machine.fetch, request: request, posts: posts)
  }

  /// Delivers the results of the fetch, and returns them.
  mutating func deliver() -> [Post] {
    guard let answer else { return [] }
    self.answer = nil
    let posts =
      answer.posts.map { answer.later[$0.id] ?? $0 }.filter { !answer.deleted.contains($0.id) }
    var status = QueryStatus()
    status.isComplete = true
    apply { machine, sharing in
      let items = sharing.resolve(
        ChangeBatch(inserting: posts),
        later: ChangeBatch(inserting: posts.filter { answer.later[$0.id] != nil }),
        after: sharing.member.lastRequest, in: answer.request)
      return machine.receive(upserting: items, removing: [], status, of: answer.fetch)
    }
    return posts
  }

  /// The store reports an item; returns whether it did so at once.
  mutating func report(_ post: Post) -> Bool {
    guard ids.contains(post.id) else { return false }
    answer?.later[post.id] = post
    guard answer == nil, machine.state == .loaded else { return false }
    var status = QueryStatus()
    status.isComplete = true
    guard let request else { return false }
    apply { machine, sharing in
      let changes = ChangeBatch(inserting: [post])
      let items = sharing.resolve(
        changes, later: changes, after: sharing.member.lastRequest, in: request)
      return machine.receive(upserting: items, removing: [], status, of: machine.fetch)
    }
    return true
  }

  /// The store loses an item.
  mutating func delete(_ id: Int) {
    guard ids.remove(id) != nil else { return }
    answer?.deleted.insert(id)
    guard answer == nil, machine.state == .loaded else { return }
    var status = QueryStatus()
    status.isComplete = true
    apply { machine, _ in
      machine.receive(upserting: [], removing: [RowID(post: id)], status, of: machine.fetch)
    }
  }

  mutating func confirm(_ token: Int, as item: AnyItem?) {
    apply { machine, sharing in
      let (step, outcome) = machine.confirmShared(token, as: item)
      sharing.member.confirm(token, as: outcome)
      return step
    }
    unsettled.append(token)
  }

  /// The time passes in which the store could have reported the edits that it took.
  mutating func settle() {
    for token in unsettled { apply { machine, _ in machine.settle(token) } }
    unsettled = []
  }
}

extension ChangeBatch {
  init(inserting items: [Item]) {
    self.init()
    for item in items { add(item, as: .insert) }
  }
}
