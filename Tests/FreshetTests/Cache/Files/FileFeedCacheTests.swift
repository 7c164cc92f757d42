import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct FileFeedCacheTests: CachingSuite {
  let directory = TemporaryDirectory()

  @Test
  func `P2, P5: what any history stored is what the next launch shows`() async {
    for seed in SeededGenerator.seeds(300) {
      let name = "history \(seed)"
      let longLog = seed % 2 == 0 ? 0 : FileFeedState<Post>.longLog
      var history = History(
        seed: seed, paging: ScriptedPaging.allCases[seed % 5], changes: .all,
        sectioned: seed % 3 == 0, isWild: true, isEdited: seed % 2 == 0,
        isWindowed: seed % 4 == 0)
      for _ in 0..<2 {
        let writing = cache(name, longLog: longLog)
        history.relaunch(from: writing)
        history.run(steps: 40)
        history.readAll()
        let issues = writing.takeIssues()
        writing.close()
        let loaded = load(cache(name, longLog: longLog))
        guard issues.isEmpty, history.violations.isEmpty,
          // What the source does not know yet is not stored.
          loaded.timeline.outline == history.machine.timeline.outline,
          loaded.value.outline == loaded.timeline.outline,
          loaded.timeline.tail == history.machine.timeline.tail
            || history.machine.timeline.count == 0
            // Rows of the user's alone, without an answer so far: more may follow them.
            || history.machine.timeline.tail == .unknown && loaded.timeline.tail == .open
        else {
          Issue.record(
            """
            seed \(seed) \(issues) \(history.violations): \(loaded.timeline.outline) is not \
            \(history.machine.timeline.outline), or the end is \(loaded.timeline.tail), not \
            \(history.machine.timeline.tail)
            \(history.log.joined(separator: "\n"))
            """)
          return
        }
      }
    }
  }

  @Test
  func `P1: the first rows come alone, with their keys and their age, the rest on demand`() throws {
    let writing = cache()
    for commit in pages(5) { writing.save(commit) }
    let reading = cache()
    let first = try #require(reading.loadFirst())
    #expect(first.rows.count == 80 && !first.isComplete)
    #expect(first.state.refreshedAt == Date(timeIntervalSince1970: 7))
    guard case .item(Post(id: 39), let mark?) = first.rows[39], mark.next?.json == "1" else {
      Issue.record("the key of the page is lost: \(first.rows.suffix(1))")
      return
    }
    let rest = reading.loadRest()
    #expect(rest.rows.count == 120 && rest.isComplete && rest.state.tail == .open)
  }

  @Test(arguments: [1, 3, 10])
  func `P1: the first rows fill a screen, however few came last`(count: Int) throws {
    let writing = cache()
    for commit in pages(2) { writing.save(commit) }
    var machine = load(writing)
    for id in 0..<count {
      let event = FeedEvent.insert(Post(id: 900 + id))
      for case .save(let commit) in machine.effects(of: {
        $0.follow(event, token: id, at: .distantPast)
      }) {
        writing.save(commit.typed())
      }
    }
    let first = try #require(cache().loadFirst())
    #expect(first.rows.count >= 50 && first.count == 80 + count)
    guard case .item(let newest, _)? = first.rows.first else {
      Issue.record("the list begins with a gap")
      return
    }
    #expect(newest.id == 900 + count - 1)
  }

  @Test
  func `P4: a step writes the rows it changed and one record`() {
    let writing = cache()
    let commits = pages(50)
    for commit in commits.dropLast() { writing.save(commit) }
    let before = directory.files
    writing.save(commits[49])
    let after = directory.files
    let written = after.filter { $0.value != before[$0.key] }.map(\.key)
    #expect(written.count == 2, "\(written)")
    let grown = after.values.reduce(0) { $0 + $1.count } - before.values.reduce(0) { $0 + $1.count }
    #expect(grown < 40 * 40)
  }

  @Test
  func `P4: two hundred rows that come one by one leave no two hundred files`() {
    let writing = cache()
    var machine = load(writing)
    var most = 0
    for id in 0..<200 {
      for case .save(let commit) in machine.effects(of: {
        $0.insert(Post(id: id), after: nil, at: .distantPast)
      }) {
        writing.save(commit.typed())
      }
      most = max(most, directory.files.count)
    }
    // Those of runs that went stay until the log is begun anew.
    #expect(most < 80, "\(most)")
    writing.close()
    #expect(load(cache()).value.items.map(\.id) == Array((0..<200).reversed()))
  }

  @Test
  func `P2: a manifest torn at any byte is the state before or after a commit`() throws {
    let writing = cache()
    var states: Set<[Int]> = [[]]
    for commit in pages(4, size: 3) {
      writing.save(commit)
      states.insert(commit.rows.compactMap { $0.item?.id })
    }
    writing.close()
    let path = try #require(directory.files.keys.first { $0.hasSuffix("manifest") })
    let whole = try #require(directory.files[path])
    for length in 0..<whole.count {
      try directory.write(whole.prefix(length), to: path)
      let loaded = load(cache()).value.items.map(\.id)
      #expect(states.contains(loaded), "\(length) bytes: \(loaded)")
    }
  }

  @Test(arguments: SeededGenerator.seeds(300))
  func `P3: a flipped bit costs a run or the cache, and never shows another row`(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let writing = cache()
    for commit in pages(4, size: 30) { writing.save(commit) }
    writing.close()
    let files = directory.files.filter { !$0.key.hasSuffix("lock") && !$0.value.isEmpty }
    let path = try #require(files.keys.sorted().randomElement(using: &random))
    var data = try #require(files[path])
    if random.oneIn(3) {
      data = data.prefix(Int.random(in: 0..<data.count, using: &random))
    } else {
      let at = Int.random(in: 0..<data.count, using: &random)
      data[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    try directory.write(data, to: path)
    let reading = cache()
    let loaded = load(reading)
    let rows = loaded.value.items.map { $0 }
    #expect(rows.allSatisfy { $0.version == 0 && (0..<120).contains($0.id) })
    if rows.count < 120 {
      let isTorn = path.hasSuffix("manifest")
      #expect(isTorn || loaded.value.rows.count - rows.count <= 1)
      #expect(isTorn || reading.takeIssues() == [.damagedRows(count: 30)])
    }
    // The feed goes on from there, and the next launch shows what it then has.
    var machine = loaded
    for case .save(let commit) in machine.effects(of: {
      $0.insert(Post(id: 999), after: nil, at: .distantPast)
    }) {
      reading.save(commit.typed())
    }
    #expect(reading.takeIssues().filter { if case .notSaved = $0 { true } else { false } } == [])
    reading.close()
    #expect(load(cache()).value.outline == machine.value.outline)
  }

  @Test
  func `a row that no longer decodes costs itself: a gap stands in its place`() throws {
    struct Old: ListItem, Codable {
      let id: Int
      var version: Int?
    }
    let writing = FileFeedCache<Old>("home", in: directory.caches, coder: JSONCoder())
    var machine = FeedMachine(
      configuration: FeedConfiguration(), continuity: .stable, sectionedBy: nil)
    for id in 0..<5 {
      let item = AnyItem(Old(id: id, version: id == 2 ? nil : 0))
      let above = RowID(id - 1, of: Old.self)
      let effects = machine.effects(of: { $0.edit(.insert(item, after: above), at: .distantPast) })
      for case .save(let commit) in effects { writing.save(commit.typed()) }
    }
    writing.close()
    #expect(load(cache()).value.outline == "0 1 | 3 4")
  }

  @Test(arguments: ["../../x", "", String(repeating: "n", count: 10_000), "🌋/\u{0}", "a/b"])
  func `P7: any name works and stays in the folder`(name: String) {
    let writing = cache(name)
    for commit in pages(1) { writing.save(commit) }
    #expect(writing.takeIssues() == [])
    writing.close()
    #expect(load(cache(name)).value.items.count == 40)
    let folders = Set(directory.files.keys.map { $0.prefix { $0 != "/" } })
    #expect(folders.count == 1 && folders.allSatisfy { $0.count == 32 })
  }

  @Test
  func `P7: files are private to the user`() throws {
    let writing = cache()
    for commit in pages(1) { writing.save(commit) }
    for path in directory.files.keys {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: directory.url.appendingPathComponent(path).path)
      #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(path)")
    }
  }

  @Test
  func `another version of the items is an empty cache, without a complaint`() {
    let writing = cache()
    for commit in pages(2) { writing.save(commit) }
    writing.close()
    let reading = cache(version: 2)
    #expect(load(reading).value.items.isEmpty && reading.takeIssues() == [])
  }

  @Test
  func `P6: where nothing can be written the feed works, and says so once`() throws {
    try Data("a file".utf8).write(to: directory.url)
    let writing = cache()
    for commit in pages(3) { writing.save(commit) }
    let issues = writing.takeIssues()
    guard issues.count == 1, case .notSaved? = issues.first else {
      Issue.record("\(issues)")
      return
    }
  }

  @Test
  func `a second process reads and does not write`() {
    let writing = cache()
    for commit in pages(1) { writing.save(commit) }
    let second = cache()
    var machine = load(second)
    #expect(machine.value.items.count == 40)
    for commit in machine.effects(of: { $0.remove(0, at: .distantPast) }).commits(of: Post.self) {
      second.save(commit)
    }
    #expect(second.takeIssues().count == 1)
    #expect(load(cache()).value.items.count == 40)
    // Once the first is gone the second takes over, and stores all that it missed.
    for commit in pages(3) { writing.save(commit) }
    writing.close()
    for commit in machine.effects(of: { $0.remove(1, at: .distantPast) }).commits(of: Post.self) {
      second.save(commit)
    }
    second.close()
    #expect(load(cache()).value.items.map(\.id) == Array(2..<40))
  }

  @Test
  func `an edit between the first rows and the rest keeps what is stored`() {
    let writing = cache()
    for commit in pages(5) { writing.save(commit) }
    writing.close()
    let second = cache()
    var machine = FeedMachine(
      configuration: FeedConfiguration(), continuity: .stable, sectionedBy: nil)
    machine.beginRestoring()
    var effects: [FeedMachine.Effect] = []
    if let first = second.loadFirst() {
      effects += machine.effects(of: { $0.restore(first, at: .distantPast) })
    }
    effects += machine.effects(of: { $0.insert(Post(id: 999), after: nil, at: .distantPast) })
    for id in 0..<40 { effects += machine.effects(of: { $0.remove(id, at: .distantPast) }) }
    effects += machine.effects(of: { $0.restore(second.loadRest(), at: .distantPast) })
    for case .save(let commit) in effects { second.save(commit.typed()) }
    second.close()
    #expect(load(cache()).value.items.map(\.id) == [999] + Array(40..<200))
  }

  @Test
  func `a gap where the first run ended, and damage at the end, are restored as they are`() {
    var machine = FeedMachine(
      configuration: FeedConfiguration(), continuity: .stable, sectionedBy: nil)
    machine.beginRestoring()
    let item = { CachedRows<Post>.Row.item(Post(id: $0), nil) }
    machine.restore(
      CachedRows(rows: [item(1), item(1), .gap], isComplete: false), at: .distantPast)
    machine.restore(
      CachedRows(rows: [item(2), .gap, item(1), .gap, .gap], state: CachedState(tail: .end)),
      at: .distantPast)
    #expect(machine.value.rows.map { $0.item?.id } == [1, nil, 2])
    #expect(machine.timeline.tail == .open)
  }

  @Test
  func `P8: caches are switched off and thrown away as a whole`() {
    let caches = directory.caches
    let writing = FileFeedCache<Post>("home", in: caches, coder: JSONCoder())
    caches.isEnabled = false
    for commit in pages(1) { writing.save(commit) }
    #expect(directory.files.isEmpty && writing.loadFirst() == nil)
    caches.isEnabled = true
    for commit in pages(1) { writing.save(commit) }
    #expect(!directory.files.isEmpty)
    caches.removeAll()
    #expect(directory.files.isEmpty && cache().loadFirst() == nil)
    // A feed that is still open does not bring back what was thrown away.
    for commit in pages(2) { writing.save(commit) }
    #expect(directory.files.isEmpty && writing.takeIssues().count == 1)
  }

  @Test
  func `P8: what happened while caching was off is stored afterwards`() {
    let caches = directory.caches.directory(named: "account")
    let writing = FileFeedCache<Post>("home", in: caches, coder: JSONCoder())
    var commits = pages(4)[...]
    for commit in [commits.removeFirst(), commits.removeFirst()] { writing.save(commit) }
    directory.caches.isEnabled = false
    writing.save(commits.removeFirst())
    directory.caches.isEnabled = true
    writing.save(commits.removeFirst())
    writing.close()
    let reading = FileFeedCache<Post>("home", in: caches, coder: JSONCoder())
    #expect(load(reading).value.items.map(\.id) == Array(0..<160))
  }

  @Test
  func `a feed, an archive and a folder of one name do not meet`() throws {
    let archive = Archive<Post>("home", in: directory.caches)
    try archive.save(Post(id: 3))
    let inner = Archive<Post>("x", in: directory.caches.directory(named: "home"))
    try inner.save(Post(id: 4))
    let writing = cache()
    for commit in pages(1) { writing.save(commit) }
    #expect(archive.load()?.id == 3 && inner.load()?.id == 4)
    archive.remove()
    writing.close()
    #expect(load(cache()).value.items.count == 40)
    cache().removeAll()
    #expect(inner.load()?.id == 4)
  }
}
