import FreshetTesting
import Testing

@testable import Freshet

/// Merged lists whose queries change.
@Suite(.timeLimit(.minutes(5)))
struct QuerySwitchBarrierTests {
  let list = ScriptedList()
  let other = ScriptedList()

  func posts(_ ids: some Sequence<Int>) -> [ListRow<Post>] { ids.map { .post($0) } }

  @Test
  func `old rows stay whatever is known of the new ones, and say so`() {
    let merged = list.merged(with: other, sortedBy: \.id)
    var view = ListView(merged.publisher)
    list.show(posts([1, 3]), atEnd: true)
    other.show(posts([2, 9]), atEnd: true)
    #expect(view.advance() == [] && view.rows == posts([1, 2, 3, 9]))
    list.turnOld()
    other.turnOld()
    #expect(view.advance() == [] && view.rows == posts([1, 2, 3, 9]))
    #expect(view.value.state.isShowingOldRows && view.value.state.refresh == .loading)
  }

  @Test
  func `a turn is one for who looks late, and never saw old rows say so`() {
    var lists = QuerySwitchBarrier<Post>(count: 2)
    for list in 0..<2 { lists.begin(with: RowStep(), of: list) }
    var (old, turned) = (RowStep<Post>(), RowStep<Post>())
    old.status.state.isShowingOldRows = true
    turned.status.state.turns = 1
    #expect(lists.take([[old], [turned]]).steps.map(\.list) == [0])
    let both = lists.take([[turned], []])
    #expect(both.isTurn && both.steps.map(\.list) == [0, 1])
  }

  @Test
  func `however much becomes of a list that waits for its turn, two steps wait`() {
    var lists = QuerySwitchBarrier<Post>(count: 2)
    for list in 0..<2 { lists.begin(with: RowStep(), of: list) }
    var (old, turned) = (RowStep<Post>(), RowStep<Post>())
    old.status.state.isShowingOldRows = true
    turned.status.state.turns = 1
    _ = lists.take([[old], [turned]])
    for count in 1...100 {
      var step = turned
      step.rows = RowTree(posts(0..<count))
      step.edits = RowEdits(inserted: [count - 1])
      #expect(lists.take([[], [step]]).steps.count == 0)
    }
    let steps = lists.take([[turned], []]).steps
    #expect(steps.map(\.list) == [0, 1, 1])
    #expect(steps.last?.step.edits == RowEdits(inserted: Array(0..<100)))
    #expect(steps.last?.step.rows == RowTree(posts(0..<100)))
  }

  @Test
  func `lists that turn to another query do so in one update, whichever is there first`() {
    for isFirst in [true, false] {
      let lists = isFirst ? [list, other] : [other, list]
      list.show(posts([1, 3]), atEnd: true)
      other.show(posts([2, 4]), atEnd: true)
      let merged = list.merged(with: other, sortedBy: \.id)
      var view = ListView(merged.publisher)
      #expect(view.advance() == [])
      let step = view.value.step
      lists[0].turnOld()
      lists[1].turnOld()
      lists[0].show(posts([10, 12]), atEnd: true)
      lists[0].show(posts([10, 12, 14]), atEnd: true)
      #expect(view.advance() == [] && view.rows == posts(1...4))
      #expect(view.value.state.isShowingOldRows && view.value.step == step)
      lists[1].show(posts([4, 13]), atEnd: true)
      #expect(view.advance() == [] && view.rows == posts([4, 10, 12, 13, 14]))
      #expect(!view.value.state.isShowingOldRows && view.value.state.next == .end)
      #expect(view.value.step == step + 1)
    }
  }

  @Test
  func `R4: where one of the lists fails, old rows stay with its failure`() {
    list.show(posts([1]), atEnd: true)
    other.show(posts([2]), atEnd: true)
    let merged = list.merged(with: other, sortedBy: \.id)
    var view = ListView(merged.publisher)
    list.turnOld()
    other.turnOld()
    list.show(posts([10]), atEnd: true)
    other.turnOld(refresh: .failed(.source(ScriptedFailure())))
    #expect(view.advance() == [] && view.rows == posts([1, 2]))
    #expect(view.value.state.isShowingOldRows && view.value.state.refresh.failure != nil)
    // Another try.
    other.turnOld()
    #expect(view.advance() == [] && view.value.state.refresh == .loading)
    other.show(posts([20]), atEnd: true)
    #expect(view.advance() == [] && view.rows == posts([10, 20]))
  }

