internal import Foundation
public import FreshetLists

/// A source of the pages of a list, such as a web API.
///
/// Its one task is to answer a request with a page.
///
/// A feed calls its source on no particular actor, and never requests one page twice at the same
/// time. If the source throws, every row stays on screen. A request whose task is cancelled may
/// throw any error: its outcome is ignored.
///
/// ```swift
/// struct Timeline: FeedSource {
///   func page(_ request: PageRequest<String>) async throws -> Page<Post, String> {
///     let answer = try await api.timeline(before: request.key, count: request.limit)
///     return Page(answer.posts, next: answer.cursor)
///   }
/// }
/// ```
///
/// - Important: A source is one list. If its query changes, such as a search text, a filter or a
///   sort order, a refresh mixes rows of both lists. A page does not name the query that it
///   answers. Create the source from the query, in a ``FeedFamily``. If you can use only one feed,
///   call `refresh(.all)` right after the change, or use `RefreshPolicy.replace`.
public protocol FeedSource<Item, Key>: Sendable {
  /// The type of the list's rows.
  associatedtype Item: ListItem
  /// The type of a page's key: a number, a cursor, a URL.
  associatedtype Key: Hashable & Codable & Sendable

  /// The continuity of this source's pages; `stable` by default.
  var continuity: PageContinuity { get }

  /// The retry policy for a feed whose configuration has none; `never` by default.
  var retryPolicy: RetryPolicy { get }

  /// Returns the page for a request.
  ///
  /// - Throws: the reason why there is no page. An error that is not a `FeedError` becomes
  ///   `FeedError.source`.
  func page(_ request: PageRequest<Key>) async throws -> Page<Item, Key>
}

extension FeedSource {
  /// `stable`: a key always names the same place.
  public var continuity: PageContinuity { .stable }

  /// `never`: no load is repeated automatically.
  public var retryPolicy: RetryPolicy { .never }
}

/// A source made of a closure.
///
/// The closure answers for one list. If the query changes, use a ``FeedFamily``, which creates a
/// source for each query.
///
/// ```swift
/// let source = ClosureSource<Person, String>(completing: { request, completion in
///   api.people(after: request.key) { answer in
///     completion(answer.map { people, cursor in Page(people, next: cursor) })
///   }
/// })
/// ```
public struct ClosureSource<Item: ListItem, Key: Hashable & Codable & Sendable>: FeedSource {
  /// The continuity of the pages.
  public let continuity: PageContinuity
  private let answer: @Sendable (PageRequest<Key>) async throws -> Page<Item, Key>

  /// Creates a source that answers through a closure, asynchronous or not.
  public init(
    continuity: PageContinuity = .stable,
    _ answer: @escaping @Sendable (PageRequest<Key>) async throws -> Page<Item, Key>
  ) {
    self.continuity = continuity
    self.answer = answer
  }

  /// Creates a source that answers through a completion handler.
  ///
  /// The handler must be called once, on any thread. A second call has no effect.
  public init(
    continuity: PageContinuity = .stable,
    completing answer:
      @escaping @Sendable (
        PageRequest<Key>,
        _ completion: @escaping @Sendable (Result<Page<Item, Key>, any Error>) -> Void
      ) -> Void
  ) {
    self.init(continuity: continuity) { request in
      let answers = AsyncThrowingStream<Page<Item, Key>, any Error> { continuation in
        answer(request) { result in
          continuation.yield(with: result)
          continuation.finish()
        }
      }
      for try await page in answers { return page }
      throw CancellationError()
    }
  }

  /// Returns the page that the closure returns.
  ///
  /// - Throws: the error of the closure.
  public func page(_ request: PageRequest<Key>) async throws -> Page<Item, Key> {
    try await answer(request)
  }
}

/// A source whose keys and items are type-erased, as the engine of a feed sees every source.
struct OpaqueSource: Sendable {
  let continuity: PageContinuity
  private let answer: @Sendable (PageRequest<PageKey>) async throws -> Page<AnyItem, PageKey>
  /// Reads windows again; `nil` if the source cannot.
  private let reading:
    (@Sendable ([PageWindow<PageKey>]) async throws -> [[Page<AnyItem, PageKey>]])?

  /// Finds the key of a page some rows away from another; `nil` if the source cannot.
  private let skipping: (@Sendable (PageKey?, PageSkip) async throws -> PageKey?)?

  init<Source: FeedSource>(_ source: Source) {
    continuity = source.continuity
    skipping = (source as? any JumpableFeedSource).map { Self.skipping(of: $0) }
    reading = (source as? any WindowedFeedSource).map { Self.reading(of: $0) }
    answer = { request in
      let key = try request.key.map { try Self.key($0, of: source) }
      return try await source.page(
        PageRequest(key: key, limit: request.limit, validator: request.validator)
      ).mapKeys { try PageKey($0) }.erased
    }
  }

  private static func reading<Source: WindowedFeedSource>(
    of source: Source
  ) -> @Sendable ([PageWindow<PageKey>]) async throws -> [[Page<AnyItem, PageKey>]] {
    { windows in
      let own = try windows.map { try $0.mapKeys { try Self.key($0, of: source) } }
      let pages = try await source.pages(in: own)
      let answers = pages.count { !$0.isEmpty }
      guard answers == windows.count, pages.count == answers else {
        throw WindowCountError(windows: windows.count, answers: answers)
      }
      return try pages.map { try $0.map { try $0.mapKeys { try PageKey($0) }.erased } }
    }
  }

  private static func skipping<Source: JumpableFeedSource>(
    of source: Source
  ) -> @Sendable (PageKey?, PageSkip) async throws -> PageKey? {
    { key, skip in
      let key = try key.map { try Self.key($0, of: source) }
      let end = try skip.end.map { try Self.key($0, of: source) }
      return try await source.key(skip.count, rowsFrom: key, before: end).map { try PageKey($0) }
    }
  }

  /// Returns what a source can find by the number of rows.
  static func finding(of source: some FeedSource) -> RowFinding {
    guard let source = source as? any JumpableFeedSource, source.canJump else { return .nothing }
    return source.findsWholePages ? .pages : .rows
  }

  private static func key<Source: FeedSource>(
    _ key: PageKey, of source: Source
  ) throws(FeedError) -> Source.Key {
    do { return try key.decoded(as: Source.Key.self) } catch { throw .staleKey(key.json) }
  }

  /// Returns the page for a request, or its error.
  ///
  /// It runs off the caller's actor, because decoding takes time.
  ///
  /// - Parameter skip: the rows between the request's page and the wanted one. If the source does
  ///   not find that, the page is empty.
  @concurrent
  func page(
    _ request: PageRequest<PageKey>, _ skip: PageSkip? = nil
  ) async -> Result<Page<AnyItem, PageKey>, FeedError> {
    await Self.result {
      guard let skip else { return try await self.answer(request) }
      var request = request
      request.key = try await self.skipping?(request.key, skip)
      return request.key == nil ? Page([], next: nil) : try await self.answer(request)
    }
  }

  /// Returns the pages of some windows, or the error.
  @concurrent
  func pages(
    in windows: [PageWindow<PageKey>]
  ) async -> WindowAnswer {
    guard let reading else { return .success([]) }
    return await Self.result { try await reading(windows) }
  }

  private static func result<Value>(
    of answer: () async throws -> Value
  ) async -> Result<Value, FeedError> {
    do {
      return .success(try await answer())
    } catch let error as FeedError {
      return .failure(error)
    } catch {
      return .failure(.source(error))
    }
  }
}
