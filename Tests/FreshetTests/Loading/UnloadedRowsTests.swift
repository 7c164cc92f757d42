import Foundation
@testable import Freshet
import FreshetTesting
import Testing

/// W1: the number of rows above, below and in the gaps of a list, as its source and loads say.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct UnloadedRowsTests {
  /// A list of ascending ids, whose pages say how many rows are above them.
  private final class Server: Sendable {
    let ids: Locked<[Int]>
    /// What happens after a page was read and before its answer arrives.
    let whileAnswering: Locked<(@Sendable () -> Void)?> = Locked(nil)
    /// What the pages say of the rows above them.
    let report: Locked<@Sendable (Int) -> RowTotal?> = Locked { .exact($0) }

    init(_ count: Int) { ids = Locked((0..<count).map { $0 * 10 }) }

    /// Returns a page; a key is the id above it, or minus the id below it minus one.
    func page(_ request: PageRequest<Int>) -> Page<Post, Int> {
      defer { whileAnswering.withLock(\.self)?() }
      return ids.withLock { ids in
        let isUpward = request.key.map { $0 < 0 } ?? false
        let place = request.key.map { key in
          ids.firstIndex { isUpward ? $0 >= -key - 1 : $0 > key } ?? ids.count
        }
        let start = isUpward ? max(0, (place ?? 0) - request.limit) : place ?? 0
        let end = isUpward ? place ?? 0 : min(ids.count, start + request.limit)
        var page = Page(
          ids[start..<end].map { Post(id: $0) }, next: end < ids.count ? ids[max(0, end - 1)] : nil,
          previous: start > 0 && start < ids.count ? -ids[start] - 1 : nil)
        page.total = .exact(ids.count)
        page.rowsAbove = report.withLock(\.self)(start)
        return page
      }
    }

    /// Returns the reason why what a list says of its unloaded rows is wrong.
    ///
    /// - Parameter isQuiet: whether nothing has changed, so that all numbers are known.
    func fault(of value: ListValue<Post>, isQuiet: Bool) -> String? {
      let ids = ids.withLock(\.self)
      let places = value.rows.map { $0.item.flatMap { item in ids.firstIndex(of: item.id) } }
      let state = value.state
      func check(_ size: RowTotal?, _ truth: Int?, _ name: String) -> String? {
        guard let truth else { return nil }
        if let exact = size?.exact, exact != truth { return "\(name) is \(truth), not \(exact)" }
        return isQuiet && size?.count != truth ? "\(name) is \(truth), not \(size as Any)" : nil
      }
      var faults = [
        check(state.rowsAbove, places.first ?? nil, "above"),
        check(state.rowsBelow, (places.last ?? nil).map { ids.count - $0 - 1 }, "below"),
      ]
      for (index, row) in value.rows.enumerated() {
        guard let gap = row.gap, index > 0, index + 1 < places.count, let above = places[index - 1],
          let below = places[index + 1]
        else { continue }
        faults.append(check(state.gapSizes[gap.id], below - above - 1, "gap \(gap.id)"))
      }
      return faults.compactMap(\.self).first.map { "\($0): \(value.outline)" }
    }
  }

  private func feed(
    of server: Server, from start: Int?, pageSize: Int = 5, maximumRows: Int? = nil
  ) -> Feed<Post> {
    Feed<Post>(
      startingAt: start,
      configuration: FeedConfiguration(
        pageSize: pageSize, prefetchDistance: 0, maximumRows: maximumRows)
    ) { (request: PageRequest<Int>) in server.page(request) }
  }

  /// Loads a page at an edge.
  private func load(_ feed: Feed<Post>, _ random: inout SeededGenerator) async {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: await feed.loadPrevious()
    case 1: await feed.loadNext()
    case 2: await feed.refresh()
    case 3:
      if let item = feed.value.items.randomElement(using: &random) { feed.willDisplay(item) }
    default:
      guard let gap = feed.value.state.gaps.keys.sorted().randomElement(using: &random) else {
        return await load(feed, &random)
      }
      await feed.load(Gap(id: gap), from: Bool.random(using: &random) ? .above : .below)
    }
  }

  @Test(arguments: SeededGenerator.seeds(100))
  func `W1: the sizes of all that is not loaded are those of the source`(seed: Int) async {
    var random = SeededGenerator(seed: seed)
    let server = Server(100)
    let start = random.oneIn(3) ? nil : Int.random(in: 0..<990, using: &random)
    let feed = feed(of: server, from: start, maximumRows: random.oneIn(2) ? 20 : nil)
    await feed.refresh()
    for _ in 0..<25 {
      await load(feed, &random)
      let fault = server.fault(of: feed.value, isQuiet: true)
      if let fault { return #expect(fault == "", "seed \(seed), from \(start ?? -1)") }
    }
  }

  @Test(arguments: SeededGenerator.seeds(100))
  func `W1: an exact size is that of the source, whatever changes`(seed: Int) async {
    var random = SeededGenerator(seed: seed)
    let server = Server(100)
    let start = random.oneIn(3) ? nil : Int.random(in: 0..<990, using: &random)
    let feed = feed(of: server, from: start, maximumRows: random.oneIn(2) ? 20 : nil)
    await feed.refresh()
    let changes = Locked(SeededGenerator(seed: seed))
    server.whileAnswering.withLock {
      $0 = { [weak feed, weak server] in
        guard let feed, let server, changes.withLock({ $0.oneIn(3) }) else { return }
        let isNew = changes.withLock { $0.oneIn(2) }
        let event = server.ids.withLock { ids in
          if isNew {
            ids.insert((ids.first ?? 0) - 10, at: 0)
            return FeedEvent<Post>.insert(Post(id: ids[0]))
          }
          let items = feed.value.items
          let item = changes.withLock { items.randomElement(using: &$0) }
          let place = item.flatMap { ids.firstIndex(of: $0.id) } ?? ids.count - 1
          return .delete(ids.remove(at: place))
        }
        feed.receive(event)
      }
    }
    for _ in 0..<30 {
      if random.oneIn(3) {
        let loaded = feed.value.items.map(\.id).randomElement(using: &random)
        let id = server.ids.withLock { ids in
          let place = random.oneIn(2) ? loaded.flatMap(ids.firstIndex(of:)) : nil
          return ids.remove(at: place ?? .random(in: 0..<ids.count, using: &random))
        }
        feed.receive(.delete(id))
      } else {
        await load(feed, &random)
      }
      let fault = server.fault(of: feed.value, isQuiet: false)
      if let fault { return #expect(fault == "", "seed \(seed), from \(start ?? -1)") }
    }
  }

  @Test func `W1: a list that starts in the middle knows the rows on both sides`() async {
    let server = Server(100)
    let feed = feed(of: server, from: 495)
    await feed.refresh()
    #expect(feed.value.items.map(\.id) == [500, 510, 520, 530, 540])
    #expect(feed.value.state.rowsAbove == .exact(50))
    #expect(feed.value.state.rowsBelow == .exact(45))
    await feed.loadPrevious()
    #expect(feed.value.state.rowsAbove == .exact(45))
    server.report.withLock { $0 = { _ in nil } }
    await feed.loadPrevious()
    #expect(feed.value.state.rowsAbove == .exact(40))
    feed.receive(.delete(460))
    #expect(feed.value.state.rowsAbove == .estimated(40))
    #expect(feed.value.state.rowsBelow == .estimated(45))
    #expect(feed.filter { $0.id > 0 }.value.state.rowsAbove == nil)
  }

  @Test func `W1: numbers are estimates if the list has rows that the source does not count`()
    async
  {
    let server = Server(100)
    let feed = feed(of: server, from: nil)
    await feed.refresh()
    #expect(feed.value.state.rowsBelow == .exact(95))
    feed.insertLocally(Post(id: 7), after: 0)
    #expect(feed.value.state.rowsBelow == .estimated(94))
  }

  @Test(arguments: [RowTotal.exact(.min), .exact(-1), .exact(.max), .atLeast(.max), .estimated(0)])
  func `W1: a wrong position does not break a list`(wrong: RowTotal) async {
    let server = Server(100)
    server.report.withLock { $0 = { _ in wrong } }
    let feed = feed(of: server, from: 495, maximumRows: 10)
    await feed.refresh()
    for _ in 0..<5 {
      await feed.loadNext()
      await feed.loadPrevious()
    }
    #expect(feed.value.items.count >= 10)
    #expect(feed.value.state.rowsAbove.map { $0.count >= 0 } ?? true)
    #expect(feed.value.state.rowsBelow.map { $0.count >= 0 } ?? true)
  }
}
