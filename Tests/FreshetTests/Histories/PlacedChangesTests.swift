import Foundation
@testable import Freshet
import FreshetTesting
import Testing

/// Changes with neighbours keep a part of a list as the source has it, wherever the part is.
@Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
struct PlacedChangesTests {
  struct Spot: ListItem {
    let id: Int
    var place: Int
    var note = 0
  }

  /// A source with keys of positions, as a database has.
  final class Spots: FeedSource {
    let all: Locked<[Spot]>

    init(_ spots: [Spot]) { all = Locked(Self.sorted(spots)) }

    static func sorted(_ spots: [Spot]) -> [Spot] {
      spots.sorted { ($0.place, $0.id) < ($1.place, $1.id) }
    }

    static func key(_ spot: Spot, isUpward: Bool = false, isInclusive: Bool = false) -> KeysetKey {
      KeysetKey(
        order: 1, values: ["\(spot.place)", "\(spot.id)"], isUpward: isUpward,
        isInclusive: isInclusive)
    }

    /// Returns the rows of a page without a limit, from the top to the bottom.
    func rows(_ key: KeysetKey?) -> [Spot] {
      let spots = all.withLock { $0 }
      guard let key, let place = key.values[0].flatMap({ Int($0) }),
        let id = key.values[1].flatMap({ Int($0) })
      else { return spots }
      return spots.filter { spot in
        let (own, other) = ((spot.place, spot.id), (place, id))
        if own == other { return key.isInclusive }
        return key.isUpward ? own < other : own > other
      }
    }

    func page(_ request: PageRequest<KeysetKey>) async throws -> Page<Spot, KeysetKey> {
      let isUpward = request.key?.isUpward ?? false
      let rows = rows(request.key)
      let items = Array(isUpward ? rows.suffix(request.limit) : rows.prefix(request.limit))
      let spots = all.withLock { $0 }
      return Page(
        items, next: items.last == spots.last ? nil : items.last.map { Self.key($0) },
        previous: items.first == spots.first
          ? nil : items.first.map { Self.key($0, isUpward: true) })
    }

