import Foundation
import FreshetTesting
import Testing

@testable import Freshet

@Suite(.timeLimit(.minutes(5)))
struct FileFeedCacheTests {
  let directory = TemporaryDirectory()

  func cache(_ name: String = "home", version: Int = 1) -> FileFeedCache<Post> {
    FileFeedCache(name, version: version, in: directory.caches, coder: JSONCoder())
  }

  /// A machine with some pages loaded, and every commit it asked for.
  func pages(_ count: Int, size: Int = 40) -> [FeedCommit<Post>] {
    var commits: [FeedCommit<Post>] = []
    var machine = FeedMachine<Post>(
      configuration: FeedConfiguration(pageSize: size), continuity: .stable, section: nil)
    for page in 0..<count {
      var effects = machine.load(page == 0 ? .head : .tail)
      guard case .fetch(let ticket, _)? = effects.first else { break }
      let posts = (page * size..<(page + 1) * size).map { Post(id: $0) }
      let answer = Page(posts, next: PageKey(json: "\(page + 1)"))
      effects = machine.receive(.success(answer), for: ticket, at: Date(timeIntervalSince1970: 7))
      for case .save(let commit) in effects { commits.append(commit) }
    }
    return commits
  }

  func load(_ cache: FileFeedCache<Post>) -> FeedMachine<Post> {
    var machine = FeedMachine<Post>(
      configuration: FeedConfiguration(), continuity: .stable, section: nil)
    machine.beginRestoring()
    let first = cache.loadFirst() ?? CachedRows()
    _ = machine.restore(first)
    if !first.isComplete { _ = machine.restore(cache.loadRest()) }
    return machine
  }

  @Test
  func `P2, P5: what any history stored is what the next launch shows`() {
    for seed in 0..<400 {
      let name = "history \(seed)"
      let writing = cache(name)
      var history = History(
        seed: seed, paging: ScriptedPaging.allCases[seed % 4], changes: .all)
      history.onSave = { writing.save($0) }
      history.run(steps: 40)
      let issues = writing.takeIssues()
      writing.close()
      let loaded = load(cache(name))
      guard issues.isEmpty, loaded.value.items == history.machine.value.items,
        loaded.value.outline == history.machine.value.outline,
        loaded.timeline.tail == history.machine.timeline.tail || history.machine.timeline.count == 0
      else {
        Issue.record(
          "seed \(seed) \(issues): \(loaded.value.outline) is not \(history.machine.value.outline)")
        return
      }
    }
  }

  @Test
  func `P1: the first rows come alone, with their keys and their age, the rest on demand`() throws {
    let writing = cache()
    for commit in pages(5) { writing.save(commit) }
    let reading = cache()
    let first = try #require(reading.loadFirst())
    #expect(first.rows.count == 40 && !first.isComplete)
    #expect(first.refreshedAt == Date(timeIntervalSince1970: 7))
    guard case .item(Post(id: 39), PageKey(json: "1"))? = first.rows.last else {
      Issue.record("the key of the page is lost: \(first.rows.suffix(1))")
      return
    }
    let rest = reading.loadRest()
    #expect(rest.rows.count == 160 && rest.isComplete && rest.tail == .open)
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
    for id in 0..<200 {
      for case .save(let commit) in machine.insert(Post(id: id), at: 0) { writing.save(commit) }
    }
    let before = directory.files.count
    #expect(before < 40, "\(before)")
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

  @Test(arguments: 0..<300)
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
    for case .save(let commit) in machine.insert(Post(id: 999), at: 0) { reading.save(commit) }
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
    var machine = FeedMachine<Old>(
      configuration: FeedConfiguration(), continuity: .stable, section: nil)
    for id in 0..<5 {
      let effects = machine.insert(Old(id: id, version: id == 2 ? nil : 0), at: id)
      for case .save(let commit) in effects { writing.save(commit) }
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
    for case .save(let commit) in machine.remove(at: 0) { second.save(commit) }
    #expect(second.takeIssues().count == 1)
    #expect(load(cache()).value.items.count == 40)
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
  }
}
