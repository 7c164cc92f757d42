import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Runs of which rows changed or went, and the rows that came among them.
@Suite(.timeLimit(.minutes(5)))
struct RunPartTests: CachingSuite {
  let directory = TemporaryDirectory()

  /// Stores three pages, then edits of their rows.
  ///
  /// - Returns: the rows after each step.
  private func store(edits: Int, seed: Int) -> [[Post]] {
    var random = SeededGenerator(seed: seed)
    let writing = cache()
    var states: [[Post]] = [[]]
    for commit in pages(3, size: 30) {
      writing.save(commit)
      states.append(commit.rows.compactMap { $0.item })
    }
    var machine = load(cache())
    for edit in 0..<edits {
      let id = states[states.count - 1].randomElement(using: &random)?.id ?? 0
      switch edit % 3 {
      case 0:
        machine.follow(.upsert(Post(id: id, version: edit + 1)), token: edit, at: .distantPast)
      case 1: machine.remove(id, at: .distantPast)
      default: machine.insert(Post(id: 1000 + edit), after: id, at: .distantPast)
      }
      for commit in machine.takeEffects().commits(of: Post.self) {
        writing.save(commit)
        states.append(commit.rows.compactMap { $0.item })
      }
    }
    #expect(writing.takeIssues().isEmpty)
    writing.close()
    #expect(states.count == 4 + edits)
    return states
  }

  private func loaded(_ cache: FileFeedCache<Post>) -> [Post] { load(cache).value.items.map { $0 } }

  @Test
  func `P2: a manifest torn at any byte behind an edit is the state before or after it`() throws {
    let states = store(edits: 9, seed: 1)
    let path = try #require(directory.files.keys.first { $0.hasSuffix("manifest") })
    let whole = try #require(directory.files[path])
    var found: Set<Int> = []
    for length in 0...whole.count {
      try directory.write(whole.prefix(length), to: path)
      let rows = loaded(cache())
      found.insert(rows.count)
      #expect(states.contains(rows), "\(length) bytes: \(rows)")
    }
    #expect(loaded(cache()) == states.last && found.count > 2)
  }

  @Test(arguments: SeededGenerator.seeds(200))
  func `P3: damage of a file that was edited costs the rows in it, and shows no other ones`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: seed)
    let states = store(edits: seed % 30, seed: seed)
    let files = directory.files.filter { !$0.key.hasSuffix("lock") && !$0.value.isEmpty }
    let path = try #require(files.keys.sorted().randomElement(using: &random))
    var data = try #require(files[path])
    let at = Int.random(in: 0..<data.count, using: &random)
    data[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    try directory.write(random.oneIn(3) ? data.prefix(at) : data, to: path)
    let reading = cache()
    var machine = load(reading)
    let rows = machine.value.items.map { $0 }
    if path.hasSuffix("manifest") {
      #expect(states.contains(rows))
    } else {
      // What is left is in its order, with a gap for each stretch that is lost.
      let last = try #require(states.last)
      let left = Set(rows.map(\.id))
      #expect(rows == last.filter { left.contains($0.id) }, "seed \(seed)")
      let lost = reading.takeIssues().reduce(0) { sum, issue in
        guard case .damagedRows(let count) = issue else { return sum }
        return sum + count
      }
      #expect(lost == last.count - rows.count, "seed \(seed)")
      if lost > 0, rows.first == last.first, rows.last == last.last {
        #expect(machine.value.outline.contains("|"))
      }
    }
    // The feed goes on from there, and the next launch shows what it then has.
    for commit in machine.effects(of: { $0.insert(Post(id: 999), after: nil, at: .distantPast) })
      .commits(of: Post.self)
    {
      #expect(reading.save(commit))
    }
    reading.close()
    #expect(load(cache()).value.outline == machine.value.outline)
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `P5: rows that were let go are read from the parts that they are in`(seed: Int) throws {
    let states = store(edits: 40, seed: seed)
    let last = try #require(states.last)
    let reading = cache()
    _ = load(reading)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let start = Int.random(in: 0..<last.count, using: &random)
      let range = start..<Int.random(in: (start + 1)...last.count, using: &random)
      let rows = try #require(reading.load(range, of: last.count))
      let posts = rows.map { row in if case .item(let post, _) = row { post } else { Post(id: -1) }
      }
      #expect(posts == Array(last[range]), "seed \(seed), \(range)")
    }
  }

  @Test
  func `P3: two continuations of one log do not share rows`() throws {
    _ = store(edits: 0, seed: 1)
    let before = directory.files
    /// Edits a row, as the next launch does.
    func edit(_ id: Int) throws -> (files: [String: Data], rows: [Post]) {
      let writing = cache()
      var machine = load(writing)
      let effects = machine.effects(of: {
        $0.follow(.upsert(Post(id: id, version: 1)), token: 1, at: .distantPast)
      })
      for commit in effects.commits(of: Post.self) { #expect(writing.save(commit)) }
      writing.close()
      return (directory.files, machine.value.items.map { $0 })
    }
    let first = try edit(6)
    // The folder as it was before is put back, and continued in another way.
    for path in first.files.keys where before[path] == nil {
      try FileManager.default.removeItem(at: directory.url.appendingPathComponent(path))
    }
    for (path, data) in before { try directory.write(data, to: path) }
    let second = try edit(21)
    let manifest = try #require(before.keys.first { $0.hasSuffix("manifest") })
    try directory.write(try #require(first.files[manifest]), to: manifest)
    // Its own run is gone: a gap, and no row of the other one.
    let mixed = load(cache()).value
    #expect(mixed.items.allSatisfy { $0.version == 0 } && mixed.rows.contains { $0.gap != nil })
    #expect(mixed.items.count == first.rows.count - 1 && second.rows.count == first.rows.count)
  }

  @Test
  func `files that no part is in any more are removed`() throws {
    _ = store(edits: 90, seed: 3)
    let names = { Set(directory.files.keys.filter { $0.contains("/p") }) }
    let log = { () throws -> FeedLog in
      let path = try #require(directory.files.keys.first { $0.hasSuffix("manifest") })
      return try FeedLog(try #require(directory.files[path]), name: "home", version: 1)
    }
    // The next one who writes sweeps what is left.
    let writing = cache()
    var machine = load(writing)
    for commit in machine.effects(of: { $0.insert(Post(id: 999), after: nil, at: .distantPast) })
      .commits(of: Post.self)
    {
      writing.save(commit)
    }
    writing.close()
    let named = Set(try log().manifest.sequences.map(RunFile.name))
    let kept = Set(names().map { String($0.split(separator: "/").last ?? "") })
    #expect(kept.isSuperset(of: named) && kept.count <= named.count + 16, "\(kept) \(named)")
  }
}
