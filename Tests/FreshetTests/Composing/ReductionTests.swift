import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
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
      let rows = ids.map { ListRow.post($0, .random(in: 0..<9, using: &random)) }
      list.show(rows, atEnd: step % 2 == 0)
      let meant = Dictionary(grouping: rows.compactMap(\.item)) { "\($0.id / 10)" }
        .mapValues { $0.reduce(0) { $0 + $1.version } }
      let sum = await sums?.next()
      #expect(sum?.mapValues(\.value) == meant, "step \(step)")
      #expect(sum?.values.allSatisfy(\.isComplete) == (step % 2 == 0), "step \(step)")
    }
    sums = nil
    #expect(list.publisher.observers == 0)
  }

  /// A row whose id counts how often it is hashed.
  struct Counted: ListItem {
    final class Hashes: Sendable {
      let count = Locked(0)
    }

    struct ID: Hashable {
      let number: Int
      let hashes: Hashes

      static func == (first: ID, second: ID) -> Bool { first.number == second.number }

      func hash(into hasher: inout Hasher) {
        hashes.count.withLock { $0 += 1 }
        hasher.combine(number)
      }
    }

    let id: ID
    var total = 1

    static func == (first: Counted, second: Counted) -> Bool { first.total == second.total }
  }

  @Test(arguments: [1_000, 16_000])
  func `X3, C4: which sections are complete costs what changed, whatever is loaded`(count: Int) {
    let hashes = Counted.Hashes()
    var step = RowStep<Counted>()
    step.rows = RowTree(
      (0..<count).map {
        $0 == count / 2 ? .gap(Gap(id: 1)) : .item(Counted(id: .init(number: $0, hashes: hashes)))
      })
    step.edits.inserted = Array(0..<count)
    var layout = DerivedLayout<Counted>(
      in: RowSections(SectionedRows { $0.item.map { "\($0.id.number * 10 / count)" } }))
    var sums = SectionSums<Counted, Int> {
      ReducedRows(into: 0) {
        $0 += $1.item?.total ?? 0
      } inverse: {
        $0 -= $1.item?.total ?? 0
      }
    }
    if let update = layout.show(step).update { sums.apply(update.step) }
    for (change, index) in [0, count / 4, count - 1].enumerated() {
      step.rows.update(
        .item(Counted(id: .init(number: index, hashes: hashes), total: 2)), at: index)
      step.edits = RowEdits(updated: [index])
      let update = layout.show(step).update
      hashes.count.withLock { $0 = 0 }
      if let update { sums.apply(update.step) }
      let days = sums.reductions(of: layout.value)
      // A dictionary hashes anew who stands behind what leaves it: a few, or a few dozen.
      #expect(hashes.count.withLock { $0 } < 200, "change \(change)")
      #expect(days.values.map(\.value).reduce(0, +) == count + change)
      // The gap stands between the fifth and the sixth; the first and the last may go on.
      let open = Set(days.filter { !$0.value.isComplete }.keys)
      #expect(open == Set(["0", "4", "5", "9"]), "change \(change)")
      for (index, section) in layout.value.list.sections.enumerated() {
        #expect(days[section.name]?.isComplete == layout.value.isComplete(index))
      }
    }
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
