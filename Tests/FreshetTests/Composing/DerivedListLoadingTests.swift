import FreshetTesting
import Testing

@testable import Freshet

/// Whom a list that is made of others asks for rows.
@Suite(.timeLimit(.minutes(5)))
struct DerivedListLoadingTests {
  let list = ScriptedList()
  let other = ScriptedList()

  func posts(_ ids: some Sequence<Int>) -> [ListRow<Post>] { ids.map { .post($0) } }

  @Test
  func `X5: loading more asks the list that holds the other back`() async {
    let merged = list.merged(with: other, sortedBy: \.id)
    list.show(posts([1, 3, 5, 30]))
    other.show(posts([2, 4, 20]))
    #expect(merged.value.items.map(\.id) == [1, 2, 3, 4, 5, 20])
    #expect(await merged.loadNext() == .idle)
    #expect(list.takeAsked() == [] && other.takeAsked() == ["more"])
    other.show(posts([2, 4, 20]), atEnd: true)
    #expect(await merged.loadNext() == .idle)
    #expect(list.takeAsked() == ["more"] && other.takeAsked() == [])
    list.show(posts([1, 3, 5, 30]), atEnd: true)
    #expect(await merged.loadNext() == .end)
    #expect(list.takeAsked() == [] && other.takeAsked() == [])
    #expect(merged.value.items.map(\.id) == [1, 2, 3, 4, 5, 20, 30])
    #expect(list.publisher.observers == 0)
  }

  @Test
  func `X5: a list that begins in the middle holds back what belongs above`() async {
    let merged = list.merged(with: other, sortedBy: \.id)
    list.show(posts([10, 11]), atTop: false, atEnd: true)
    other.show(posts([2, 4, 20]), atEnd: true)
    #expect(merged.value.items.map(\.id) == [10, 11, 20])
    #expect(merged.value.state.previous == .idle && !merged.value.isComplete(0))
    #expect(await merged.loadPrevious() == .idle)
    #expect(list.takeAsked() == ["previous"] && other.takeAsked() == [])
  }

  @Test
  func `X4: a gap of a merged list loads where it is`() async {
    let merged = list.merged(with: other, sortedBy: \.id)
    list.show([.post(1), .gap(7), .post(9)], atEnd: true)
    other.show([.post(2), .gap(7), .post(12)], atEnd: true)
    let gaps = merged.value.rows.compactMap(\.gap)
    #expect(gaps.count == 1 && merged.value.items.map(\.id) == [1, 12])
    for gap in gaps { await merged.load(gap) }
    #expect(list.takeAsked() == ["gap 7"] && other.takeAsked() == [])
    list.show([.post(1), .post(9)], atEnd: true)
    #expect(merged.value.items.map(\.id) == [1, 2, 12])
    for gap in merged.value.rows.compactMap(\.gap) { await merged.load(gap, from: .below) }
    #expect(list.takeAsked() == [] && other.takeAsked() == ["gap 7"])
  }

  @Test
  func `a gap that is not shown is at its end, whatever its number`() async {
    let merged = list.merged(with: other, sortedBy: \.id)
    list.show([.post(1), .gap(7), .post(9)], atEnd: true)
    other.show([.post(2), .gap(7), .post(12)], atEnd: true)
    for id in [-1, -2, .min, .max, 0, 1, 15] {
      #expect(await merged.load(Gap(id: id)) == .end)
      #expect(await merged.map { $0 }.load(Gap(id: id)) == .end)
    }
    #expect(list.takeAsked() == [] && other.takeAsked() == [])
  }

  @Test
  func `refresh and retry ask all lists, a list that is cut asks nobody for more`() async {
    let all = list.followed(by: other).limited(to: 2)
    await all.refresh()
    await all.retry()
    #expect(list.takeAsked() == ["refresh", "retry"] && other.takeAsked() == ["refresh", "retry"])
    list.show(posts([1]))
    #expect(await all.loadNext() == .idle)
    #expect(list.takeAsked() == ["more"] && other.takeAsked() == [])
    list.show(posts([1]), atEnd: true)
    other.show(posts([2, 3]))
    #expect(await all.loadNext() == .end)
    #expect(list.takeAsked() == [] && other.takeAsked() == [])
    #expect(all.value.items.map(\.id) == [1, 2] && all.value.isCut && !all.value.isComplete(0))
  }
}
