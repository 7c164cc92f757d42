import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet

/// Which rows stay where they were dropped, as a pure value.
@Suite(.timeLimit(.minutes(5)))
struct MoveConstraintsTests {
  typealias Row = ListRow<Post>

  static func value(_ list: ListSnapshot<Row>) -> ListContents { ListContents(showing: list) }

  static func value(_ ids: [Int]) -> ListContents {
    value(ScriptedDisplay.list([("", ids.map { .row($0) })]))
  }

  /// Live results that say what a test says, and what is on display of them.
  struct Model {
    var dropped = MoveConstraints()
    private(set) var value: ListContents
    private(set) var shown: ListContents
    private(set) var violations: [String] = []
    private(set) var lastChanges = ""
    private var lastDrop = 0

    init(_ value: ListContents) { (self.value, shown) = (value, value) }

    var rows: ListSnapshot<Row> { ListSnapshot(refs: shown.list) }
    var numbers: [Int] { rows.items.map { $0.item?.id ?? -($0.gap?.id ?? 0) } }

    mutating func show(_ next: ListContents? = nil) {
      let step = next.map {
        ListStep<AnyItem>(from: ListSnapshot(refs: value.list), to: ListSnapshot(refs: $0.list))
      }
      if let next { value = next }
      let (after, update) = dropped.show(value, step)
      let before = ListSnapshot<AnyItem>(refs: shown.list)
      let list = ListSnapshot<AnyItem>(refs: after.list)
      if let update {
        var checker = BatchUpdateChecker(before)
        violations += checker.violations(performing: update)
        if update.before != before { violations.append("begins elsewhere") }
      }
      if update?.after ?? before != list { violations.append("leads elsewhere") }
      for path in list.paths where after.places.path(of: list[path].id, in: list) != path {
        violations.append("\(path) is not found")
      }
      (shown, lastChanges) = (after, update.map { "\($0.changes)" } ?? "")
    }

    mutating func drop(_ id: Int, below above: Int?) -> Int {
      lastDrop += 1
      dropped.drop(
        RowID(Row.row(id).id, of: Row.self),
        below: above.map { RowID(Row.row($0).id, of: Row.self) },
        as: lastDrop, on: shown)
      show()
      return lastDrop
    }
  }

  @Test
  func `a row stays where it was dropped while others come and go, and no longer than it has to`() {
    var model = Model(Self.value([1, 2, 3, 4]))
    let drop = model.drop(1, below: 3)
    #expect(model.numbers == [2, 3, 1, 4] && model.lastChanges == "1 row moved")
    model.show(Self.value([9, 1, 2, 3, 8, 4]))
    #expect(model.numbers == [9, 2, 3, 1, 8, 4] && model.lastChanges == "2 rows inserted")
    model.dropped.confirm(drop)
    model.show()
    #expect(model.numbers == [9, 2, 3, 1, 8, 4] && model.dropped.holds(drop))
    // The results have it there: nothing is left to do, and it is held no longer.
    model.show(Self.value([9, 2, 3, 1, 8, 4]))
    #expect(model.lastChanges == "no changes" && !model.dropped.holds(drop))
    model.show(Self.value([1, 9, 2, 3, 8, 4]))
    #expect(model.numbers == [1, 9, 2, 3, 8, 4] && model.violations == [])
  }

  @Test
  func `a row goes back alone, and where its neighbour goes it goes where the results have it`() {
    var model = Model(Self.value([1, 2, 3, 4, 5]))
    let first = model.drop(1, below: 4)
    let second = model.drop(2, below: 4)
    #expect(model.numbers == [3, 4, 2, 1, 5])
    // The second one stood between the first and the one it was dropped below.
    model.dropped.release(second)
    model.show()
    #expect(model.numbers == [2, 3, 4, 1, 5])
    model.show(Self.value([1, 2, 3, 5]))
    #expect(model.numbers == [1, 2, 3, 5] && !model.dropped.holds(first))
    // One that was dropped twice is held for the later drop.
    let old = model.drop(5, below: nil)
    let new = model.drop(5, below: 1)
    model.dropped.release(old)
    model.show()
    #expect(model.numbers == [1, 5, 2, 3] && model.dropped.holds(new))
    _ = model.drop(2, below: 2)
    #expect(model.numbers == [1, 5, 2, 3] && model.lastChanges == "no changes")
    model.show(Self.value([1, 2, 3]))
    #expect(model.numbers == [1, 2, 3] && !model.dropped.holds(new) && model.violations == [])
  }

  @Test
  func `several are confirmed in any order, and nothing moves`() {
    for isFirst in [true, false] {
      var model = Model(Self.value([1, 2, 3, 4, 5]))
      let drops = [model.drop(1, below: 3), model.drop(5, below: 3)]
      #expect(model.numbers == [2, 3, 5, 1, 4])
      model.dropped.confirm(drops[isFirst ? 0 : 1])
      model.show(Self.value(isFirst ? [2, 3, 1, 4, 5] : [1, 2, 3, 5, 4]))
      #expect(model.numbers == [2, 3, 5, 1, 4])
      model.dropped.confirm(drops[isFirst ? 1 : 0])
      model.show(Self.value([2, 3, 5, 1, 4]))
      #expect(model.numbers == [2, 3, 5, 1, 4])
      #expect(!drops.contains(where: model.dropped.holds) && model.violations == [])
    }
  }

