import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(15)))
struct ReductionTests {
  let list = ScriptedList()

  @Test
  func `a sum follows its list, and says whether rows may be missing`() async {
    let filtered = list.filter { $0.id < 100 }
    list.show([.post(1, 10), .gap(4), .post(2, 20), .post(200, 5)], atEnd: true)
    var sums = filtered.reduced(into: 0) {
      $0 += $1.version
    } inverse: {
      $0 -= $1.version
    }.makeAsyncIterator()
    #expect(await sums.next() == Reduction(value: 30, isComplete: false))
    list.show([.post(1, 10), .post(2, 21), .post(200, 5)], atEnd: true)
    #expect(await sums.next() == Reduction(value: 31, isComplete: true))
    list.show([.post(2, 21)])
    #expect(await sums.next() == Reduction(value: 21, isComplete: false))
  }

  @Test
  func `each section has its sum, whatever happens to sections`() async {
    var random = SeededGenerator(seed: 1)
    let sections = list.sectioned { "\($0.id / 10)" }
    var sums: AsyncStream<[String: Reduction<Int>]>.Iterator? = sections.reducedBySection(into: 0) {
      $0 += $1.version
    } inverse: {
      $0 -= $1.version
    }.makeAsyncIterator()
    #expect(await sums?.next() == [:])
    for step in 0..<200 {
      let ids = (0..<50).filter { _ in random.oneIn(2) }.shuffled(using: &random)
      let rows = ids.map { FeedRow.post($0, .random(in: 0..<9, using: &random)) }
      list.show(rows, atEnd: step % 2 == 0)
      let meant = Dictionary(grouping: rows.compactMap(\.item)) { "\($0.id / 10)" }
        .mapValues { $0.reduce(0) { $0 + $1.version } }
      let sum = await sums?.next()
      #expect(sum?.mapValues(\.value) == meant, "step \(step)")
      #expect(sum?.values.allSatisfy(\.isComplete) == (step % 2 == 0), "step \(step)")
    }
    sums = nil
    #expect(list.shown.observers == 0)
  }

  @Test
  func `results have sums in all and by section`() async throws {
    let store = MemoryStore((0..<6).map { Post(id: $0, version: $0) })
    let results = LiveResults(
      store: store, arrangement: .all.sectioned { $0.id < 2 ? "few" : "many" }, window: .zero)
    await results.fetch(.all)
    var largest = results.reduced(into: SortedKeys<Int>()) {
      $0.insert($1.version)
    } inverse: {
      $0.remove($1.version)
    }.makeAsyncIterator()
    var counts = results.reducedBySection(into: 0) { count, _ in
      count += 1
    } inverse: { count, _ in
      count -= 1
    }.makeAsyncIterator()
    #expect(await largest.next()?.value.last == 5)
    #expect(await counts.next()?.mapValues(\.value) == ["few": 2, "many": 4])
    try await store.write(deleting: [5])
    while let keys = await largest.next()?.value, keys.last != 4 {}
    while let counts = await counts.next(), counts["many"]?.value != 3 {}
  }
}
