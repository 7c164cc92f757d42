public import Foundation
public import Freshet
public import FreshetLists

/// Pages of a JSON web API.
///
/// ```swift
/// let feed = FeedController(
///   HTTPFeedSource<Post>("https://api.example.com/posts", paging: .linkHeader),
///   cache: .file("posts"))
/// ```
///
/// Credentials go to the origin of `url` only, whatever a next link or a redirection says (rule
/// N1). A body longer than `bodyLimit` is refused; one that does not decode is an error that says
/// where (rule N2). The rows stay on screen in every case.
public struct HTTPFeedSource<Item: ListItem & Decodable>: FeedSource {
  let url: URL
  let paging: PagingStyle
  let reading: BodyReading
  let client: HTTPClient
  let decoder: @Sendable () -> JSONDecoder

  /// Creates a source of the list at a URL.
  ///
  /// - Parameters:
  ///   - url: the first page, `http` or `https`.
  ///   - paging: how the server names its pages.
  ///   - items: where the items stand in a body; `nil` for the document if it is an array, else its
  ///     only array member or the one named `items`, `data`, `results`, `rows`, `features`,
  ///     `value`, `records`, `entries` or `content`, in the body or its `_embedded`.
  ///   - credentials: header fields that go to the origin of `url` and nowhere else.
  ///   - configuration: how the server is asked.
  ///   - decoder: makes the decoder of each page.
  /// - Throws: `HTTPError.invalidURL` where `url` is not one to send credentials to: another
  ///   scheme, no host, or a user name in it that `credentials` are not to take from there
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

  /// Creates a source for a URL spelled out in the code; for one made at run time there is the
  /// initializer that throws.
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

  /// How the pages hang together, which follows from the paging style.
  public var continuity: PageContinuity { paging.continuity }

  /// `polite`, unless the feed's configuration says otherwise.
  public var retryPolicy: RetryPolicy { .polite }

  /// The page for a request, or `Page.unchanged` where the server says that it is the one whose
  /// validator the request has (rule N3).
  ///
  /// - Throws: `HTTPError` or `FeedError`, without any secret in it, or what the provider of
  ///   credentials threw.
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

  /// All secrets that an error of a request may show.
  private func secrets(behind key: HTTPPageKey?) async -> SentSecrets {
    let keeper = client.credentials.keeper
    // A key from outside may hold a secret that no request has carried yet.
    if key != nil, keeper.known.isEmpty { _ = try? await keeper.fields() }
    return client.secrets.sent
  }

  /// A key as it was before it was handed out: with secrets in place of their marks.
  private func restored(_ key: HTTPPageKey?) async throws -> HTTPPageKey? {
    guard let key else { return nil }
    if key.texts.contains(where: LinkSecrets.needsFields) {
      _ = try await client.credentials.keeper.fields()
    }
    let secrets = client.secrets
    let restored = key.map(urls: secrets.restored, tokens: secrets.filled)
    for text in restored.texts where LinkSecrets.isMarked(text) {
      // Elsewhere it is refused. Here the secret that it stands for is none of this source's any
      // more.
      let target = URL(string: text).flatMap(Origin.init)
      if target == nil || target == client.policy.origin { throw FeedError.staleKey(text) }
    }
    return restored
  }

  /// A page as it may be stored and shown.
  private func withoutSecrets(_ page: Page<Item, HTTPPageKey>) -> Page<Item, HTTPPageKey> {
    let secrets = client.secrets
    func safe(_ error: FeedError?) -> FeedError? { error.map(secrets.sent.hidden)?.masked }
    var page = page.mapKeys { $0.map(urls: secrets.marked, tokens: secrets.markedText) }
    (page.unread, page.invalidItem) = (safe(page.unread), safe(page.invalidItem))
    page.paging = page.paging.map(secrets.sent.hidden)
    return page
  }

  /// What a body becomes: what follows from it is the same only where it is read in the same way.
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
