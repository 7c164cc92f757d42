import Foundation
import FreshetTesting
import Testing

@testable import Freshet

/// P12: no secret is stored, in page keys either.
@Suite(.timeLimit(.minutes(5)))
struct StoredSecretsTests {
  let directory = TemporaryDirectory()

  /// Pages of five, whose links hold what a server put there.
  struct Linked: FeedSource {
    let parameter: String
    /// The keys that were asked for.
    let keys = Shared()

    final class Shared: Sendable { let value = Locked<[String?]>([]) }

    func page(_ request: PageRequest<String>) async throws -> Page<Post, String> {
      keys.value.withLock { $0.append(request.key) }
      let start = request.key.flatMap { Int($0.prefix { $0 != "?" }) } ?? 0
      var page = Page<Post, String>(
        (start..<(start + 5)).map { Post(id: $0) }, next: "\(start + 5)?\(parameter)=s3cret&limit=5"
      )
      page.validator = "v\(start)"
      return page
    }
  }

  /// The rows after a relaunch, whether the list can go on without asking for its head, and what
  /// was said of the cache.
  private func relaunch(
    _ parameter: String, _ cache: () -> FeedCacheChoice<Post>
  ) async -> (ids: [Int], firstKey: String?, issues: [CacheIssue]) {
    let feed = Feed(Linked(parameter: parameter), cache: cache())
    await feed.refresh()
    await feed.loadNext()
    await feed.flush()
    var issues = feed.cacheIssues.makeAsyncIterator()
    let issue = parameter == "access_token" ? await issues.next() : nil
    let source = Linked(parameter: parameter)
    let again = Feed(source, cache: cache())
    await again.loadCache()
    let ids = again.value.items.map(\.id)
    await again.loadNext()
    return (ids, source.keys.value.withLock { $0.first ?? nil }, [issue].compactMap(\.self))
  }

  @Test(arguments: ["access_token", "page_token"])
  func `P12, P5: a page key that holds a secret is not stored, and any other is`(
    parameter: String
  ) async throws {
    let folder = directory.caches
    let read = await relaunch(parameter) { .file("list", in: folder) }
    let isSecret = parameter == "access_token"
    #expect(read.ids == Array(0..<10))
    #expect(read.firstKey == (isSecret ? nil : "10?page_token=s3cret&limit=5"))
    #expect(read.issues == (isSecret ? [.leftOut(reason: "page keys that hold a secret")] : []))
    let files = FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)
    var texts = Data()
    for case let file as URL in try #require(files) {
      texts += (try? Data(contentsOf: file)) ?? Data()
    }
    #expect(texts.range(of: Data("s3cret".utf8)) == nil || !isSecret)
    #expect(texts.range(of: Data("page_token".utf8)) != nil || isSecret)
  }

  @Test
  func `P12: a store is told no secret either`() async throws {
    let store = MemoryStore<Post>()
    let read = await relaunch("access_token") { .store(store, named: "list") }
    #expect(read.ids == Array(0..<10))
    let notes = try await store.notes(of: "list").values
    #expect(!notes.isEmpty && notes.allSatisfy { $0.range(of: Data("s3cret".utf8)) == nil })
  }
}
