import FreshetTesting
import Testing

@testable import Freshet

/// Rows that news or an edit put where they are: no answer says what their neighbours are.
@Suite(.timeLimit(.minutes(5)))
struct UnprovenRowTests {
  @Test(arguments: [ScriptedPaging.offset, .page])
  func `T5: a row that only news placed does not tell where the list goes on`(
    paging: ScriptedPaging
  ) {
    var history = History([1, 2, 3], paging, configuration: FeedConfiguration(pageSize: 3))
    history.ask { $0.load(.refresh) }
    history.server.insert(Post(id: 4), at: 3)
    history.begin { $0.follow(.insert(Post(id: 4)), token: -1, at: $1) }
    #expect(history.machine.value.outline == "4 1 2 3")
    history.server.delete(1)
    history.ask { $0.load(.next) }
    let shown = history.machine.value.items.map(\.id)
    #expect(shown.contains(2) && shown.contains(3))
    history.ask { $0.load(.refresh, scope: .all) }
    history.fill()
    #expect(history.machine.value.items.map(\.id) == [2, 3, 4])
  }

  @Test(arguments: ScriptedPaging.allCases, [true, false])
  func `T2: a refresh that ends at a row which only news placed reads on, or leaves a gap`(
    paging: ScriptedPaging, readsOn: Bool
  ) {
    var history = History(
      [1, 2, 3, 4], paging,
      configuration: FeedConfiguration(pageSize: 3, refreshPages: readsOn ? 2 : 1))
    history.ask { $0.load(.refresh) }
    // The news of row 7 was lost on its way.
    for id in [7, 5, 8, 9] { history.server.insert(Post(id: id), at: 0) }
    history.begin { $0.follow(.insert(Post(id: 5)), token: -1, at: $1) }
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == (readsOn ? "9 8 5 7 1 2 3" : "9 8 5 | 1 2 3"))
    history.fill()
    #expect(history.machine.value.items.map(\.id) == history.server.items.map(\.id))
  }

  @Test
  func `T3: a row that news placed and a page found there is proof like any other`() {
    var history = History(
      [1, 2, 3, 4], configuration: FeedConfiguration(pageSize: 2, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    history.server.insert(Post(id: 5), at: 0)
    history.begin { $0.follow(.insert(Post(id: 5)), token: -1, at: $1) }
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "5 1 2")
    history.server.insert(Post(id: 6), at: 0)
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "6 5 1 2")
  }

  @Test
  func `A4, T2: what an edit put into a list that was never loaded is no frontier`() {
    var history = History(
      [9, 7, 5, 3], sortedBy: { $0.id > $1.id }, configuration: FeedConfiguration(pageSize: 2))
    history.begin { $0.insert(Post(id: 5), after: nil, token: 1, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 5), at: $1) }
    history.begin { $0.follow(.insert(Post(id: 9)), token: -1, at: $1) }
    history.begin { $0.follow(.insert(Post(id: 3)), token: -2, at: $1) }
    #expect(history.machine.value.outline == "5")
    history.ask { $0.load(.refresh) }
    history.fill()
    #expect(history.machine.value.items.map(\.id) == [9, 7, 5, 3])
    #expect(history.violations == [])
  }

  @Test
  func `A4, T2: what an edit put below the loaded rows is no frontier`() {
    var history = History(
      [9, 7, 5, 3, 1], sortedBy: { $0.id > $1.id },
      configuration: FeedConfiguration(pageSize: 2, prefetchDistance: 0))
    history.ask { $0.load(.refresh) }
    history.server.insert(Post(id: 2), at: 4)
    history.begin { $0.insert(Post(id: 2), after: 7, token: 1, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 2), at: $1) }
    #expect(history.machine.value.outline == "9 7 2")
    history.server.insert(Post(id: 4), at: 3)
    history.begin { $0.follow(.insert(Post(id: 4)), token: -1, at: $1) }
    history.begin { $0.follow(.insert(Post(id: 8)), token: -2, at: $1) }
    #expect(history.machine.value.outline == "9 8 7 2")
  }

  @Test
  func `A4, T2: news are not sorted by what an edit put out of order`() {
    var history = History(
      [9, 7, 6, 5, 3, 2], sortedBy: { $0.id > $1.id },
      configuration: FeedConfiguration(pageSize: 2, prefetchDistance: 0))
    history.ask { $0.load(.refresh) }
    history.begin { $0.insert(Post(id: 2), after: 9, token: 1, at: $1) }
    history.begin { $0.confirm(1, as: Post(id: 2), at: $1) }
    #expect(history.machine.value.outline == "9 2 7")
    history.begin { $0.follow(.insert(Post(id: 6)), token: -1, at: $1) }
    #expect(history.machine.value.outline == "9 2 7")
    history.server.update(Post(id: 2, version: 1))
    history.begin { $0.follow(.upsert(Post(id: 2, version: 1)), token: -2, at: $1) }
    #expect(history.machine.value.outline == "9 2v1 7")
    history.server.insert(Post(id: 8), at: 1)
    history.begin { $0.follow(.insert(Post(id: 8)), token: -3, at: $1) }
    #expect(history.machine.value.outline == "9 8 2v1 7")
  }

  @Test
  func `a sorted list keeps and takes news above its end, whatever went from there`() {
    var history = History(
      [1, 2, 3, 4, 5, 6], sortedBy: { $0.version > $1.version },
      configuration: FeedConfiguration(pageSize: 4, prefetchDistance: 0))
    for id in 1...6 { history.server.update(Post(id: id, version: 100 - 10 * id)) }
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "1v90 2v80 3v70 4v60")
    history.begin { $0.follow(.insert(Post(id: 9, version: 75)), token: -1, at: $1) }
    history.begin { $0.follow(.delete(3), token: -2, at: $1) }
    history.begin { $0.follow(.delete(4), token: -3, at: $1) }
    history.begin { $0.follow(.upsert(Post(id: 9, version: 76)), token: -4, at: $1) }
    history.begin { $0.follow(.insert(Post(id: 8, version: 78)), token: -5, at: $1) }
    #expect(history.machine.value.outline == "1v90 2v80 8v78 9v76")
  }

  @Test
  func `T2: a gap is not bridged by a row that an edit put above it`() throws {
    var history = History(
      Array(1...9), configuration: FeedConfiguration(pageSize: 2, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    for id in 10...16 { history.server.insert(Post(id: id), at: 0) }
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "16 15 | 1 2")
    // The source has it further down, where the page above row 1 begins.
    history.server.delete(11)
    history.server.insert(Post(id: 11), at: 4)
    history.ask { $0.insert(Post(id: 11), after: 15, at: $1) }
    #expect(history.machine.value.outline == "16 15 11 | 1 2")
    let gap = try #require(history.machine.timeline.gaps.keys.first)
    history.ask { $0.load(.gap(gap), from: .below) }
    history.fill()
    #expect(history.machine.value.items.map(\.id) == history.server.items.map(\.id))
  }

  @Test
  func `T7: a gap below a row that an edit put there is filled by offset`() throws {
    var history = History(
      Array(1...20), .offset, configuration: FeedConfiguration(pageSize: 2, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    for id in 30..<50 { history.server.insert(Post(id: id), at: 0) }
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "49 48 | 1 2")
    // It is there on the server, too.
    history.ask { $0.insert(Post(id: 47), after: 48, at: $1) }
    let gap = try #require(history.machine.timeline.gaps.keys.first)
    history.ask { $0.load(.gap(gap)) }
    #expect(history.machine.value.outline.hasPrefix("49 48 47 46"))
    history.fill()
    #expect(history.machine.value.items.map(\.id) == history.server.items.map(\.id))
  }

  @Test
  func `T3: news that were lost again cost no gap where the page shows the rows around them`() {
    var history = History(
      [1, 2, 3, 4], configuration: FeedConfiguration(pageSize: 3, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    for id in [11, 12, 13] {
      history.server.insert(Post(id: id), at: 0)
      history.begin { $0.follow(.insert(Post(id: id)), token: -id, at: $1) }
    }
    history.server.delete(12)
    #expect(history.machine.value.outline == "13 12 11 1 2 3")
    history.ask { $0.load(.refresh) }
    #expect(history.machine.value.outline == "13 11 1 2 3")
  }

  @Test
  func `P3: rows that leave memory and come back are as proven as they were`() throws {
    var history = History(
      Array(1...60), isCached: true,
      configuration: FeedConfiguration(
        pageSize: 5, refreshPages: 1, prefetchDistance: 0, maximumRows: 15))
    history.ask { $0.load(.refresh) }
    for page in 2...12 {
      history.ask { $0.load(.next) }
      let last = page * 5
      if last == 20 || last == 30 {
        history.ask { $0.insert(Post(id: 80 + last), after: last, at: $1) }
      }
    }
    #expect(history.machine.timeline.index(of: 100) == nil)
    #expect(history.machine.timeline.unproven.isEmpty)
    func unproven(_ history: History) -> [Range<Int>] {
      history.machine.timeline.unprovenOnDisk
    }
    #expect(unproven(history) == [20..<21, 31..<32])
    let model = try #require(history.cache as? ModelCache)
    #expect(model.state.unproven == [20..<21, 31..<32])
    // So are they after a relaunch that leaves most of them on disk.
    history.relaunch(from: model)
    history.settle()
    #expect(unproven(history) == [20..<21, 31..<32])
    history.readAll()
    let rows = history.machine.timeline.rows.compactMap(\.item?.id)
    #expect(rows.filter { !history.machine.timeline.isProven($0) }.map(\.post) == [100, 110])
    #expect(rows.count == 62 && history.violations == [])
  }

  // MARK: - Which they are

  @Test(arguments: SeededGenerator.seeds(200))
  func `ranges hold every row that was added and not taken out, and few others`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    var (rows, expected) = (UnprovenRows(), Set<RowOrder>())
    let most: RowOrder = random.oneIn(2) ? 60 : 600
    var wereJoined = false
    for _ in 0..<300 {
      let start = RowOrder.random(in: 0..<most, using: &random)
      let range = start...(start + RowOrder.random(in: 0...3, using: &random))
      if random.oneIn(3) {
        rows.remove(range)
        expected.subtract(range)
      } else {
        rows.insert(range, beside: [range.lowerBound - 1, range.upperBound + 1])
        expected.formUnion(range)
        #expect(rows.ranges.count <= UnprovenRows.limit)
      }
      wereJoined = wereJoined || rows.ranges.count >= UnprovenRows.limit
      let held = Set(rows.ranges.flatMap { Array($0) })
      #expect(held.isSuperset(of: expected), "seed \(seed)")
      if !wereJoined { #expect(held == expected, "seed \(seed)") }
      #expect(
        zip(rows.ranges, rows.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    }
  }

  @Test
  func `rows are as proven as they were after they were renumbered`() {
    var history = History([1, 2], configuration: FeedConfiguration(pageSize: 4))
    history.ask { $0.load(.refresh) }
    var numbers: Set<RowOrder?> = []
    for id in 100..<160 {
      // Each halves the room above row 2.
      history.begin { $0.insert(Post(id: id), after: id == 100 ? 1 : id - 1, at: $1) }
      numbers.insert(history.machine.timeline.order(of: 130))
    }
    let timeline = history.machine.timeline
    #expect(numbers.subtracting([nil]).count > 1, "no row was renumbered")
    #expect(timeline.isProven(1) && timeline.isProven(2))
    #expect((100..<160).allSatisfy { !timeline.isProven($0) })
    #expect(timeline.unprovenIndices == [1..<61])
  }

  @Test(arguments: ScriptedPaging.allCases)
  func `T3: news stay where a row that is known moved above them`(paging: ScriptedPaging) {
    var history = History(
      [1, 2], paging, configuration: FeedConfiguration(pageSize: 1, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    history.ask { $0.load(.next) }
    history.server.insert(Post(id: 3), at: 0)
    history.begin { $0.follow(.insert(Post(id: 3)), token: -1, at: $1) }
    #expect(history.machine.value.outline == "3 1 2")
    history.server.move(1, to: 0)
    history.ask { $0.load(.refresh) }
    let value = history.machine.value
    #expect(
      Set(value.items.map(\.id)) == [1, 2, 3] || value.outline.contains("|"), "\(value.outline)")
    history.fill()
    #expect(Set(history.machine.value.items.map(\.id)) == [1, 2, 3])
    #expect(history.violations == [])
  }

  @Test
  func `T2: a known row that moved past news takes none of them with it`() {
    var history = History(
      [1, 2, 3], configuration: FeedConfiguration(pageSize: 2, refreshPages: 1))
    history.ask { $0.load(.refresh) }
    history.fill()
    for (id, index) in [(10, 1), (11, 1)] {
      history.begin { $0.insert(Post(id: id), after: 1, token: id, at: $1) }
      history.server.insert(Post(id: id), at: index)
      history.begin { $0.confirm(id, as: Post(id: id), at: $1) }
    }
    #expect(history.machine.value.outline == "1 11 10 2 3")
    history.server.move(2, to: 1)
    history.ask { $0.load(.refresh) }
    history.fill()
    #expect(Set(history.machine.value.items.map(\.id)) == [1, 2, 3, 10, 11])
    #expect(history.violations == [])
  }
}
