import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// What is on disk stays as it is: these logs were written by earlier builds.
@Suite(.timeLimit(.minutes(5)))
struct CacheFormatTests: CachingSuite {
  let directory = TemporaryDirectory()

  /// A page, a gap with rows behind it, and an edit.
  private var commits: [FeedCommit<Post>] {
    let date = Date(timeIntervalSince1970: 7)
    let page = CachedHeadPage(
      validator: "v", rows: 3, next: PageKey(json: "1"), previous: nil, continuity: .stable)
    let posts = { (ids: [Int]) in ids.map { ListRow.item(Post(id: $0)) } }
    let all = posts([0, 1, 2]) + [.gap(Gap(id: 1))] + posts([10, 11])
    let marks = [
      0: PageBoundary(previous: PageKey(json: "\"a\"")),
      2: PageBoundary(next: PageKey(json: "1"), fetchedAt: date),
      11: PageBoundary(next: PageKey(json: "5")),
    ]
    var state = CachedState(head: .end, tail: .open, refreshedAt: date, page: page)
    let first = FeedCommit(
      rows: RowTree(posts([0, 1, 2])), inserted: [0, 1, 2], marks: marks, state: state)
    state.anchor = 4
    state.unproven = [0..<1, 4..<6]
    let second = FeedCommit(rows: RowTree(all), inserted: [3, 4, 5], marks: marks, state: state)
    state.page = nil
    let edited = [.item(Post(id: 0, version: 1))] + all.dropFirst()
    return [
      first, second, FeedCommit(rows: RowTree(edited), updated: [0], marks: marks, state: state),
    ]
  }

  /// The files of `FileFeedCache`.
  private let files = [
    "manifest": """
    ZnJlc2hldDUBeQAAAIUs315Y7/bnBAAAAGhvbWUBAAAAAAAAAEetN+NvuYlfAwAAAGVuZAQAAABvcGVuAAAAAA\
    AAHED//////////wACAQAAAHYDAAAAAQAAADEAAAAAAUFLKU7RITuTAQAAAAEBAAAAAAAAAAMAAAABAAAAMQMA\
    AAAiYSIAAAAAAAAcQAKBAAAA0aT5IbG+ov8DAAAAZW5kBAAAAG9wZW4AAAAAAAAcQAQAAAAAAAAAAgAAAAABAA\
    AABAAAAAYAAAABAQAAAAAAAAABAAAAAwAAAAECAAAAAAAAAAMAAAABAAAAMQMAAAAiYSIAAAAAAAAcQAIBAwAA\
    AAAAAAACAAAAAQAAADUAAAAAAAAAAAAA+H8CYgAAAFGYiiKX5gPaAwAAAGVuZAQAAABvcGVuAAAAAAAAHEAEAA\
    AAAAAAAAIAAAAAAQAAAAQAAAAGAAAAAAEAAAAAAAAAAQAAAAEAAAABBAAAAAAAAAADAAAAAQAAADEDAAAAImEi\
    AAAAAAAAHEA=
    """,
    "p3": """
    ZnJlc3J1bjECAAAAAwAAAAAAAACBxxneuGst31t7ImlkIjoxMCwidmVyc2lvbiI6MH0seyJpZCI6MTEsInZlcn\
    Npb24iOjB9XQ==
    """,
    "p4": """
    ZnJlc3J1bjEDAAAABAAAAAAAAADCP6i5vnjAbFt7InZlcnNpb24iOjEsImlkIjowfSx7InZlcnNpb24iOjAsIm\
    lkIjoxfSx7InZlcnNpb24iOjAsImlkIjoyfV0=
    """,
  ].compactMapValues { Data(base64Encoded: $0) }

  /// The log that is written now: the first row alone, then the part of the run behind it.
  private let log = Data(
    base64Encoded: """
      ZnJlc2hldDUBeQAAAAAAAAAAAAAABAAAAGhvbWUBAAAAAAAAAAAAAAAAAAAAAwAAAGVuZAQAAABvcGVuAAAAAA\
      AAHED//////////wACAQAAAHYDAAAAAQAAADEAAAAAAUFLKU7RITuTAQAAAAEBAAAAAAAAAAMAAAABAAAAMQMA\
      AAAiYSIAAAAAAAAcQAJgAAAAyahyb9firPYDAAAAZW5kBAAAAG9wZW4AAAAAAAAcQAQAAAAAAAAAAgAAAAABAA\
      AABAAAAAYAAAABAQAAAAEAAAAAAAAAAgAAAAIBAgAAAAAAAAACAAAAAQAAADUAAAAAAAAAAAAA+H8ChwAAANs4\
      2D9OgQfuAwAAAGVuZAQAAABvcGVuAAAAAAAAHEAEAAAAAAAAAAIAAAAAAQAAAAQAAAAGAAAAAAEAAAAAAAAAAQ\
      AAAAIAAAABAwAAAAAAAAABAAAAAAAAAAMAAAAiYSIAAAAAAAD4fwQBAAAAAAAAAAMAAAABAAAAAgAAAAEAAAAx\
      AAAAAAAAAAAAABxA
      """)