  @Test
  func `at the head of its section a row stays in it, and an empty section stays until then`() {
    func list(_ a: [Int], _ b: [Int]) -> ListContents {
      Self.value(
        ScriptedDisplay.list(
          [("a", a.map { .row($0) }), ("b", b.map { .row($0) })].filter { !$0.1.isEmpty }))
    }
    var model = Model(list([1, 2], [3, 4]))
    let drop = model.drop(4, below: 2)
    #expect(model.rows.sections[1].rows.map(\.id) == [4, 3].map { Row.row($0).id })
    model.dropped.release(drop)
    model.show()
    let others = [model.drop(3, below: 1), model.drop(4, below: 1)]
    #expect(model.numbers == [1, 4, 3, 2] && model.rows.sections.map(\.count) == [4, 0])
    model.dropped.confirm(others[0])
    model.dropped.confirm(others[1])
    model.show(list([1, 4, 3, 2], []))
    #expect(model.lastChanges == "1 section deleted" && model.violations == [])
  }

  /// How often rows are looked at, where one of so many goes while one is held and waited for.
  func looks(among count: Int) -> Int {
    typealias Counted = CostTests.Counted
    let counter = CostTests.Counter()
    let items = (0..<count).map { Counted(id: .init(number: $0, counter: counter)) }
    let value = ListContents(showing: ListSnapshot(items))
    var dropped = MoveConstraints()
    dropped.drop(
      AnyItem(items[3]).id, below: AnyItem(items[count - 9]).id, as: 1, on: value)
    _ = dropped.show(value, nil)
    dropped.confirm(1)
    let before = ListSnapshot<AnyItem>(refs: value.list)
    var rows = before.sections[0].rows
    rows.remove(at: 5)
    let after = before.replacing([(0, rows)])
    var changes = ListChanges()
    changes.deletedRows = [RowPath(section: 0, row: 5)]
    var contents = value
    contents.list = after.refs
    contents.places.apply(changes, from: before, to: after)
    let start = counter.value
    let step = ListStep(before: before, after: after, changes: changes, origin: .network)
    let (shown, update) = dropped.show(contents, step)
    let looks = counter.value - start
    #expect(update?.changes.deletedRows.count == 1 && update?.changes.movedRows.isEmpty == true)
    let moved = ListSnapshot<Counted>(refs: shown.list).sections[0].rows[count - 10]
    #expect(moved.id == items[3].id && dropped.holds(1))
    return looks
  }

  @Test
  func `C4: a step looks at as few rows of a long list as of a short one while a row is held`() {
    let (short, long) = (looks(among: 200), looks(among: 20_000))
    #expect(long < short + 50 && short < 200, "\(short), \(long)")
  }

  @Test(arguments: SeededGenerator.seeds(200))
  func `C1-C3: whatever is dropped, written, refused and changed meanwhile is one legal batch`(
    seed: Int
  ) throws {
    var lists = RandomLists(random: SeededGenerator(seed: seed))
    var model = Model(Self.value(lists.list()))
    var drops: [Int] = []
    for step in 0..<40 {
      let place: Comment = "seed \(seed), step \(step)"
      let all = model.numbers
      switch Int.random(in: 0..<6, using: &lists.random) {
      case 0: model.show(Self.value(lists.list()))
      case 1:
        guard let drop = drops.randomElement(using: &lists.random) else { continue }
        model.dropped.confirm(drop)
        model.show()
        #expect(model.numbers == all, place)
      case 2:
        guard let drop = drops.randomElement(using: &lists.random) else { continue }
        model.dropped.release(drop)
        model.show()
      case 3:
        // The results take over what is on display.
        for drop in drops { model.dropped.confirm(drop) }
        model.show(model.shown)
        #expect(model.numbers == all && !drops.contains(where: model.dropped.holds), place)
      default:
        guard let id = all.randomElement(using: &lists.random) else { continue }
        let above =
          Bool.random(using: &lists.random) ? all.randomElement(using: &lists.random) : nil
        drops.append(model.drop(id, below: above))
        var wanted = all
        if id != above {
          wanted.removeAll { $0 == id }
          wanted.insert(id, at: above.flatMap(wanted.firstIndex).map { $0 + 1 } ?? 0)
        }
        #expect(model.numbers == wanted, place)
      }
      #expect(model.violations == [], place)
    }
    model.dropped.releaseAll()
    model.show()
    let isSame = model.rows == ListSnapshot<Row>(refs: model.value.list)
    #expect(isSame && model.violations == [], "seed \(seed)")
  }
}

extension ListSnapshot {
  /// Where rows stand.
  var paths: [RowPath] {
    sections.indices.flatMap { section in
      sections[section].rows.indices.map { RowPath(section: section, row: $0) }
    }
  }
}

extension ListContents {
  /// The contents of results that show a list.
  init<Item: ListItem>(showing list: ListSnapshot<Item>) {
    self.init()
    self.list = list.refs
    places = RowIndex(list)
  }
}

extension ListValue {
  /// The value of results that show a list.
  init(showing list: ListSnapshot<Item>) { self.init(ListContents(showing: list)) }
}
