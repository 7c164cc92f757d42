import FreshetLists
import FreshetTesting

@testable import Freshet

/// A list of views that shows what a test says, and may lie about what changed.
@MainActor
final class ScriptedDisplay: DisplayedList {
  typealias Item = Post

  let displayed: Displayed<FeedUpdate<Post>>
  private(set) var onScreen: [Int] = []
  private(set) var loaded: [Gap.ID] = []
  private(set) var retries = 0

  init(_ sections: [(String, [FeedRow<Post>])] = [], state: FeedState = FeedState()) {
    displayed = Displayed(Self.value(Self.list(sections), state))
  }

  /// Shows rows, after the changes that lead there or after others.
  func show(
    _ list: ListSnapshot<FeedRow<Post>>, state: FeedState? = nil,
    lying lie: ((inout ListChanges) -> Void)? = nil
  ) {
    let before = value.list
    let value = Self.value(list, state ?? value.state)
    var changes = list.changes(from: before)
    lie?(&changes)
    let step = ListUpdate(before: before, after: list, changes: changes, origin: .network)
    let update =
      changes.isEmpty ? nil : FeedUpdate(list: step, value: value, duplicatesDropped: 0)
    displayed.show(value, by: update)
  }

  func willDisplay(_ item: Post) { onScreen.append(item.id) }
  func refresh(_ scope: RefreshScope) async -> LoadState { value.state.refresh }
  func loadNext() async -> LoadState { value.state.next }
  func loadPrevious() async -> LoadState { value.state.previous }
  func load(_ gap: Gap, from side: Gap.Side) async -> LoadState {
    loaded.append(gap.id)
    return .idle
  }
  func retry() async -> LoadState {
    retries += 1
    return value.state.next
  }

  nonisolated static func list(_ sections: [(String, [FeedRow<Post>])]) -> ListSnapshot<
    FeedRow<Post>
  > {
    ListSnapshot(sections: sections.map { ListSection(name: $0.0, rows: RowTree($0.1)) })
  }

  private static func value(
    _ list: ListSnapshot<FeedRow<Post>>, _ state: FeedState
  ) -> FeedValue<Post> {
    var contents = ListContents()
    contents.list = list.refs
    contents.places = RowIndex(list)
    contents.state = state
    let rows = RowTree(list.sections.flatMap { Array($0.rows) })
    contents.rows = rows.refs
    contents.gaps = rows.indices.filter { rows[$0].gap != nil }
    return FeedValue(contents)
  }
}

extension FeedRow<Post> {
  /// A row of a test: a post, or a gap where the number is negative.
  static func row(_ id: Int, _ version: Int = 0) -> FeedRow {
    id < 0 ? .gap(Gap(id: -id)) : .item(Post(id: id, version: version))
  }
}

/// Lists that a seed decides on: rows in sections, some of which are gaps.
struct RandomLists {
  var random: SeededGenerator

  mutating func list(
    sections: Int = 4, ids: Int = 12, names: [String] = ["a", "b", "c", "d"]
  ) -> ListSnapshot<FeedRow<Post>> {
    var unused = Array(-3..<ids).filter { $0 != 0 }.shuffled(using: &random)
    let names = names.prefix(sections).shuffled(using: &random)
    let count = Int.random(in: 0...sections, using: &random)
    return ScriptedDisplay.list(
      names.prefix(count).map { name in
        let rows = (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in unused.popLast() }
        return (name, rows.map { .row($0, Int.random(in: 0...1, using: &random)) })
      })
  }

  mutating func state() -> FeedState {
    func load(_ random: inout SeededGenerator) -> LoadState {
      [.idle, .idle, .loading, .end, .failed(.source(ScriptedError()))].randomElement(
        using: &random)
        ?? .idle
    }
    var state = FeedState()
    state.refresh = load(&random)
    state.previous = load(&random)
    state.next = load(&random)
    for gap in 1...3 { state.gaps[gap] = load(&random) }
    return state
  }
}

struct ScriptedError: Error {}
