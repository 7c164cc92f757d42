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
    #expect(Self.ids(rest.rows) == [nil] && rest.isComplete && rest.state.tail == .open)
    #expect(reading.takeIssues().contains { if case .unreadable = $0 { true } else { false } })

    try whole.write(to: manifest)
    let again = cache()
    let rows = (again.loadFirst()?.rows ?? []) + again.loadRest().rows
    #expect(Self.ids(rows) == Array(0..<25_000) && again.takeIssues().isEmpty)
  }

  @Test
  func `P1: a first screen of many parts is read without the rest of the log`() throws {
    let writing = cache()
    for commit in pages(20, size: 100) { writing.save(commit) }
    var machine = load(cache())
    // Half of the rows of the first run stay, each a part of its own.
    for id in stride(from: 1, to: 98, by: 2) {
      for commit in machine.effects(of: { $0.remove(id, at: .distantPast) }).commits(of: Post.self)
      {
        writing.save(commit)
      }
    }
    writing.close()
    var log = try Data(contentsOf: manifest)
    let trailer = try FeedLog(log, name: "home", version: 1).trailer
    for index in FeedManifest.ownerLength("home")..<(log.count - trailer.count) {
      log[index] = 0xFF
    }
    try log.write(to: manifest)
    let reading = cache()
    let first = try #require(reading.loadFirst())
    #expect(Self.ids(first.rows) == Array(stride(from: 0, to: 96, by: 2)) && !first.isComplete)
    #expect(first.count == 1_951 && reading.takeIssues().isEmpty)
  }

  @Test
  func `P1, P10: however many parts of a damaged run a log names, few are looked at at first`()
    throws
  {
    try store(1)
    var forged = FeedManifest()
    forged.entries = ManifestEntries(
      (0..<5_000).map { row in
        .run(RunPart(sequence: 7, rows: 2 * row..<(2 * row + 1), total: 10_000), PageBoundary())
      })
    try forged.log(name: "home", version: 1, moment: 7).write(to: manifest)
    let reading = cache()
    let first = try #require(reading.loadFirst())
    #expect(first.rows.count <= 256 && first.rows.allSatisfy { $0 == .gap })
    #expect(reading.loadRest().rows.count == 5_000 - first.rows.count)
  }

  @Test
  func `P1, P10: however many gaps a log names, few are in the first rows`() throws {
    try store(1)
    let stored = try FeedLog(Data(contentsOf: manifest), name: "home", version: 1).manifest
    var forged = stored
    forged.entries = ManifestEntries(
      Array(stored.entries) + Array(repeating: .gap, count: 20_000))
    var log = try Data(contentsOf: manifest)
    let moment = try #require(FeedManifest.moment(of: log, name: "home", version: 1))
    log = forged.log(name: "home", version: 1, moment: moment)
    try log.write(to: manifest)
    let reading = cache()
    let first = try #require(reading.loadFirst())
    let count = first.rows.count
    #expect(!Self.ids(first.rows).isEmpty && count < 5_000 && !first.isComplete)
    #expect(reading.loadRest().rows.count == forged.count - count)
  }

  @Test
  func `P1: a log may end with fewer or more entries than are written now`() throws {
    try store(30)
    let text = try Data(contentsOf: manifest)
    let log = try FeedLog(text, name: "home", version: 1)
    let whole = try #require(log.beginning)
    for count in [1, 2, 5] {
      var shown = log.manifest
      shown.entries = ManifestEntries(shown.entries.prefix(count))
      let other = FeedManifest.Beginning(
        manifest: shown, rest: log.manifest.count - shown.count, moment: whole.moment,
        nextSequence: whole.nextSequence)
      let record = try #require(other.record(name: "home", version: 1))
      let read = try FeedLog(
        text.prefix(log.size.length) + record, name: "home", version: 1)
      #expect(read.tornBytes == 0 && read.manifest == log.manifest, "\(count)")
    }
  }

  @Test
  func `P4: what a long log ends with is replaced by the next step`() throws {
    let writing = cache()
    for commit in pages(60, size: 25) { writing.save(commit) }
    writing.close()
    let log = try FeedLog(Data(contentsOf: manifest), name: "home", version: 1)
    #expect(log.tornBytes == 0 && log.manifest.count == 1_500)
    // An edit writes it too: it is to be short (rule P4).
    #expect((1..<400).contains(log.trailer.count))
    #expect(try Data(contentsOf: manifest).count == log.size.length + log.trailer.count)
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
      #expect(ids == Array(0..<ids.count) && ids.count % 25 == 0, "cut at \(length)")
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
      var effects = machine.effects(of: {
        $0.restore((first ?? CachedRows()).erased, at: .distantPast)
      })
      if first?.isComplete == false {
        effects += machine.effects(of: {
          $0.restore(
            CachedRows(rows: Array(rows.dropFirst(first?.rows.count ?? 0))).erased, at: .distantPast
          )
        })
      }
      effects += machine.effects(of: {
        $0.follow(.insert(Post(id: -1)), token: 1, at: .distantPast)
      })
      for commit in effects.commits() as [FeedCommit<Post>] { reading.save(commit) }
      reading.close()
      let outline = load(cache()).timeline.outline
      #expect(outline == machine.timeline.outline, "seed \(seed), byte \(at)")
      try FileManager.default.removeItem(at: folder())
      try store(30)
    }
  }

  @Test
  func `P3: a damaged record costs what it says, and a gap`() throws {
    try store(30)
    var log = try Data(contentsOf: manifest)
    let trailer = try FeedLog(log, name: "home", version: 1).trailer
    // In the last record but that one.
    log[log.count - trailer.count - 5] ^= 1
    try log.write(to: manifest)
    let reading = cache()
    let first = try #require(reading.loadFirst())
    #expect(Self.ids(first.rows) == Array(0..<50))
    let rest = reading.loadRest()
    #expect(Self.ids(rest.rows) == [nil] + Array(50..<725) && rest.state.tail == .open)
    // No answer is known to have had them there.
    #expect(rest.state.unproven == [51..<726])
    #expect(reading.takeIssues().isEmpty)
  }

  @Test(arguments: [[1], [1, 2], [1, 2, 3]])
  func `P3: where the first runs are damaged, those behind them fill the screen`(runs: [Int]) throws
  {
    try store(30)
    for run in runs { try Data().write(to: folder().appendingPathComponent("p\(run)")) }
    let reading = cache()
    let first = try #require(reading.loadFirst())
    let ids = Self.ids(first.rows)
    #expect(ids.compactMap(\.self) == Array((runs.count * 25)..<(runs.count * 25 + 50)))
    let all = ids + Self.ids(reading.loadRest().rows)
    #expect(all == runs.map { _ in nil } + Array((runs.count * 25)..<750))
  }

  @Test
  func `P3: where another one writes between the first rows and the rest, nothing is lost`() throws
  {
    try store(30)
    let reading = cache()
    let first = try #require(reading.loadFirst())
    #expect(Self.ids(first.rows) == Array(0..<50))
    let writing = cache()
    var other = load(writing)
    other.follow(.insert(Post(id: 900)), token: 1, at: .distantPast)
    for case .save(let commit) in other.takeEffects() {
      writing.save(commit.typed())
    }
    writing.close()
    #expect(load(cache()).timeline.outline == other.timeline.outline)
    let rest = reading.loadRest()
    #expect(Self.ids(rest.rows) == [nil] + Array(50..<750))
    // Read once more, it is the other one's list.
    let again = Self.ids(reading.loadFirst()?.rows ?? []) + Self.ids(reading.loadRest().rows)
    #expect(again == [900] + Array(0..<750))
    #expect(reading.takeIssues().isEmpty)
    // What is stored then is what is shown here, all of it.
    var machine = FeedMachine(
      configuration: FeedConfiguration(), continuity: .stable, sectionedBy: nil)
    machine.beginRestoring()
    var effects = machine.effects(of: { $0.restore(first.erased, at: .distantPast) })
    effects += machine.effects(of: { $0.restore(rest.erased, at: .distantPast) })
    effects += machine.effects(of: { $0.follow(.insert(Post(id: 901)), token: 1, at: .distantPast) }
    )
    for commit in effects.commits() as [FeedCommit<Post>] { reading.save(commit) }
    reading.close()
    #expect(reading.takeIssues().isEmpty)
    #expect(load(cache()).timeline.outline == machine.timeline.outline)
  }

  @Test
  func `P3: no run gets a number that the end of a log names, whatever else is damaged`() throws {
    try store(30)
    var log = try Data(contentsOf: manifest)
    for index in (FeedManifest.ownerLength("home"))..<200 { log[index] = 0xFF }
    try log.write(to: manifest)
    let before = try numbers()
    let writing = cache()
    _ = writing.loadFirst()
    for commit in pages(2, size: 25) { writing.save(commit) }
    let log2 = try FeedLog(Data(contentsOf: manifest), name: "home", version: 1)
    // Either other numbers, or another seed.
    let old = FeedManifest.Beginning.read(
      log, name: "home", version: 1,
      moment: try #require(FeedManifest.moment(of: log, name: "home", version: 1)))
    let isOtherMoment =
      log2.runSeed != FeedLog(try #require(old?.beginning), name: "home", version: 1).runSeed
    #expect(isOtherMoment || log2.manifest.sequences.allSatisfy { !before.contains($0) })
    writing.close()
  }

  /// The numbers of the runs that are there.
  func numbers() throws -> Set<UInt64> {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder().path)
    return Set(names.filter { $0.first == "p" }.compactMap { UInt64($0.dropFirst()) })
  }

  @Test
  func `P3: the end of another feed's log, or of another moment's, is none of this one`() throws {
    try store(30)
    let first = try Data(contentsOf: manifest)
    let log = try FeedLog(first, name: "home", version: 1)
    let trailer = log.trailer
    #expect(!trailer.isEmpty && first.suffix(trailer.count) == trailer)
    func read(_ name: String, _ version: Int, _ moment: UInt64) -> Bool {
      FeedManifest.Beginning.read(first, name: name, version: version, moment: moment) != nil
    }
    let moment = try #require(log.beginning?.moment)
    #expect(read("home", 1, moment))
    #expect(!read("other", 1, moment) && !read("home", 2, moment) && !read("home", 1, moment &+ 1))
  }
}
