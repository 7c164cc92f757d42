public import Foundation
public import Freshet
public import FreshetLists

/// A source that loads the pages of a JSON web API.
///
/// ```swift
/// let feed = FeedController(
///   HTTPFeedSource<Post>("https://api.example.com/posts", paging: .linkHeader),
///   cache: .file("posts"))
/// ```
///
/// Credentials are sent to the origin of `url` only, regardless of next links and redirections
/// (rule N1). A body longer than `bodyLimit` is rejected. A body that cannot be decoded is an
/// error that names the place (rule N2). The rows stay on screen in every case.
public struct HTTPFeedSource<Item: ListItem & Decodable>: JumpableFeedSource {
  let url: URL
  let paging: PagingStyle
  let reading: BodyReadingOptions
  let client: HTTPClient
  let decoder: @Sendable () -> JSONDecoder

  /// Creates a source for the list at a URL.
  ///
  /// - Parameters:
  ///   - url: the first page, `http` or `https`.
  ///   - paging: how the server names its pages.
  ///   - items: the place of the items in a body. With `nil`, it is the document if that is an
  ///     array. Otherwise it is the only array member of the body or of its `_embedded`. Of
  ///     several, it is the one named `items`, `data`, `results`, `rows`, `features`, `value`,
  ///     `records`, `entries` or `content`.
  ///   - credentials: header fields that are sent to the origin of `url` only.
  ///   - configuration: how requests are sent.
  ///   - decoder: creates the decoder of each page.
  /// - Throws: `HTTPError.invalidURL` if credentials cannot be sent to `url`. It then has another
  ///   scheme, no host, or a user name that `credentials` do not take from it
  ///   (`.userInformation`).
  public init(
    _ url: URL, paging: PagingStyle = .automatic, items: JSONPointer? = nil,
    credentials: HTTPCredentials = .none, configuration: HTTPConfiguration = HTTPConfiguration(),
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) throws(HTTPError) {
    let (credentials, url) = credentials.taking(from: url)
    guard let origin = Origin(url) else { throw .invalidURL(url.masked) }
    self.url = url
    self.paging = paging
    reading = paging.kind.reading(
      items: items, skipsInvalid: configuration.invalidItems == .skipInvalid)
    client = HTTPClient(
      policy: LinkPolicy(origin: origin, foreignLinks: configuration.foreignLinks),
      credentials: credentials, configuration: configuration,
      transport: configuration.transport ?? .standard,
      own: LinkSecrets(of: url, headers: configuration.headers))
    self.decoder = decoder
  }

  /// Creates a source for a URL that is a literal in the code.
  ///
  /// For a URL made at run time, use the initializer that throws.
  ///
  /// - Precondition: the text is an `http` or `https` URL with a host and without a user name.
  public init(
    _ url: StaticString, paging: PagingStyle = .automatic, items: JSONPointer? = nil,
    credentials: HTTPCredentials = .none, configuration: HTTPConfiguration = HTTPConfiguration(),
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) {
    let text = "\(url)"
    guard let url = URL(string: text),
      let source = try? HTTPFeedSource(
        url, paging: paging, items: items, credentials: credentials,
        configuration: configuration, decoder: decoder)
    else { preconditionFailure("\"\(LogText(text))\" is not a URL of a web API") }
    self = source
  }

  /// The way pages connect, which follows from the paging style.
  public var continuity: PageContinuity { paging.continuity }

  /// The policy `polite`, unless the feed's configuration overrides it.
  public var retryPolicy: RetryPolicy { .polite }

  /// Returns the requested page, or `Page.unchanged` if the server reports it as unchanged.
  ///
  /// It is unchanged if the validator of the request still matches (rule N3).
  ///
  /// - Throws: `HTTPError` or `FeedError` without any secret in it, or the error of the provider
  ///   of credentials.
  public func page(_ request: PageRequest<HTTPPageKey>) async throws -> Page<Item, HTTPPageKey> {
    let read = ConditionalRead(request.validator, reading: form)
    do {
      var request = request
      request.key = try await restored(request.key)
      var page = withoutSecrets(try await page(request, by: read))
      page.validator = read.validator
      return page
    } catch is ConditionalRead.Unchanged {
      return .unchanged
    } catch let error as FeedError {
      throw await secrets(behind: request.key).hidden(in: error).masked
    } catch let error as HTTPError {
      throw await secrets(behind: request.key).hidden(in: error).masked
    }
  }

