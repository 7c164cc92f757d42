public import Freshet
public import FreshetLists

/// The way in which a scripted server pages.
public enum ScriptedPaging: Sendable, CaseIterable {
  /// By row offset; pages shift.
  case offset
  /// By page number; pages shift.
  case page
  /// By the position of the last row, or upwards by that of the first; pages are stable.
  case keyset
  /// By a token for the position of the last row; pages are stable, tokens may expire.
  case cursor
  /// By the last row itself, even after it moved; its key expires when the row is removed.
  case lastItem
}

/// The key of a scripted page, of which one part is set.
public struct ScriptedKey: Hashable, Codable, Sendable {
  var offset: OffsetKey?
  var number: NumberedKey?
  /// The position after which the rows are.
  var rank: Double?
  /// The position before which the rows are; the nearest ones are returned.
  var below: Double?
  var token: Int?
  var last: Int?
}

/// A failure that tests request, which is permanent unless it is marked otherwise.
///
/// ```swift
/// server.failNext(with: ScriptedFailure(isTransient: true, retryAfter: .seconds(5)))
/// ```
public struct ScriptedFailure: LoadFailure, Equatable {
  /// Whether another request may help.
  public var isTransient: Bool
  /// The time for which the server asks for no further requests.
  public var retryAfter: Duration?
  /// Whether the page key is the reason.
  public var isStaleKey: Bool

  /// Creates the error that a scripted server fails with.
  public init(
    isTransient: Bool = false, retryAfter: Duration? = nil, isStaleKey: Bool = false
  ) {
    self.isTransient = isTransient
    self.retryAfter = retryAfter
    self.isStaleKey = isStaleKey
  }
}

/// A scripted server as a source.
public struct ScriptedSource<Item: ListItem>: JumpableFeedSource {
  let server: ScriptedServer<Item>
  let paging: ScriptedPaging

  /// Whether the server's pages shift.
  public var continuity: PageContinuity {
    switch paging {
    case .offset, .page: .overlapping
    case .keyset, .cursor, .lastItem: .stable
    }
  }

  /// Whether pages are `keyset`, `offset` or `page`.
  public var canJump: Bool { [.keyset, .offset, .page].contains(paging) }
  /// Whether a jump leads to the whole page that contains a row, as it does with `page`.
  public var findsWholePages: Bool { if case .page = paging { true } else { false } }

  /// Returns the key of the page that begins some rows further than another page.
  ///
  /// Of numbered pages, it is the key of the page that contains the row. It is `nil` if there is no
  /// such row, or if pages are `cursor` or `lastItem`.
  public func key(
    _ count: Int, rowsFrom key: ScriptedKey?, before end: ScriptedKey?
  ) async -> ScriptedKey? {
    server.key(count, rowsFrom: key, before: end, paging)
  }

  /// Returns the page for a request, from the list at the time when the request is released.
  ///
  /// A numbered page is read as by `NumberedSource`, one request after the other. Each request may
  /// be held, may fail, and sees the list at its own time.
  ///
  /// - Throws: the error of `failNext(with:)`, or `FeedError.staleKey` for a key that expired.
  public func page(_ request: PageRequest<ScriptedKey>) async throws -> Page<Item, ScriptedKey> {
    guard paging == .page else {
      await server.pass()
      return try server.answer(request, paging)
    }
    // The requests of one page follow each other: the last one has the newest total.
    let total = Locked(Int?.none)
    let numbered = NumberedSource { [server] number, limit in
      await server.pass()
      let (items, count) = try server.rows(onPage: number, limit)
      total.withLock { $0 = count }
      return items
    }
    var page = try await numbered.page(
      PageRequest(key: request.key?.number, limit: request.limit)
    ).mapKeys { ScriptedKey(number: $0) }
    if let total = total.withLock(\.self) {
      page.total = .exact(total)
      let top = page.previous?.number.map { $0.number + 1 } ?? 1
      page.rowsAbove = .exact((top &- 1) &* request.limit)
    }
    return server.named(page, for: request)
  }
}
