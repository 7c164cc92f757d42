import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// Rule P10: others can write to the folder of caches.
@Suite(.timeLimit(.minutes(5)))
struct CacheIntruderTests: CachingSuite {
  let directory = TemporaryDirectory()
  /// What must not be touched.
  let outside = TemporaryDirectory()

  /// What stands where a file should.
  enum Intruder: CaseIterable {
    case link, danglingLink, pipe, folder, hardLink, foreign
  }

  init() throws {
    try FileManager.default.createDirectory(at: outside.url, withIntermediateDirectories: true)
  }

  /// Puts something in the place of a file; what was there, or would be believed, is outside now.
  func plant(_ intruder: Intruder, at url: URL) throws {
    let files = FileManager.default
    let moved = outside.url.appendingPathComponent(url.lastPathComponent)
    if files.fileExists(atPath: url.path) {
      try files.moveItem(at: url, to: moved)
    } else {
      try Data("outside".utf8).write(to: moved)
    }
    switch intruder {
    case .link: try files.createSymbolicLink(at: url, withDestinationURL: moved)
    case .danglingLink:
      try files.createSymbolicLink(
        at: url, withDestinationURL: outside.url.appendingPathComponent("nothing"))
    case .pipe:
      let isMade = unsafe mkfifo(url.path, 0o600) == 0
      try #require(isMade)
    case .folder:
      try files.createDirectory(at: url, withIntermediateDirectories: false)
      try Data("inside".utf8).write(to: url.appendingPathComponent("file"))
    case .hardLink: try files.linkItem(at: moved, to: url)
    case .foreign:
      try files.copyItem(at: moved, to: url)
      let isGiven = unsafe chown(url.path, 12_345, 12_345) == 0
      try #require(isGiven)
    }
  }

  static var intruders: [Intruder] {
    Intruder.allCases.filter { $0 != .foreign || geteuid() == 0 }
  }

