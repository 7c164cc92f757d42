internal import Foundation
public import FreshetLists

/// A place that answers with pages of a list.
///
/// Its one job is to answer a request with a page.
///
/// A feed asks a source on no particular actor, and never twice at once for one page. Throwing
/// leaves every row on screen. A request whose task is cancelled may throw anything: its outcome
/// is not looked at.
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
/// - Important: A source is one list. Where it begins to ask for another one, because a search
///   text, a filter or a sort order changed that it reads, a refresh mixes rows of both: nothing in
///   a page says which query it answers. Make the source from the query, in a ``FeedFamily``. Where
///   one feed has to do, call `refresh(.all)` right after the change, or use
///   `RefreshPolicy.replace`.
public protocol FeedSource<Item, Key>: Sendable {
  /// The rows of the list.
  associatedtype Item: ListItem
  /// What names a page: a number, a cursor, a URL.
  associatedtype Key: Hashable & Codable & Sendable

  /// How the pages of this source hang together; `stable` unless the source says otherwise.
  var continuity: PageContinuity { get }

  /// When a load that failed is asked for again where the feed's configuration does not say;
  /// `never` unless the source says otherwise.
  var retryPolicy: RetryPolicy { get }

  /// The page for a request.
  ///
  /// - Throws: why there is no page; what is no `FeedError` becomes `FeedError.source`.
  func page(_ request: PageRequest<Key>) async throws -> Page<Item, Key>
}

extension FeedSource {
  /// Keys name places that stay.
  public var continuity: PageContinuity { .stable }

  /// Nothing is asked for again by itself.
  public var retryPolicy: RetryPolicy { .never }
}

/// A source made of a closure.
///
/// What the closure asks for is one list: where a query changes, a ``FeedFamily`` makes a source
/// for each.
///
/// ```swift
/// let source = ClosureSource<Person, String>(completing: { request, completion in
///   api.people(after: request.key) { answer in
///     completion(answer.map { people, cursor in Page(people, next: cursor) })
///   }
/// })
/// ```
public struct ClosureSource<Item: ListItem, Key: Hashable & Codable & Sendable>: FeedSource {
  /// How the pages hang together.
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

  /// The page the closure gives.
  ///
  /// - Throws: what the closure threw.
  public func page(_ request: PageRequest<Key>) async throws -> Page<Item, Key> {
    try await answer(request)
  }
}

/// A source whose keys and items have become opaque, as the engine of a feed sees every source.
struct OpaqueSource: Sendable {
  let continuity: PageContinuity
  private let answer: @Sendable (PageRequest<PageKey>) async throws -> Page<AnyItem, PageKey>

  init<Source: FeedSource>(_ source: Source) {
    continuity = source.continuity
    answer = { request in
      let key: Source.Key?
      do {
        key = try request.key?.decoded(as: Source.Key.self)
      } catch {
        throw FeedError.staleKey(request.key?.json ?? "")
      }
      return try await source.page(
        PageRequest(key: key, limit: request.limit, validator: request.validator)
      ).mapKeys { try PageKey($0) }.erased
    }
  }

  /// The page for a request, or what went wrong, off the caller's actor: decoding is work.
  @concurrent
  func page(
    _ request: PageRequest<PageKey>
  ) async -> Result<Page<AnyItem, PageKey>, FeedError> {
    do {
      return .success(try await answer(request))
    } catch let error as FeedError {
      return .failure(error)
    } catch {
      return .failure(.source(error))
    }
  }
}