  /// The notes of a store.
  private let notes = [
    "manifest": """
    ZnJlc2hldDUBeQAAADGDdNFoD2GXBAAAAGhvbWUBAAAAAAAAADW8oUIlOOIOAwAAAGVuZAQAAABvcGVuAAAAAA\
    AAHED//////////wACAQAAAHYDAAAAAQAAADEAAAAAAdunoEklCJqvAQAAAAEBAAAAAAAAAAMAAAABAAAAMQMA\
    AAAiYSIAAAAAAAAcQA==
    """,
    "m1": """
    AoEAAADRpPkhsb6i/wMAAABlbmQEAAAAb3BlbgAAAAAAABxABAAAAAAAAAACAAAAAAEAAAAEAAAABgAAAAEBAA\
    AAAAAAAAEAAAADAAAAAQIAAAAAAAAAAwAAAAEAAAAxAwAAACJhIgAAAAAAABxAAgEDAAAAAAAAAAIAAAABAAAA\
    NQAAAAAAAAAAAAD4fw==
    """,
    "m2": """
    AmIAAABRmIoil+YD2gMAAABlbmQEAAAAb3BlbgAAAAAAABxABAAAAAAAAAACAAAAAAEAAAAEAAAABgAAAAABAA\
    AAAAAAAAEAAAABAAAAAQQAAAAAAAAAAwAAAAEAAAAxAwAAACJhIgAAAAAAABxA
    """,
    "p3": """
    WzEwLDExXQ==
    """,
    "p4": """
    WzAsMSwyXQ==
    """,
  ].compactMapValues { Data(base64Encoded: $0) }

  /// The notes that are written now, behind the same manifest.
  private let steps = [
    "m1": """
    AmAAAADJqHJv1+Ks9gMAAABlbmQEAAAAb3BlbgAAAAAAABxABAAAAAAAAAACAAAAAAEAAAAEAAAABgAAAAEBAA\
    AAAQAAAAAAAAACAAAAAgECAAAAAAAAAAIAAAABAAAANQAAAAAAAAAAAAD4fw==
    """,
    "m2": """
    AmIAAAA670+cw8R06wMAAABlbmQEAAAAb3BlbgAAAAAAABxABAAAAAAAAAACAAAAAAEAAAAEAAAABgAAAAABAA\
    AAAAAAAAEAAAABAAAAAQMAAAAAAAAAAwAAAAEAAAAxAwAAACJhIgAAAAAAABxA
    """,
    "p2": """
    WzEwLDExXQ==
    """,
    "p3": """
    WzAsMSwyXQ==
    """,
  ].compactMapValues { Data(base64Encoded: $0) }

  @Test
  func `the files of an earlier build are read, and what is written stays as it is`() throws {
    try FileManager.default.createDirectory(at: folder(), withIntermediateDirectories: true)
    for (name, data) in files { try data.write(to: folder().appendingPathComponent(name)) }
    let reading = cache()
    let first = try #require(reading.loadFirst())
    expect(first.rows + reading.loadRest().rows, first.state)
    #expect(reading.takeIssues().isEmpty)
    reading.removeAll()
    let writing = cache()
    for commit in commits { #expect(writing.save(commit)) }
    let log = try Data(contentsOf: folder().appendingPathComponent("manifest"))
    #expect(masked(log) == self.log)
  }

  @Test
  func `the notes of an earlier build are read, and what is written stays as it is`() async throws {
    let store = MemoryStore<Post>()
    let writing = StoreFeedCache(store, "home", version: 1)
    for commit in commits { #expect(await writing.save(commit)) }
    let written = try await store.notes(of: "home")
    #expect(written.filter { $0.key != "manifest" } == steps)
    #expect(written["manifest"].map(masked) == notes["manifest"].map(masked))
    var replaced: [String: Data?] = written.mapValues { _ in nil }
    for (name, note) in notes { replaced[name] = note }
    try await store.write(ChangeBatch(), notes: replaced, of: "home")
    let other = StoreFeedCache(store, "home", version: 1)
    let loaded = await other.loadRest()
    expect(loaded.rows, loaded.state)
    #expect(other.takeIssues().isEmpty)
  }

  /// A log without the number that is its own, and the checksum over that.
  private func masked(_ log: Data) -> Data {
    guard log.starts(with: Data("freshet5".utf8)) else { return log }
    var log = log
    log.replaceSubrange(13..<21, with: Data(count: 8))
    log.replaceSubrange(37..<45, with: Data(count: 8))
    return log
  }

  private func expect(_ rows: [CachedRows<Post>.Row], _ state: CachedState) {
    #expect(
      rows.map(\.text) == ["0v1 \"a\" ", "1  ", "2  1", "gap", "10  ", "11  5"])
    let date = Date(timeIntervalSince1970: 7)
    #expect(
      state
        == CachedState(
          head: .end, tail: .open, refreshedAt: date, anchor: 4, unproven: [0..<1, 4..<6]))
  }
}
