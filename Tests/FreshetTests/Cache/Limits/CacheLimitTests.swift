import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What is too large to be read again, or does not read back, is not written.
@Suite(.timeLimit(.minutes(5 * SeededGenerator.minutes)))
struct CacheLimitTests: CachingSuite {
  let directory = TemporaryDirectory()

  struct Blob: ListItem, Codable {
    let id: Int
    var text: String
  }

  func blobs<Item: ListItem & Codable>() -> FileFeedCache<Item> {
    FileFeedCache("blobs", in: directory.caches, coder: JSONCoder())
  }

  /// The rows of all runs.
  func rows<Item: ListItem>(_ cache: FileFeedCache<Item>) -> [Item?] {
    let first = cache.loadFirst()
    let rest = first?.isComplete == false ? cache.loadRest().rows : []
    return ((first?.rows ?? []) + rest).map {
      if case .item(let item, _) = $0 { item } else { nil }
    }
  }

  @Test
  func `rows too large for one run are stored in several`() {
    let writing: FileFeedCache<Blob> = blobs()
    let text = String(repeating: "x", count: 3 << 20)
    for commit in commits(Page((0..<8).map { Blob(id: $0, text: text) }, next: nil)) {
      writing.save(commit)
    }
    #expect(writing.takeIssues().isEmpty)
    writing.close()
    #expect(rows(blobs() as FileFeedCache<Blob>).count == 8)
  }

  @Test
  func `a row too large to be read costs itself, is reported once, and all else is stored`() {
    let writing: FileFeedCache<Blob> = blobs()
    let text = String(repeating: "x", count: 17 << 20)
    let items = (0..<30).map { Blob(id: $0, text: $0 == 7 ? text : "") }
    for commit in commits(Page(items, next: PageKey(json: "1"))) {
      #expect(writing.save(commit))
      #expect(writing.save(commit))
    }
    let issues = writing.takeIssues()
    guard issues.count == 1, case .leftOut? = issues.first else {
      Issue.record("\(issues)")
      return
    }
    writing.close()
    let reading: FileFeedCache<Blob> = blobs()
    #expect(rows(reading).map { $0?.id } == items.map { $0.id == 7 ? nil : $0.id })
    #expect(reading.takeIssues() == [])
    for commit in commits(Page(items.suffix(3), next: nil)) { #expect(reading.save(commit)) }
  }

  @Test
  func `page keys that are too long are left out, reported once, and all else is stored`() {
    let key = { (page: Int) in
      PageKey(json: "\"\(page)" + String(repeating: "k", count: 6 << 20) + "\"")
    }
    var machine = load(cache())
    let writing = cache()
    for page in 0..<12 {
      guard
        case .load(.fetch(let ticket, _))? = machine.effects(of: {
          $0.load(page == 0 ? .refresh : .next)
        }).first
      else {
        return #expect(Bool(false))
      }
      let posts = (page * 30..<(page + 1) * 30).map { Post(id: $0) }
      for case .save(let commit) in machine.effects(of: {
        $0.receive(
          .success(Page(posts, next: key(page))), for: ticket, at: .distantPast)
      }) {
        #expect(writing.save(commit.typed()))
      }
    }
    let issues = writing.takeIssues()
    guard issues.count == 1, case .leftOut? = issues.first else {
      Issue.record("\(issues.count) issues")
      return
    }
    writing.close()
    let loaded = load(cache())
    #expect(loaded.value.items.map(\.id) == Array(0..<360) && loaded.timeline.tail == .open)
  }

  /// Rows with keys that are longer than a log, all together.
  private var longKeys: FeedCommit<Post> {
    let key = PageBoundary(next: PageKey(json: String(repeating: "9", count: 62_000)))
    let rows = (0..<1100).flatMap { id -> [ListRow<Post>] in
      [.item(Post(id: id)), .gap(Gap(id: id))]
    }
    let marks = Dictionary(uniqueKeysWithValues: (0..<1100).map { ($0, key) })
    return FeedCommit(rows: RowTree(rows), isWhole: true, marks: marks)
  }

  @Test
  func `page keys that are too long together are left out, and the log can be read`() {
    let writing = cache()
    #expect(writing.save(longKeys))
    guard case .leftOut? = writing.takeIssues().first else { return #expect(Bool(false)) }
    writing.close()
    #expect(load(cache()).value.items.count == 1100)
  }

  @Test
  func `page keys that are too long together are left out of a store's notes, too`() async {
    let store = MemoryStore<Post>()
    let noting = StoreFeedCache(store, "home", version: 1)
    #expect(await noting.save(longKeys))
    #expect(await noting.save(longKeys))
    let issues = noting.takeIssues()
    guard issues.count == 1, case .leftOut? = issues.first else {
      Issue.record("\(issues)")
      return
    }
    #expect(await StoreFeedCache(store, "home", version: 1).loadRest().rows.count == 2200)
  }

  @Test(arguments: ["manifest", "p1"])
  func `a file that is too long is set aside, reported, and the feed is stored again`(
    name: String
  ) throws {
    let writing = cache()
    for commit in pages(3) { writing.save(commit) }
    writing.close()
    let file = try FileHandle(forWritingTo: folder().appendingPathComponent(name))
    try file.truncate(atOffset: 65 << 20)
    try file.close()
    let reading = cache()
    var machine = load(reading)
    #expect(reading.takeIssues().count == 1)
    for case .save(let commit) in machine.effects(of: {
      $0.insert(Post(id: 999), after: nil, at: .distantPast)
    }) {
      #expect(reading.save(commit.typed()))
    }
    reading.close()
    let healed = cache()
    #expect(load(healed).value.outline == machine.value.outline && healed.takeIssues() == [])
  }

  // MARK: - What does not read back

  /// A row with a value inside others.
  struct Nested: ListItem, Codable {
    let id: Int
    var value: Value

    indirect enum Value: Hashable, Codable, Sendable {
      case number(Double)
      case text(String)
      case list([Value])

      static func nested(_ depth: Int) -> Value {
        (0..<depth).reduce(.text("x")) { value, _ in .list([value]) }
      }

      init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
          var values: [Value] = []
          while !list.isAtEnd { values.append(try list.decode(Value.self)) }
          self = .list(values)
        } else {
          let value = try decoder.singleValueContainer()
          self =
            if let number = try? value.decode(Double.self) { .number(number) } else {
              .text(try value.decode(String.self))
            }
        }
      }

      func encode(to encoder: any Encoder) throws {
        switch self {
        case .list(let values):
          var list = encoder.unkeyedContainer()
          for value in values { try list.encode(value) }
        case .number(let number):
          var value = encoder.singleValueContainer()
          try value.encode(number)
        case .text(let text):
          var value = encoder.singleValueContainer()
          try value.encode(text)
        }
      }
    }
  }

