import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What goes, and what is known of what is there.
@Suite(.timeLimit(.minutes(5)))
struct CacheLimitsTests: CachingSuite {
  let directory = TemporaryDirectory()
  let now = Date(timeIntervalSince1970: 1_000_000)

  // MARK: - What goes

  private func caches(_ random: inout SeededGenerator) -> [CacheSummary] {
    (0..<Int.random(in: 0..<12, using: &random)).map { number in
      CacheSummary(
        name: "\(number)", bytes: Int.random(in: 0..<100, using: &random),
        rows: Int.random(in: 0..<100, using: &random),
        lastUse: now - Double(Int.random(in: -5..<100, using: &random)),
        isInUse: random.oneIn(4))
    }
  }

  private func limits(_ random: inout SeededGenerator) -> CacheLimits {
    var limits = CacheLimits.none
    if random.oneIn(2) { limits.bytes = Int.random(in: 0..<500, using: &random) }
    if random.oneIn(2) { limits.rows = Int.random(in: 0..<500, using: &random) }
    if random.oneIn(2) { limits.age = .seconds(Int.random(in: 0..<100, using: &random)) }
    if random.oneIn(2) { limits.count = Int.random(in: 0..<12, using: &random) }
    return limits
  }

  @Test
  func `P9: what says it was used in the future goes first, and is too old`() {
    let caches = [
      CacheSummary(name: "late", lastUse: now - 50), CacheSummary(name: "now", lastUse: now),
      CacheSummary(name: "future", lastUse: now + 1_000_000),
      CacheSummary(name: "soon", lastUse: now + 60),
    ]
    #expect(CacheLimits(count: 3).excess(of: caches, at: now) == ["future"])
    #expect(CacheLimits(age: .seconds(70)).excess(of: caches, at: now) == ["future"])
  }

  @Test
  func `a family keeps to what its folder allows, of at most 64 feeds`() {
    let limits = CacheLimits(bytes: 5, age: .seconds(9))
    #expect(limits.limited(toCount: 64) == CacheLimits(bytes: 5, age: .seconds(9), count: 64))
    #expect(CacheLimits(count: 3).limited(toCount: 64) == CacheLimits(count: 3))
  }

  private func isWithin(_ limits: CacheLimits, _ caches: [CacheSummary]) -> Bool {
    caches.reduce(0) { $0 + $1.bytes } <= limits.bytes ?? .max
      && caches.reduce(0) { $0 + min($1.rows, max(1, limits.rows ?? .max)) } <= limits.rows ?? .max
      && caches.count <= limits.count ?? .max
      && caches.allSatisfy { cache in
        cache.isInUse
          || limits.age.map { now.timeIntervalSince(cache.lastUse) <= $0.seconds } ?? true
      }
  }

