import FreshetLists
import FreshetTesting
import Testing

@testable import Freshet
@testable import FreshetUI

/// Random histories of lists, shown on each of the views.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ViewHistoryTests {
  @Test(arguments: Kit.allCases, 0..<12)
  func `C1, C2: whatever happens to a feed, its view breaks no rule and shows it`(
    kit: Kit, seed: Int
  ) async throws {
    var history = FeedHistory(seed: seed)
    let witness = Witness(kit, history.feed)
    let feed = history.feed
    witness.driven.move = { feed.moveLocally($0.id, after: $1?.id) }
    await history.feed.refresh()
    for step in 0..<60 {
      try await history.step(on: witness.driven)
      witness.check()
      #expect(witness.found == [], "seed \(seed), step \(step) on \(kit)")
      if !witness.found.isEmpty { return }
    }
    #expect(witness.steps > 20)
  }

  @Test(arguments: Kit.allCases, 0..<12)
  func `C1, C2: whatever is written, a view of live results breaks no rule and shows them`(
    kit: Kit, seed: Int
  ) async throws {
    var random = SeededGenerator(seed: seed)
    let store = MemoryStore((0..<40).map { Post(id: $0, version: $0 % 4) })
    let results = ResultsController(
      store: store, arrangement: .sorted(by: \.id).sectioned(by: \.version) { "v\($0)" },
      window: .zero)
    let witness = Witness(kit, results)
    await results.fetch(.all)
    for step in 0..<40 {
      if random.oneIn(4) {
        witness.driven.scroll(
          Double(Int.random(in: 0...Int(max(0, witness.driven.length() - 200)), using: &random)))
      }
      var batch = ChangeBatch<Post>()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let id = Int.random(in: 0..<60, using: &random)
        if random.oneIn(3) {
          batch.addDeletion(of: id)
        } else {
          batch.add(Post(id: id, version: Int.random(in: 0..<5, using: &random)), as: .insert)
        }
      }
      try await store.write(batch)
      let wanted = Set(store.items.map(\.description))
      #expect(await eventually { Set(results.fetchedObjects.map(\.description)) == wanted })
      witness.check()
      #expect(witness.found == [], "seed \(seed), step \(step) on \(kit)")
      if !witness.found.isEmpty { return }
    }
    #expect(witness.steps > 10)
  }

  @Test
  func `rows that came above were often enough there to keep a row in its place`() async throws {
    var kept = 0
    for seed in 0..<6 {
      var history = FeedHistory(seed: seed)
      let witness = Witness(.table, history.feed)
      await history.feed.refresh()
      for _ in 0..<60 { try await history.step(on: witness.driven) }
      kept += witness.kept
    }
    #expect(kept > 5)
  }
}

/// What happens to a feed and its reader, as a seed decides.
@MainActor
struct FeedHistory {
  let server = ScriptedServer((0..<60).map { Post(id: $0) })
  let feed: FeedController<Post>
  var random: SeededGenerator
  var next = 100

  init(seed: Int) {
    random = SeededGenerator(seed: seed)
    let section: @Sendable (Post) -> String = { "\($0.id % 3)" }
    feed = FeedController(
      server.source(.keyset), sectionedBy: seed.isMultiple(of: 2) ? section : nil,
      configuration: FeedConfiguration(pageSize: 7, refreshPages: 1))
  }

  mutating func step(on view: Driven) async throws {
    switch Int.random(in: 0..<13, using: &random) {
    case 0, 1: await feed.loadNext()
    case 2: await feed.refresh()
    case 3, 4:
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        server.insert(Post(id: fresh()), at: 0)
      }
      await feed.refresh()
    case 5: try await follow()
    case 6: await edit()
    case 7:
      if let gap = feed.rows.lazy.compactMap(\.gap).randomElement(using: &random) {
        await feed.load(gap, from: random.oneIn(2) ? .above : .below)
      }
    case 8:
      server.failNext(with: ScriptedError())
      if random.oneIn(2) { await feed.refresh() } else { await feed.loadNext() }
    case 9:
      feed.pause()
      feed.resume()
    case 10: await drag(on: view)
    default:
      let end = max(0, view.length() - 200)
      view.scroll(Double(Int.random(in: 0...Int(end), using: &random)))
    }
  }

  private mutating func fresh() -> Int {
    next += 1
    return next
  }

  /// The source says something by itself.
  private mutating func follow() async throws {
    var events: [FeedEvent<Post>] = [.insert(Post(id: fresh()))]
    for _ in 0..<2 {
      guard let id = feed.items.randomElement(using: &random)?.id else { continue }
      events.append(random.oneIn(3) ? .delete(id) : .upsert(Post(id: id, version: next)))
    }
    try? await feed.follow(
      AsyncStream { continuation in
        for event in events { continuation.yield(event) }
        continuation.finish()
      })
    feed.catchUp()
  }

  /// The reader drags a row, and perhaps drops it where it was, while others come and go.
  private mutating func drag(on view: Driven) async {
    let screen = view.presenter.layout
    let cells = view.cells().map(\.path)
    guard let drag = view.drag,
      let from = cells.filter({ screen.row(at: $0)?.item != nil }).randomElement(using: &random),
      let target = cells.filter({ screen.listPath(of: $0) != nil })
        .randomElement(using: &random)
    else { return }
    let (new, gone) = (fresh(), feed.items.randomElement(using: &random)?.id)
    let place = Int.random(in: 0...feed.items.count, using: &random)
    drag(from, target) {
      feed.insertLocally(Post(id: new), at: place)
      if let gone { Task { [feed] in try? await feed.remove(gone) {} } }
    }
    await view.presenter.waiting?.value
    // A row stays where it was dropped until the list says something.
    feed.insertLocally(Post(id: fresh()), at: 0)
  }

  /// The reader edits.
  private mutating func edit() async {
    guard let post = feed.items.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: feed.removeLocally(at: Int.random(in: 0..<feed.items.count, using: &random))
    case 1:
      feed.moveLocally(
        from: Int.random(in: 0..<feed.items.count, using: &random),
        to: Int.random(in: 0..<feed.items.count, using: &random))
    case 2:
      feed.insertLocally(
        Post(id: fresh()), at: Int.random(in: 0...feed.items.count, using: &random))
    default:
      let fails = random.oneIn(3)
      let version = fresh()
      _ = try? await feed.update(post.id, optimistically: { $0.version = version }) {
        if fails { throw ScriptedError() }
      }
    }
  }
}
