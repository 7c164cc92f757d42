public import Freshet
public import FreshetLists

/// How a scripted server pages.
public enum ScriptedPaging: Sendable, CaseIterable {
  /// By row offset; pages shift.
  case offset
  /// By page number; pages shift.
  case page
  /// By the place of the last row, or upwards by that of the first; pages are stable.
  case keyset
  /// By a token for the place of the last row; pages are stable, tokens may expire.
  case cursor
  /// By the last row itself, wherever it stands by then; its key goes with it.
  case lastItem
}

/// The key of a scripted page: one of its parts is set.
public struct ScriptedKey: Hashable, Codable, Sendable {
  var offset: OffsetKey?
  var number: NumberedKey?
  /// Rows behind this place.
  var rank: Double?
  /// Rows before this place, the nearest ones.
  var below: Double?
  var token: Int?
  var last: Int?
}

/// A failure for tests to ask for: final, unless it says otherwise.
///
/// ```swift
/// server.failNext(with: ScriptedFailure(isTransient: true, retryAfter: .seconds(5)))
/// ```
public struct ScriptedFailure: LoadFailure, Equatable {
  /// Whether asking again may help.
  public var isTransient: Bool
  /// How long the server asks to be left alone.
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

/// A scripted server seen as a source.
public struct ScriptedSource<Item: ListItem>: FeedSource {
  let server: ScriptedServer<Item>
  let paging: ScriptedPaging

  /// Whether the server's pages shift.
  public var continuity: PageContinuity {
    switch paging {
    case .offset, .page: .overlapping
    case .keyset, .cursor, .lastItem: .stable
    }
  }

  /// The page for a request, taken from the list as it is when the request is let through.
  ///
  /// A numbered page is read as `NumberedSource` does it, one request after the other: each may be
  /// held, may fail, and sees the list of its own moment.
  ///
  /// - Throws: what `failNext(with:)` was told, or `FeedError.staleKey` for a key that expired.
  public func page(_ request: PageRequest<ScriptedKey>) async throws -> Page<Item, ScriptedKey> {
    guard paging == .page else {
      await server.pass()
      return try server.answer(request, paging)
    }
    let numbered = NumberedSource { [server] number, limit in
      await server.pass()
      return try server.rows(onPage: number, limit)
    }
    let page = try await numbered.page(
      PageRequest(key: request.key?.number, limit: request.limit)
    ).mapKeys { ScriptedKey(number: $0) }
    return server.named(page, for: request)
  }
}