  @Test(arguments: SeededGenerator.seeds(400))
  func `P9: what goes was used longest ago, is not in use, and is no more than it takes`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: seed)
    let (caches, limits) = (caches(&random), limits(&random))
    let excess = limits.excess(of: caches, at: now)
    let gone = excess.compactMap { name in caches.first { $0.name == name } }
    let kept = caches.filter { !excess.contains($0.name) }
    #expect(gone.count == excess.count && gone.allSatisfy { !$0.isInUse }, "seed \(seed)")
    #expect(gone.map(\.lastUse) == gone.map(\.lastUse).sorted(), "seed \(seed)")
    let free = kept.filter { !$0.isInUse }
    #expect(
      free.allSatisfy { cache in gone.allSatisfy { $0.lastUse <= cache.lastUse } }, "seed \(seed)")
    #expect(free.isEmpty || isWithin(limits, kept), "seed \(seed)")
    if let last = gone.last { #expect(!isWithin(limits, kept + [last]), "seed \(seed)") }
  }

  @Test
  func `P9: a feed that has too many rows by itself counts as many as there may be`() {
    let caches = [
      CacheSummary(name: "small", rows: 10, lastUse: now - 50),
      CacheSummary(name: "large", rows: 500, lastUse: now),
    ]
    #expect(CacheLimits(rows: 100).excess(of: caches, at: now) == ["small"])
    #expect(CacheLimits(rows: 100).excess(of: [caches[1]], at: now) == [])
    #expect(CacheLimits(rows: 0).excess(of: caches, at: now) == ["small", "large"])
  }

  @Test
  func `no limits take nothing, and numbers that nobody can mean break nothing`() {
    let huge = CacheSummary(name: "huge", bytes: .max, rows: .max, lastUse: now)
    let negative = CacheSummary(name: "negative", bytes: .min, rows: -1, lastUse: now - 1)
    let caches = [huge, huge, negative]
    #expect(CacheLimits.none.excess(of: caches, at: now) == [])
    #expect(CacheLimits(bytes: -1, rows: -1, count: -1).excess(of: caches, at: now).count == 3)
  }

  // MARK: - A feed that has too many rows

  private func manifest(_ random: inout SeededGenerator) -> FeedManifest {
    var entries: [FeedManifest.Entry] = []
    for sequence in 1..<UInt64.random(in: 2..<15, using: &random) {
      if random.oneIn(4), entries.last != .gap { entries.append(.gap) }
      let entry = FeedManifest.Entry.run(
        sequence: sequence, rows: Int.random(in: 1..<30, using: &random), mark: PageBoundary())
      let cut = Int.random(in: 0..<entry.count, using: &random)
      if cut > 0, random.oneIn(2) {
        // A row changed.
        let row = FeedManifest.Entry.run(sequence: 100 + sequence, rows: 1, mark: PageBoundary())
        entries += [entry[0..<cut], row]
        if cut + 1 < entry.count { entries.append(entry[(cut + 1)..<entry.count]) }
      } else {
        entries.append(entry)
      }
    }
    var manifest = FeedManifest()
    manifest.entries = ManifestEntries(entries)
    manifest.state = CachedState(head: .end, tail: .end)
    if random.oneIn(2) {
      manifest.state.anchor = Int.random(in: 0..<manifest.count, using: &random)
    }
    var row = 0
    while random.oneIn(2), row + 2 < manifest.count {
      let start = Int.random(in: row..<(manifest.count - 1), using: &random)
      row = Int.random(in: (start + 1)...manifest.count, using: &random)
      manifest.state.unproven.append(start..<row)
      row += 1
    }
    return manifest
  }

  /// The rows that no answer had.
  private func unproven(_ manifest: FeedManifest) -> [String] {
    let rows = rows(manifest)
    return manifest.state.unproven.flatMap { rows[$0].compactMap(\.self) }
  }

  @Test(arguments: SeededGenerator.seeds(200))
  func `P3, T3: where a run is lost, the rows that no answer had are the same`(seed: Int) {
    var random = SeededGenerator(seed: seed)
    let before = manifest(&random)
    var after = before
    let lost = Int.random(in: 0..<before.entries.count, using: &random)
    after.lose(lost)
    let left = Set(rows(after).compactMap(\.self))
    #expect(unproven(after) == unproven(before).filter(left.contains), "seed \(seed)")
  }

  /// The number of the run that each row is of, and its place there; gaps are nil.
  private func rows(_ manifest: FeedManifest) -> [String?] {
    manifest.entries.flatMap { entry -> [String?] in
      guard let part = entry.part else { return [nil] }
      return part.rows.map { "\(part.sequence).\($0)" }
    }
  }

  @Test(arguments: SeededGenerator.seeds(400))
  func `P9: of one feed stay the rows nearest to its head and to the reader, and gaps are left`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: seed)
    let before = manifest(&random)
    let limit = Int.random(in: 0..<200, using: &random)
    var after = before
    let gone = after.trim(to: limit)
    let (old, new) = (rows(before), rows(after))
    #expect(
      Set(gone ?? []) == Set(before.sequences).subtracting(after.sequences), "seed \(seed)")
    #expect(after.entries.allSatisfy { $0 == .gap || before.entries.contains($0) }, "seed \(seed)")
    #expect(new.compactMap(\.self).count <= limit || after.sequences.count == 1, "seed \(seed)")
    guard gone != nil else { return #expect(after == before, "seed \(seed)") }
    // What stays is in its order, and what went between is a gap.
    let left = Set(new.compactMap(\.self))
    var (expected, isLeftOut): ([String?], Bool) = ([], false)
    for row in old {
      if let row, left.contains(row) {
        if isLeftOut { expected.append(nil) }
        expected.append(row)
        isLeftOut = false
      } else {
        isLeftOut = true
      }
    }
    #expect(new == expected, "seed \(seed)")
    #expect(after.state.tail == (isLeftOut ? .open : .end), "seed \(seed)")
    #expect(after.sequences.first == before.sequences.first, "seed \(seed)")
    #expect(unproven(after) == unproven(before).filter(left.contains), "seed \(seed)")
    guard let place = before.state.anchor else {
      return #expect(after.state.anchor == nil, "seed \(seed)")
    }
    let anchor = after.state.anchor ?? -1
    guard new.indices.contains(anchor) else {
      Issue.record("seed \(seed): the place \(anchor) is in no row")
      return
    }
    if let row = old[place], new.contains(row) {
      #expect(new[anchor] == row, "seed \(seed)")
    }
  }

  private func untilUnused() async {
    let use = directory.caches.useName(of: folder().lastPathComponent)
    #expect(await eventually { !CacheRegistry.files.contains(use) })
  }

  @Test(arguments: [nil, 150])
  func `P9, P2: a feed with too many rows loses some when it is opened, and goes on`(
    anchor: Int?
  ) async throws {
    let server = ScriptedServer((0..<400).map { Post(id: $0) })
    let caches = directory.caches.limited(to: CacheLimits(rows: 120))
    func feed(_ caches: CacheDirectory) -> Feed<Post> {
      Feed(
        server.source(.keyset), cache: .file("home", in: caches),
        configuration: FeedConfiguration(pageSize: 30, prefetchDistance: 0))
    }
    do {
      let feed = feed(directory.caches)
      for _ in 0..<10 { await feed.loadNext() }
      if let anchor { feed.anchor = anchor }
      await feed.flush()
    }
    await untilUnused()
    let files = directory.files.keys.filter { $0.contains("/p") }
    do {
      // Nothing is lost by looking: a crash now leaves what was there.
      let feed = feed(caches)
      await feed.loadCache()
      #expect(feed.value.items.count == 120)
      #expect(Set(files).isSubset(of: directory.files.keys))
      if anchor != nil { #expect(feed.value.items.contains { $0.id == 150 }) }
      await feed.loadNext()
      await feed.flush()
    }
    #expect(directory.files.keys.filter { $0.contains("/p") }.count < files.count)
    await untilUnused()
    let last = feed(directory.caches)
    await last.loadCache()
    #expect(last.value.items.first?.id == 0 && (150...151).contains(last.value.items.count))
    // All of it can be had again.
    await last.refresh(.all)
    while let gap = last.value.rows.lazy.compactMap(\.gap).first, await last.load(gap) == .idle {}
    while await last.loadNext() == .idle {}
    #expect(Array(last.value.items) == server.items)
  }
}