    /// Changes some rows, and returns what changed, each row with its neighbours.
    func change(
      hasPositions: Bool, _ random: inout SeededGenerator
    ) -> PlacedChanges<Spot> {
      var (spots, removed, changed) = (all.withLock { $0 }, [Int](), Set<Int>())
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let spot = Spot(
          id: .random(in: 0..<60, using: &random), place: .random(in: 0..<20, using: &random),
          note: .random(in: 0...9, using: &random))
        let index = spots.firstIndex { $0.id == spot.id }
        if let index { spots.remove(at: index) }
        if index != nil, random.oneIn(3) {
          removed.append(spot.id)
          changed.remove(spot.id)
        } else {
          spots.append(spot)
          changed.insert(spot.id)
          removed.removeAll { $0 == spot.id }
        }
      }
      spots = Self.sorted(spots)
      all.withLock { $0 = spots }
      let placed = spots.indices.filter { changed.contains(spots[$0].id) }.map { index in
        var placement = PlacedChanges<Spot>.Placement(
          spots[index], above: index > 0 ? spots[index - 1].id : nil,
          below: index < spots.count - 1 ? spots[index + 1].id : nil)
        if hasPositions { placement.position = Self.key(spots[index]) }
        return placement
      }
      return PlacedChanges(removed: removed, placed: placed)
    }
  }

  /// Opens a feed at a row, and reads some pages around it.
  private static func feed(
    _ source: Spots, _ random: inout SeededGenerator
  ) async -> Feed<Spot> {
    let start = source.all.withLock { $0 }.randomElement(using: &random)
    let feed = Feed(
      source,
      startingAt: random.oneIn(3) ? nil : start.map { Spots.key($0, isInclusive: true) },
      configuration: FeedConfiguration(
        pageSize: .random(in: 1...6, using: &random), prefetchDistance: 0,
        deletionHorizon: .zero))
    await feed.refresh()
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      _ = await Bool.random(using: &random) ? feed.loadPrevious() : feed.loadNext()
    }
    return feed
  }

  @Test
  func `W8: a part of a list has the rows that the source has between its page keys`()
    async throws
  {
    for seed in SeededGenerator.seeds(300) {
      var random = SeededGenerator(seed: seed)
      let spots = (0..<40).map { Spot(id: $0, place: .random(in: 0..<20, using: &random)) }
      let source = Spots(spots)
      let feed = await Self.feed(source, &random)
      for step in 0..<20 {
        feed.receive(.changes(source.change(hasPositions: true, &random)))
        let segments = await feed.engine.eventQueue.ask { $0.machine.timeline.segments }
        let items = Array(feed.value.items)
        if segments.isEmpty, items.isEmpty { break }
        try #require(segments.count == 1, "seed \(seed), step \(step)")
        let above = try segments[0].previous?.decoded(as: KeysetKey.self)
        let below = try segments[0].next?.decoded(as: KeysetKey.self)
        let outside = below.map { Set(source.rows($0).map(\.id)) } ?? []
        let inside = source.rows(above?.opposite).filter { !outside.contains($0.id) }
        try #require(items == inside, "seed \(seed), step \(step)")
      }
      // A list whose rows were all deleted begins again at its head.
      while feed.value.state.previous == .idle, await feed.loadPrevious() == .idle {}
      while feed.value.state.next == .idle, await feed.loadNext() == .idle {}
      if !feed.value.items.isEmpty {
        #expect(
          Array(feed.value.items) == source.rows(nil), "seed \(seed): \(feed.value.state)")
      }
    }
  }

  @Test
  func `W8: without positions, the rows still follow each other as in the source`() async throws {
    for seed in SeededGenerator.seeds(300) {
      var random = SeededGenerator(seed: seed)
      let spots = (0..<40).map { Spot(id: $0, place: .random(in: 0..<20, using: &random)) }
      let source = Spots(spots)
      let feed = await Self.feed(source, &random)
      for step in 0..<20 {
        feed.receive(.changes(source.change(hasPositions: false, &random)))
        let (items, rows) = (Array(feed.value.items), source.rows(nil))
        guard let first = items.first, let start = rows.firstIndex(of: first) else {
          try #require(items.isEmpty, "seed \(seed), step \(step)")
          break
        }
        try #require(
          rows[start...].prefix(items.count).elementsEqual(items), "seed \(seed), step \(step)")
      }
    }
  }

  @Test
  func `W9: changes that are older than others are dropped`() async throws {
    let source = Spots((0..<5).map { Spot(id: $0, place: $0) })
    let feed = Feed(source)
    await feed.refresh()
    var changes = PlacedChanges<Spot>(removed: [1])
    changes.version = 2
    feed.receive(.changes(changes))
    changes = PlacedChanges(removed: [2])
    changes.version = 1
    feed.receive(.changes(changes))
    #expect(feed.value.items.map(\.id) == [0, 2, 3, 4])
  }

  @Test
  func `an edit that is being sent stays on top of a change`() async throws {
    let source = Spots((0..<5).map { Spot(id: $0, place: $0) })
    let feed = Feed(source)
    await feed.refresh()
    let (gate, open) = AsyncStream<Void>.makeStream()
    let edit = Task {
      try await feed.update(2, optimistically: { $0.note = 7 }) {
        for await _ in gate {}
      }
    }
    #expect(await eventually { feed.value.items.first { $0.id == 2 }?.note == 7 })
    feed.receive(
      .changes(PlacedChanges(placed: [.init(Spot(id: 2, place: 9), above: 4, below: nil)])))
    #expect(feed.value.items.map(\.id) == [0, 1, 3, 4, 2])
    #expect(feed.value.items.last?.note == 7 && feed.value.items.last?.place == 9)
    open.finish()
    try await edit.value
  }
}
