import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// A long log ends with how the list begins.
@Suite(.timeLimit(.minutes(5)))
struct LogBeginningTests: CachingSuite {
  let directory = TemporaryDirectory()

  /// A cache whose logs all end so.
  func cache() -> FileFeedCache<Post> { cache("home", longLog: 0) }

  var manifest: URL { folder().appendingPathComponent("manifest") }

  /// Stores pages of 25 rows, each in a run of its own.
  func store(_ count: Int) throws {
    let writing = cache()
    for commit in pages(count, size: 25) { writing.save(commit) }
    writing.close()
    #expect(writing.takeIssues().isEmpty)
  }

  static func ids(_ rows: [CachedRows<Post>.Row]) -> [Int?] {
    rows.map { if case .item(let post, _) = $0 { post.id } else { nil } }
  }

  @Test
  func `P1: a first screen is read without the rest of a long log`() throws {
    try store(1_000)
    var log = try Data(contentsOf: manifest)
    let whole = log
    let limit = FeedManifest.Beginning.limit
    try #require(log.count > 2 * limit)
    // Whatever stands between both ends.
    for index in FeedManifest.ownerLength("home")..<(log.count - limit) { log[index] = 0xFF }
    try log.write(to: manifest)
    let reading = cache()
    let first = try #require(reading.loadFirst())
    #expect(Self.ids(first.rows) == Array(0..<50) && !first.isComplete)
    #expect(first.count == 25_000 && first.state.refreshedAt == Date(timeIntervalSince1970: 7))
    #expect(reading.takeIssues().isEmpty)
    // The rest is not known then: a place that can be loaded again.
    let rest = reading.loadRest()
    #expect(Self.ids(rest.rows).last == .some(nil) && rest.isComplete && rest.state.tail == .open)
    #expect(Self.ids(rest.rows).dropLast() == Array(50..<(50 + rest.rows.count - 1)))
    #expect(reading.takeIssues().contains { if case .damagedRows = $0 { true } else { false } })

    try whole.write(to: manifest)
    let again = cache()
    let rows = (again.loadFirst()?.rows ?? []) + again.loadRest().rows
    #expect(Self.ids(rows) == Array(0..<25_000) && again.takeIssues().isEmpty)
  }

  @Test
  func `P4: what a long log ends with is replaced by the next step`() throws {
    let writing = cache()
    var lengths: [Int] = []
    for commit in pages(60, size: 25) {
      writing.save(commit)
      lengths.append(try Data(contentsOf: manifest).count)
    }
    writing.close()
    let log = try FeedLog(Data(contentsOf: manifest), name: "home", version: 1)
    #expect(log.tornBytes == 0 && log.manifest.count == 1_500)
    #expect(lengths.max() ?? 0 < FeedManifest.Beginning.limit + 3 * 60 * 100)
  }

  @Test
  func `P2, P3: a log that is cut anywhere shows a state that was stored, or gaps`() throws {
    try store(30)
    let log = try Data(contentsOf: manifest)
    let step = max(1, log.count / (SeededGenerator.seeds(400).count * 2))
    for length in stride(from: 0, to: log.count, by: step) {
      try log.prefix(length).write(to: manifest)
      let reading = cache()
      let rows = (reading.loadFirst()?.rows ?? []) + reading.loadRest().rows
      let ids = Self.ids(rows).compactMap(\.self)
      #expect(ids == Array(0..<ids.count), "cut at \(length)")
    }
  }

  @Test
  func `P3: a flipped bit costs rows, and shows none that are wrong`() throws {
    try store(30)
    let log = try Data(contentsOf: manifest)
    for seed in SeededGenerator.seeds(400) {
      var generator = SeededGenerator(seed: seed)
      var damaged = log
      // Most often in the end.
      let index =
        Bool.random(using: &generator)
        ? log.indices.randomElement(using: &generator)
        : log.indices.suffix(600).randomElement(using: &generator)
      let at = try #require(index)
      damaged[at] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      try damaged.write(to: manifest)
      let reading = cache()
      let first = reading.loadFirst()
      let rows = (first?.rows ?? []) + (first?.isComplete == true ? [] : reading.loadRest().rows)
      let ids = Self.ids(rows).compactMap(\.self)
      #expect(ids == Array(0..<ids.count), "seed \(seed), byte \(at)")
      // What is stored then is well again.
      var machine = FeedMachine(
        configuration: FeedConfiguration(), continuity: .stable, sectionedBy: nil)
      machine.beginRestoring()
      var effects = machine.restore((first ?? CachedRows()).erased, at: .distantPast)
      if first?.isComplete == false {
        effects += machine.restore(
          CachedRows(rows: Array(rows.dropFirst(first?.rows.count ?? 0))).erased, at: .distantPast)
      }
      effects += machine.follow(.insert(Post(id: -1)), token: 1, at: .distantPast)
      for commit in effects.commits() as [FeedCommit<Post>] { reading.save(commit) }
      reading.close()
      let outline = load(cache()).timeline.outline
      #expect(outline == machine.timeline.outline, "seed \(seed), byte \(at)")
      try FileManager.default.removeItem(at: folder())
      try store(30)
    }
  }

  @Test
  func `P3: where another one writes between the first rows and the rest, the rest is a gap`()
    throws
  {
    try store(30)
    let reading = cache()
    let first = try #require(reading.loadFirst())
    #expect(Self.ids(first.rows) == Array(0..<50))
    let writing = cache()
    var machine = load(writing)
    for case .save(let commit) in machine.follow(.insert(Post(id: 900)), token: 1, at: .distantPast)
    {
      writing.save(commit.typed())
    }
    writing.close()
    let rest = reading.loadRest()
    #expect(Self.ids(rest.rows).last == .some(nil))
    #expect(load(cache()).timeline.outline == machine.timeline.outline)
  }

  @Test
  func `P3: the end of another feed's log, or of another moment's, is none of this one`() throws {
    try store(30)
    let first = try Data(contentsOf: manifest)
    let log = try FeedLog(first, name: "home", version: 1)
    let end = log.end
    #expect(first.suffix(end.count) == end)
    func read(_ name: String, _ version: Int, _ moment: UInt64) -> Bool {
      FeedManifest.Beginning.read(first, name: name, version: version, moment: moment) != nil
    }
    let moment = log.beginning.moment
    #expect(read("home", 1, moment))
    #expect(!read("other", 1, moment) && !read("home", 2, moment) && !read("home", 1, moment &+ 1))
  }
}