  @Test(arguments: intruders, ["manifest", "lock", "p1", "p2"])
  func `what is no file of ours is refused, reported and makes way`(
    intruder: Intruder, name: String
  ) throws {
    let writing = cache()
    for commit in pages(3) { writing.save(commit) }
    writing.close()
    try plant(intruder, at: folder().appendingPathComponent(name))
    let before = outside.files

    let second = cache()
    var machine = load(second)
    if name == "lock" || intruder == .hardLink {
      #expect(machine.value.items.count == 120)
    } else {
      #expect(machine.value.items.count == (name == "manifest" ? 0 : 80))
      #expect(second.takeIssues().count == 1)
    }
    for id in 900..<903 {
      for commit in machine.effects(of: { $0.insert(Post(id: id), after: nil, at: .distantPast) })
        .commits(
          of: Post.self)
      {
        #expect(second.save(commit))
      }
    }
    #expect(second.takeIssues() == [])
    second.close()
    #expect(outside.files == before)
    let third = cache()
    #expect(load(third).value.outline == machine.value.outline)
    #expect(third.takeIssues() == [])
    // What is another user's is still there, under another name.
    if intruder == .foreign {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder().path)
      let owners = try names.map {
        try FileManager.default.attributesOfItem(atPath: folder().appendingPathComponent($0).path)[
          .ownerAccountID] as? Int
      }
      #expect(owners.contains(12_345))
    }
  }

  @Test(arguments: intruders)
  func `a file that stands where rows are to be written makes way`(intruder: Intruder) throws {
    let writing = cache()
    let commits = pages(3)
    writing.save(commits[0])
    try plant(intruder, at: folder().appendingPathComponent("p2"))
    let before = outside.files
    for commit in commits[1...] { #expect(writing.save(commit)) }
    writing.close()
    #expect(load(cache()).value.items.count == 120 && outside.files == before)
  }

  @Test(arguments: intruders.filter { $0 != .folder })
  func `a folder of a feed that is none of ours is refused, reported and makes way`(
    intruder: Intruder
  ) throws {
    let writing = cache()
    for commit in pages(3) { writing.save(commit) }
    writing.close()
    if intruder == .hardLink {
      // A plain file; folders have no other names.
      try FileManager.default.removeItem(at: folder())
      try Data("file".utf8).write(to: folder())
    } else {
      try plant(intruder, at: folder())
    }
    try Data("victim".utf8).write(to: outside.url.appendingPathComponent("p77"))
    for name in ["p7", "x.new"] where intruder == .link {
      try Data("victim".utf8).write(to: folder().appendingPathComponent(name))
    }
    let before = outside.files
    let second = cache()
    var machine = load(second)
    #expect(machine.value.items.isEmpty && second.takeIssues().count == 1)
    for commit in machine.effects(of: { $0.insert(Post(id: 900), after: nil, at: .distantPast) })
      .commits(of: Post.self)
    {
      #expect(second.save(commit))
    }
    second.close()
    #expect(outside.files == before)
    #expect(load(cache()).value.items.map(\.id) == [900])
    cache().removeAll()
    directory.caches.removeAll()
    #expect(outside.files == before)
  }

  @Test
  func `a folder in a directory that is a link leads nowhere`() throws {
    let inner = directory.caches.directory(named: "account")
    let archive = Archive<Int>("n", in: inner)
    try archive.save(1)
    try plant(.link, at: inner.url)
    let before = outside.files
    #expect(archive.load() == nil)
    try archive.save(2)
    #expect(archive.load() == 2 && outside.files == before)
    inner.removeAll()
    #expect(archive.load() == nil && outside.files == before)
  }

  @Test(arguments: intruders)
  func `an archive reads no file that is none of ours, and writes through none`(
    intruder: Intruder
  ) throws {
    let archive = Archive<Int>("n", in: directory.caches)
    try archive.save(1)
    let folder = directory.caches.folder(for: "n", of: .archive)
    try plant(intruder, at: folder.appendingPathComponent("value"))
    let before = outside.files
    #expect(archive.load() == (intruder == .hardLink ? 1 : nil))
    try archive.save(2)
    #expect(archive.load() == 2 && outside.files == before)
    archive.remove()
    #expect(archive.load() == nil && outside.files == before)
  }

  @Test
  func `P8: removing all caches follows no link and leaves what is no cache`() throws {
    let writing = cache()
    for commit in pages(2) { writing.save(commit) }
    writing.close()
    try Archive<Int>("n", in: directory.caches.directory(named: "account")).save(1)
    try Data("kept".utf8).write(to: directory.url.appendingPathComponent("notes.txt"))
    try Data("victim".utf8).write(to: outside.url.appendingPathComponent("p1"))
    for name in ["linked", "p9"] {
      try FileManager.default.createSymbolicLink(
        at: folder().appendingPathComponent(name), withDestinationURL: outside.url)
    }
    directory.caches.removeAll()
    #expect(directory.files.keys.sorted() == ["notes.txt"])
    #expect(outside.files.keys.sorted() == ["p1"])
  }

  @Test
  func `the app's own path may lead through a link, and clearing it clears what is there`() throws {
    let link = outside.url.appendingPathComponent("caches")
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: directory.url)
    let caches = CacheDirectory(link)
    let archive = Archive<Int>("n", in: caches)
    try archive.save(1)
    #expect(archive.load() == 1 && !directory.files.isEmpty)
    caches.removeAll()
    #expect(archive.load() == nil && directory.files.isEmpty)
    try archive.save(2)
    #expect(archive.load() == 2)
  }

  @Test
  func `P7: a folder that was open to others is closed to them`() throws {
    let writing = cache()
    for commit in pages(1) { writing.save(commit) }
    writing.close()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777], ofItemAtPath: folder().path)
    let second = cache()
    for commit in pages(1) { second.save(commit) }
    let attributes = try FileManager.default.attributesOfItem(atPath: folder().path)
    #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
  }

  /// A coder that does something else while rows are written.
  struct BusyCoder: ValueCoder {
    let whileWriting: @Sendable () -> Void

    func encode(_ values: [Post]) throws -> Data {
      whileWriting()
      return try JSONCoder<Post>().encode(values)
    }

    func decode(_ data: Data) throws -> [Post?] { try JSONCoder<Post>().decode(data) }
  }

  @Test(arguments: [1, 2])
  func `P8: nothing is left of a step that was being stored while caches were removed`(step: Int) {
    let caches = directory.caches
    let steps = Locked(0)
    let coder = BusyCoder {
      let number = steps.withLock { steps in
        steps += 1
        return steps
      }
      if number == step { caches.removeAll() }
    }
    let writing = FileFeedCache<Post>("home", in: caches, coder: coder)
    for commit in pages(3) { writing.save(commit) }
    #expect(directory.files.filter { !$0.key.hasSuffix("lock") }.isEmpty)
    #expect(unsaved(writing.takeIssues()).count == 1)
    // A feed that was open then stores nothing any more, also after it forgot its rows.
    writing.removeAll()
    for commit in pages(1) { writing.save(commit) }
    #expect(directory.files.filter { !$0.key.hasSuffix("lock") }.isEmpty)
  }

  @Test
  func `P3: rows that another feed of the name wrote elsewhere meanwhile are not damaged`() throws {
    let writing = cache()
    for commit in pages(5) { writing.save(commit) }
    let reading = cache()
    #expect(try #require(reading.loadFirst()).isComplete == false)
    writing.removeAll()
    for commit in pages(4, size: 30) { writing.save(commit) }
    #expect(!reading.loadRest().rows.isEmpty)
    #expect(reading.takeIssues().isEmpty)
    writing.close()
    #expect(load(cache()).value.items.count == 120)
  }
}