  /// Whether the server counts rows or pages: with `PagingStyle.offset` or `PagingStyle.page`.
  public var canJump: Bool {
    if case .offset = paging.kind { true } else { findsWholePages }
  }

  /// Whether the server counts pages: with `PagingStyle.page`.
  public var findsWholePages: Bool { if case .page = paging.kind { true } else { false } }

  /// Returns the key of the page that begins some rows further than another page, or of the page
  /// with a number that contains that row.
  ///
  /// It is `nil` unless the server counts rows or pages, and if pages differ in their numbers of
  /// rows. It requests nothing.
  public func key(
    _ count: Int, rowsFrom key: HTTPPageKey?, before end: HTTPPageKey?
  ) async -> HTTPPageKey? {
    switch key?.kind {
    case .offset(let offset): return offset.advanced(by: count).map(HTTPPageKey.offset)
    case .counted(let page) where findsWholePages:
      return page.page(ofRow: count).map(HTTPPageKey.page)
    default: return nil
    }
  }

  /// Returns all secrets that an error of a request may show.
  private func secrets(behind key: HTTPPageKey?) async -> SentSecrets {
    let keeper = client.credentials.keeper
    // A key from outside may hold a secret that no request has carried yet.
    if key != nil, keeper.known.isEmpty { _ = try? await keeper.fields() }
    return client.secrets.sent
  }

  /// Returns a key with secrets in place of their marks, as it was before it was handed out.
  private func restored(_ key: HTTPPageKey?) async throws -> HTTPPageKey? {
    guard let key else { return nil }
    if key.texts.contains(where: LinkSecrets.needsFields) {
      _ = try await client.credentials.keeper.fields()
    }
    let secrets = client.secrets
    let restored = key.map(urls: secrets.restored, tokens: secrets.filled)
    for text in restored.texts where LinkSecrets.isMarked(text) {
      // A link to another origin is rejected later. In a link to the list's origin, the marked
      // secret no longer belongs to this source.
      let target = URL(string: text).flatMap(Origin.init)
      if target == nil || target == client.policy.origin { throw FeedError.staleKey(text) }
    }
    return restored
  }

  /// Returns a page without secrets, which may be stored and shown.
  private func withoutSecrets(_ page: Page<Item, HTTPPageKey>) -> Page<Item, HTTPPageKey> {
    let secrets = client.secrets
    func safe(_ error: FeedError?) -> FeedError? { error.map(secrets.sent.hidden)?.masked }
    var page = page.mapKeys { $0.map(urls: secrets.marked, tokens: secrets.markedText) }
    (page.unread, page.invalidItem) = (safe(page.unread), safe(page.invalidItem))
    page.paging = page.paging.map(secrets.sent.hidden)
    return page
  }

  /// The way a body is read; a page is unchanged only if its body is read in the same way.
  private var form: String {
    "\(Item.self) \(reading.items?.tokens ?? []) \(paging.kind)"
  }

  private func page(
    _ request: PageRequest<HTTPPageKey>, by conditional: ConditionalRead
  ) async throws -> Page<Item, HTTPPageKey> {
    let reader = PageReader<Item>(base: url, trusts: paging.isTrusted) {
      try await read($0, by: conditional, limit: request.limit)
    }
    switch paging.kind {
    case .offset(let parameter, let limit, let first):
      return try await OffsetPages(
        reader: reader, parameter: parameter, limit: limit, first: first
      ).page(request)
    case .page(let parameter, let size, let first):
      return try await NumberedPages(
        reader: reader, parameter: parameter, size: size, first: first
      ).page(request)
    case .link, .next, .links, .header, .cursor, .lastItem, .automatic, .custom:
      return try await LinkedPages(reader: reader, style: paging.kind).page(request)
    case .single: return try await SinglePage(reader: reader).page(request)
    }
  }
}
