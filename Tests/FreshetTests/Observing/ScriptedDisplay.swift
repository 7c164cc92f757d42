import FreshetLists
import FreshetTesting

@testable import Freshet

/// A list on display that shows what a test says, and may lie about what changed.
@MainActor
final class ScriptedDisplay {
  let controller: ListController<Script>
  private var list: Script { controller.list }

  init(_ sections: [(String, [ListRow<Post>])] = [], state: ListState = ListState()) {
    controller = ListController(Script(Self.value(Self.list(sections), state)))
  }

  var value: ListValue<Post> { controller.value }
  var followers: ObserverRegistry<Post> { controller.followers }
  var onScreen: [Int] { list.calls.withLock { $0.onScreen } }
  var loaded: [Gap.ID] { list.calls.withLock { $0.loaded } }
  /// The edges that were loaded, and the sides of gaps.
  var pages: [String] { list.calls.withLock { $0.pages } }
  var retries: Int { list.calls.withLock { $0.retries } }

  /// Shows rows, after the changes that lead there or after others.
  func show(
    _ rows: ListSnapshot<ListRow<Post>>, state: ListState? = nil,
    lying lie: ((inout ListChanges) -> Void)? = nil
  ) {
    let before = list.value.list
    let value = Self.value(rows, state ?? list.value.state)
    var changes = rows.changes(from: before)
    lie?(&changes)
    let step = ListStep(before: before, after: rows, changes: changes, origin: .network)
    let updates = changes.isEmpty ? [] : [ListUpdate(step: step, value: value)]
    list.publisher.show(value, updates, isNew: true)()
    controller.catchUp()
  }

  /// The list behind the display.
  final class Script: LiveList {
    struct Calls {
      var onScreen: [Int] = []
      var loaded: [Gap.ID] = []
      var pages: [String] = []
      var retries = 0
    }

    let publisher: ListPublisher<Post>
    let calls = Locked(Calls())

    init(_ value: ListValue<Post>) { publisher = ListPublisher(value) }

    func willDisplay(_ item: Post) { calls.withLock { $0.onScreen.append(item.id) } }
    func refresh(_ scope: RefreshScope) async -> LoadState { value.state.refresh }
    func loadNext() async -> LoadState {
      calls.withLock { $0.pages.append("next") }
      return value.state.next
    }
    func loadPrevious() async -> LoadState {
      calls.withLock { $0.pages.append("previous") }
      return value.state.previous
    }
    func load(_ gap: Gap, from side: Gap.Side) async -> LoadState {
      calls.withLock { calls in
        calls.loaded.append(gap.id)
        calls.pages.append("\(gap.id) from \(side)")
      }
      return .idle
    }
    func retry() async -> LoadState {
      calls.withLock { $0.retries += 1 }
      return value.state.next
    }
    func pause() {}
    func resume() {}
  }

  nonisolated static func list(_ sections: [(String, [ListRow<Post>])]) -> ListSnapshot<
    ListRow<Post>
  > {
    ListSnapshot(sections: sections.map { ListSection(name: $0.0, rows: RowTree($0.1)) })
  }

  private static func value(
    _ list: ListSnapshot<ListRow<Post>>, _ state: ListState
  ) -> ListValue<Post> {
    var contents = ListContents()
    contents.list = list.refs
    contents.places = RowIndex(list)
    contents.state = state
    let rows = RowTree(list.sections.flatMap { Array($0.rows) })
    contents.rows = rows.refs
    contents.gaps = rows.indices.filter { rows[$0].gap != nil }
    return ListValue(contents)
  }
}

extension ListRow<Post> {
  /// A row of a test: a post, or a gap where the number is negative.
  static func row(_ id: Int, _ version: Int = 0) -> ListRow {
    id < 0 ? .gap(Gap(id: -id)) : .item(Post(id: id, version: version))
  }
}

/// Lists that a seed decides on: rows in sections, some of which are gaps.
struct RandomLists {
  var random: SeededGenerator

  mutating func list(
    sections: Int = 4, ids: Int = 12, names: [String] = ["a", "b", "c", "d"]
  ) -> ListSnapshot<ListRow<Post>> {
    var unused = Array(-3..<ids).filter { $0 != 0 }.shuffled(using: &random)
    let names = names.prefix(sections).shuffled(using: &random)
    let count = Int.random(in: 0...sections, using: &random)
    return ScriptedDisplay.list(
      names.prefix(count).map { name in
        let rows = (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in unused.popLast() }
        return (name, rows.map { .row($0, Int.random(in: 0...1, using: &random)) })
      })
  }

  mutating func state() -> ListState {
    func load(_ random: inout SeededGenerator) -> LoadState {
      [.idle, .idle, .loading, .end, .failed(.source(ScriptedError()))].randomElement(
        using: &random)
        ?? .idle
    }
    var state = ListState()
    state.refresh = load(&random)
    state.previous = load(&random)
    state.next = load(&random)
    for gap in 1...3 { state.gaps[gap] = load(&random) }
    return state
  }
}

struct ScriptedError: Error {}