  @Test
  func `a row nested too deeply to be read back costs itself alone`() {
    let writing: FileFeedCache<Nested> = blobs()
    let items = (0..<30).map { Nested(id: $0, value: .nested(499 + $0)) }
    for commit in commits(Page(items, next: nil)) { #expect(writing.save(commit)) }
    let refused = writing.takeIssues().count
    writing.close()
    let reading: FileFeedCache<Nested> = blobs()
    let read = rows(reading)
    #expect(reading.takeIssues() == [])
    #expect(read.count == 30 && (1..<30).contains(refused))
    #expect(read == items.map { $0.id < 30 - refused ? $0 : nil })
  }

  @Test
  func `the texts nan and inf are not read as numbers, and numbers that JSON does not know are`() {
    let values: [Nested.Value] = [
      .text("nan"), .text("inf"), .text("-inf"), .text("NaN"), .number(.infinity), .number(1),
    ]
    let items = values.enumerated().map { Nested(id: $0, value: $1) }
    let writing: FileFeedCache<Nested> = blobs()
    for commit in commits(Page(items, next: nil)) { #expect(writing.save(commit)) }
    writing.close()
    #expect(rows(blobs() as FileFeedCache<Nested>) == items)
  }

  /// Writes what it cannot read, and does not write every number.
  struct FussyCoder: ValueCoder {
    func encode(_ values: [Post]) throws -> Data {
      if values.contains(where: { $0.id % 10 == 3 }) { throw ScriptedFailure() }
      return Data(values.map { $0.id % 10 == 5 ? 255 : UInt8($0.id) })
    }
    func decode(_ data: Data) throws -> [Post?] {
      data.map { $0 == 255 ? nil : Post(id: Int($0)) }
    }
  }

  @Test
  func `rows that a coder refuses, or reads back as nothing, are gaps`() {
    let open = { FileFeedCache("fussy", in: directory.caches, coder: FussyCoder()) }
    let writing = open()
    for commit in pages(2, size: 30) { #expect(writing.save(commit)) }
    #expect(writing.takeIssues().count == 12)
    writing.close()
    let expected = (0..<60).map { [3, 5].contains($0 % 10) ? nil : $0 }
    #expect(rows(open()).map { $0?.id } == expected)
  }

  // MARK: - Archives

  @Test
  func `an archive refuses what it could not load, and keeps what it has`() throws {
    let text = Archive<String>("text", in: directory.caches)
    try text.save("short")
    #expect(throws: (any Error).self) { try text.save(String(repeating: "x", count: 65 << 20)) }
    #expect(text.load() == "short")
    let nested = Archive<Nested.Value>("nested", in: directory.caches)
    try nested.save(.text("nan"))
    #expect(throws: (any Error).self) { try nested.save(.nested(600)) }
    #expect(nested.load() == .text("nan"))
    let fussy = Archive("fussy", in: directory.caches, coder: FussyCoder())
    #expect(throws: (any Error).self) { try fussy.save(Post(id: 5)) }
  }
}
