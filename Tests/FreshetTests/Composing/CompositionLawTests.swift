import FreshetTesting
import Testing

@testable import Freshet

/// Rules X1, X2, X4 and X5 for live lists that are made of others: chains of three, against doing
/// all from scratch.
@Suite(.timeLimit(.minutes(5 * SeededGenerator.minutes)))
struct CompositionLawTests {
  /// Rows of a feed that change at random: posts by id, with gaps here and there.
  struct RandomFeed {
    private var versions: [Int: Int] = [:]
    private var gaps: Set<Int> = []
    private var isTopKnown = true
    private var isEndKnown = false
    private let ids: Range<Int>
    /// The ids that posts got in the last step, by those that they had.
    private(set) var renamed: [Int: Int] = [:]

    init(ids: Range<Int>) { self.ids = ids }

    mutating func step(_ random: inout SeededGenerator) {
      renamed = [:]
      if random.oneIn(4) { return rename(&random) }
      let share = Int.random(in: 2...12, using: &random)
      for id in ids where random.oneIn(share) {
        let isThere = versions[id] != nil && random.oneIn(2)
        versions[id] = isThere ? nil : Int.random(in: 0..<8, using: &random)
        gaps.formSymmetricDifference(random.oneIn(6) ? [id] : [])
      }
      if random.oneIn(4) { isTopKnown = !random.oneIn(4) }
      if random.oneIn(3) { isEndKnown.toggle() }
    }

    /// Gives some posts the next id, where no post has it.
    private mutating func rename(_ random: inout SeededGenerator) {
      for id in ids.dropLast().reversed() where versions[id + 1] == nil && random.oneIn(2) {
        guard let version = versions.removeValue(forKey: id) else { continue }
        versions[id + 1] = random.oneIn(2) ? version : .random(in: 0..<8, using: &random)
        renamed[id] = id + 1
      }
    }

    var model: ComposedModel {
      let rows = ids.flatMap { id -> [ListRow<Post>] in
        let post = versions[id].map { ListRow.post(id, $0) }
        return [post, gaps.contains(id) ? .gap(id) : nil].compactMap { $0 }
      }
      return ComposedModel(rows, isTopKnown: isTopKnown, isEndKnown: isEndKnown)
    }
  }

  /// A chain of three operations on two lists, and who looks at its end.
  struct Chain {
    let operations: [Operation]
    let lists = [ScriptedList(), ScriptedList()]
    private(set) var live: [any LiveList<Post>] = []
    private var feeds = [RandomFeed(ids: 0..<40), RandomFeed(ids: 20..<60)]
    private var divisors = [2, 2, 2]

    init(_ random: inout SeededGenerator) {
      operations = (0..<3).map { _ in Operation.allCases.randomElement(using: &random)! }
      var list: any LiveList<Post> = lists[0]
      for (place, operation) in operations.enumerated() {
        list = Self.apply(operation, to: list, at: place, with: lists[1])
        live.append(list)
      }
    }

    private static func apply(
      _ operation: Operation, to list: some LiveList<Post>, at place: Int, with other: ScriptedList
    ) -> any LiveList<Post> {
      operation.live(list, at: place, with: other)
    }

    mutating func step(_ random: inout SeededGenerator) {
      if random.oneIn(4), let place = operations.indices.randomElement(using: &random),
        let filtered = live[place] as? FilteredList<Post>
      {
        let divisor = Int.random(in: 1...4, using: &random)
        divisors[place] = divisor
        filtered.replaceCondition(Operation.isIncluded(divisor))
        return
      }
      let list = Int.random(in: 0...1, using: &random)
      feeds[list].step(&random)
      let model = feeds[list].model
      lists[list].show(
        model.rows, renaming: feeds[list].renamed, atTop: model.isTopKnown,
        atEnd: model.isEndKnown)
    }

    /// What the end of the chain should show.
    var model: ComposedModel {
      let other = ComposedModel(lists[1].value)
      return operations.indices.reduce(ComposedModel(lists[0].value)) { model, place in
        operations[place].model(model, at: place, with: other, divisor: divisors[place])
      }
    }

    var view: ListView<Post> {
      let list = live[2]
      if let list = list as? FilteredList<Post> { return ListView(list.publisher) }
      return ListView((list as! DerivedList<Post>).publisher)
    }

    var value: ListValue<Post> {
      let list = live[2]
      if let list = list as? FilteredList<Post> { return list.value }
      return (list as! DerivedList<Post>).value
    }
  }

  @Test(arguments: 0..<10)
  func `X1, X2, X4, X5: chains of three show what they mean, by legal updates`(part: Int) async {
    for seed in SeededGenerator.seeds(200, from: part * 100_000) {
      var random = SeededGenerator(seed: seed)
      var chain = Chain(&random)
      for _ in 0..<Int.random(in: 0...2, using: &random) { chain.step(&random) }
      // Nobody looks: it is made for the question.
      #expect(ComposedModel(chain.value) == chain.model, "seed \(seed) \(chain.operations)")
      do {
        var view = chain.view
        for step in 0..<6 {
          let violations = view.advance()
          let (shown, meant) = (ComposedModel(view.value), chain.model)
          #expect(violations == [], "seed \(seed), step \(step) \(chain.operations)")
          #expect(shown == meant, "seed \(seed), step \(step) \(chain.operations)")
          let gaps = view.value.rows.compactMap(\.gap?.id)
          #expect(Set(view.value.state.gaps.keys) == Set(gaps), "seed \(seed), step \(step)")
          #expect(Array(view.value.items) == view.value.rows.compactMap(\.item), "seed \(seed)")
          guard violations.isEmpty, shown == meant else { return }
          chain.step(&random)
        }
      }
      // Nobody looks any more.
      #expect(chain.lists.map(\.publisher.observers) == [0, 0], "seed \(seed) \(chain.operations)")
    }
  }
}