  @Test
  func `X1, X2: whatever is asked for and answered, rows of two queries never meet`() {
    for seed in SeededGenerator.seeds(200) {
      var random = SeededGenerator(seed: seed)
      let lists = [ScriptedList(), ScriptedList()]
      let merged = lists[0].merged(with: lists[1], sortedBy: \.id)
      var view = ListView(merged.publisher)
      for list in lists { list.show([] as [ListRow<Post>], atEnd: true) }
      var (asked, answered) = (0, [0, 0])
      for step in 0..<40 {
        let list = Int.random(in: 0..<2, using: &random)
        if random.oneIn(4) {
          asked += 1
          for list in lists { list.turnOld() }
        } else {
          answered[list] = asked
          let ids = (0..<10).filter { _ in random.oneIn(2) }
          // Which query a row is of shows in its id.
          lists[list].show(posts(ids.map { asked * 100 + $0 * 2 + list }), atEnd: true)
        }
        #expect(view.advance() == [], "seed \(seed), step \(step)")
        let queries = Set(view.value.items.map { $0.id / 100 })
        #expect(queries.count < 2, "seed \(seed), step \(step)")
        let isThere = answered == [asked, asked]
        #expect(view.value.state.isShowingOldRows == !isThere, "seed \(seed), step \(step)")
        if isThere {
          let all = lists.flatMap { $0.publisher.value.items.map(\.id) }.sorted()
          #expect(view.value.items.map(\.id) == all, "seed \(seed), step \(step)")
        }
      }
      withExtendedLifetime(merged) {}
    }
  }

  @Test
  func `a list without a query goes on while another one turns`() {
    list.show(posts([1, 5]), atEnd: true)
    other.show(posts([2]), atEnd: true)
    let merged = list.merged(with: other, sortedBy: \.id)
    var view = ListView(merged.publisher)
    list.turnOld()
    other.show(posts([2, 3]), atEnd: true)
    #expect(view.advance() == [] && view.rows == posts([1, 2, 3, 5]))
    list.show(posts([7]), atEnd: true)
    #expect(view.advance() == [] && view.rows == posts([2, 3, 7]))
  }

  @Test
  func `two searches merged show rows of one query at a time`() async {
    let (north, south) = (Hits(), Hits())
    let lists = [north, south].map { QueryFeed($0.family(), query: 0) }
    let merged = lists[0].merged(with: lists[1].map { $0.southern }, sortedBy: \.id)
    await merged.refresh()
    var checker = BatchUpdateChecker<ListRow<Hit>>()
    var updates = merged.updates.makeAsyncIterator()
    _ = await updates.next().map { checker.violations(performing: $0.step) }
    for query in 1...3 {
      for hits in [north, south] { hits.servers[query].hold() }
      for list in lists { list.show(query) }
      for hits in [north, south] { #expect(await hits.servers[query].waiting(1)) }
      let first = query % 2 == 0 ? (north, south) : (south, north)
      first.0.servers[query].releaseAll()
      #expect(await eventually { !lists[query % 2 == 0 ? 0 : 1].value.state.isShowingOldRows })
      #expect(merged.value.items.allSatisfy { $0.query == query - 1 })
      first.1.servers[query].releaseAll()
      let update = await updates.next()
      #expect(update.map { checker.violations(performing: $0.step) } == [])
      #expect(update?.value.items.allSatisfy { $0.query == query } == true)
      #expect(update?.value.state.isShowingOldRows == false)
    }
  }
}

extension Hit {
  /// The same row with an id that no other list has.
  fileprivate var southern: Hit { Hit(id: id + 1_000, query: query) }
}
