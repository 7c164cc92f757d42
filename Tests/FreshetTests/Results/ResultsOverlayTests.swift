import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet

/// Edits over the items of a store, as a pure value.
@Suite(.timeLimit(.minutes(5)))
struct ResultsOverlayTests {
  /// Ids on a line.
  private static func outline(_ machine: ResultsMachine) -> String {
    ListValue<Post>(shared: machine.shown).items.map { "\($0.id)" }.joined(separator: " ")
  }

  @Test
  func `an older value of the store does not undo an edit that it took`() {
    var machine = ResultsMachine(arrangement: Arrangement<Post>.sorted(by: \.version).erased)
    var complete = QueryStatus()
    complete.isComplete = true
    func report(_ posts: [Post]) -> String {
      let step = machine.receive(
        upserting: posts.map { AnyItem($0) }, removing: [], complete, of: machine.fetch)
      _ = machine.publish(step)
      return Self.outline(machine)
    }
    _ = machine.begin(isSame: false, arrangement: nil)
    #expect(report((0..<4).map { Post(id: $0, version: 10 * $0) }) == "0 1 2 3")
    let change = PendingEdits.Change.update { $0 = AnyItem(Post(id: 1, version: 35)) }
    _ = machine.publish(machine.begin(change, of: RowID(1, of: Post.self), token: 1))
    _ = machine.publish(machine.confirm(1, as: nil))
    // It was on its way when the edit was written.
    #expect(report([Post(id: 1, version: 11)]) == "0 2 3 1")
    #expect(report([Post(id: 1, version: 35)]) == "0 2 3 1")
    // Once the store has it, what it says next is shown.
    #expect(report([Post(id: 1, version: 1)]) == "0 1 2 3")
  }

  /// What a model of the store and its edits shows.
  struct Model {
    var stored: [Int: Int]
    var edits: [(id: Int, version: Int?)] = []

    var outline: String {
      var items = stored
      for edit in edits where edit.version == nil || items[edit.id] != nil {
        items[edit.id] = edit.version
      }
      return items.filter { $0.value < 100 }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        .map { "\($0.key)" }.joined(separator: " ")
    }
  }

  @Test(arguments: SeededGenerator.seeds(100))
  func `C1, R6: any order of edits, answers and failures is legal and as the model has it`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: seed)
    var machine = ResultsMachine(
      arrangement: Arrangement<Post>.sorted(by: \.version).filtered { $0.version < 100 }.erased)
    var checker = BatchUpdateChecker<ListRow<Post>>()
    var model = Model(stored: [:])
    var (open, taken): ([Int], [Int]) = ([], [])
    var violations: [String] = []
    var complete = QueryStatus()
    complete.isComplete = true
    _ = machine.begin(isSame: false, arrangement: nil)
    for token in 0..<60 {
      let id = Int.random(in: 0..<8, using: &random)
      let version = Int.random(in: 0..<130, using: &random)
      let step: ListStep<AnyItem>?
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        model.edits.append((id, version))
        open.append(token)
        step = machine.begin(
          .update { row in row = AnyItem(Post(id: id, version: version)) },
          of: RowID(id, of: Post.self), token: token)
      case 1:
        model.edits.append((id, nil))
        open.append(token)
        step = machine.begin(.delete, of: RowID(id, of: Post.self), token: token)
      case 2 where !open.isEmpty && random.oneIn(2):
        // What the store took is shown as before until the store reports it.
        let index = open.indices.randomElement(using: &random) ?? 0
        let before = Self.outline(machine)
        model.edits.remove(at: index)
        taken.append(open.remove(at: index))
        _ = machine.publish(machine.confirm(taken[taken.count - 1], as: nil)).map {
          violations += checker.violations(performing: ListUpdate<Post>($0).step)
        }
        let after = Self.outline(machine)
        #expect(before == after || model.outline == after, "seed \(seed), step \(token)")
        step = nil
      case 2 where !open.isEmpty:
        let index = open.indices.randomElement(using: &random) ?? 0
        model.edits.remove(at: index)
        step = machine.undo(open.remove(at: index))
      default:
        let isGone = random.oneIn(4)
        model.stored[id] = isGone ? nil : version
        step = machine.receive(
          upserting: isGone ? [] : [AnyItem(Post(id: id, version: version))],
          removing: isGone ? [RowID(id, of: Post.self)] : [], complete, of: machine.fetch)
      }
      let update = machine.publish(step).map { ListUpdate<Post>($0) }
      violations += update.map { checker.violations(performing: $0.step) } ?? []
      #expect(violations == [], "seed \(seed), step \(token)")
      if taken.isEmpty {
        let shown = Self.outline(machine)
        #expect(shown == model.outline, "seed \(seed), step \(token)")
      }
    }
    // In the end the list is the store's.
    for token in open { _ = machine.publish(machine.undo(token)) }
    for token in taken { _ = machine.publish(machine.settle(token)) }
    model.edits = []
    #expect(Self.outline(machine) == model.outline, "seed \(seed)")
  }
}
