import FreshetLists
import Testing

@testable import Freshet

/// Where rows are let go that were on display.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct LettingGoTests {
  /// Counts the rows that are let go.
  final class Counter: Sendable {
    let gone = Locked(0)
    let (all, end) = AsyncStream<Void>.makeStream()
    let count: Int

    init(_ count: Int) { self.count = count }

    func note() {
      if gone.next() == count { end.finish() }
    }
  }

  final class Token: Sendable {
    let counter: Counter
    init(_ counter: Counter) { self.counter = counter }
    deinit { counter.note() }
  }

  struct Held: ListItem {
    let id: Int
    let token: Token
    static func == (first: Held, second: Held) -> Bool { first.token === second.token }
  }

  private func value(_ counter: Counter) -> ListValue<Held> {
    ListValue(
      showing: ListSnapshot((0..<counter.count).map { Held(id: $0, token: Token(counter)) }))
  }

  /// Shows other rows in the place of those on display.
  private func turn(_ displayed: ObservableListState<Held>, to value: ListValue<Held>) {
    let update = ListUpdate(
      step: ListStep(from: displayed.current.list, to: value.list, origin: .network),
      value: value)
    displayed.show(value, by: update)
  }

  @Test
  func `the place of the reader does not keep the item`() {
    let counter = Counter(1)
    let anchor = ReaderAnchor(id: AnyItem(Held(id: 7, token: Token(counter))).id, index: 0)
    #expect(counter.gone.withLock { $0 } == 1)
    #expect(anchor.id == RowID(7, of: Held.self))
  }

  @Test
  func `L2: thousands of rows that leave the display are let go elsewhere`() async {
    let (old, new) = (Counter(2_000), Counter(2_000))
    let displayed = ObservableListState<Held>(value(old))
    turn(displayed, to: value(new))
    // Nothing else happened on the main actor since: what is gone by now, it let go of.
    #expect(old.gone.withLock { $0 } == 0)
    for await _ in old.all {}
    #expect(old.gone.withLock { $0 } == 2_000)
    #expect(new.gone.withLock { $0 } == 0 && displayed.current.list.count == 2_000)
  }
}
