public import Foundation
public import Freshet
public import FreshetLists

/// Pages of a JSON web API.
///
/// ```swift
/// let feed = FeedController(
///   HTTPFeedSource<Commit>("https://api.example.com/repos/x/commits", paging: .linkHeader),
///   cache: .file("commits"))
/// ```
///
/// Credentials go to the origin of `url` only, whatever a next link or a redirection says (rule N1).
/// A body longer than `bodyLimit` is refused; one that does not decode is an error that says where
/// (rule N2). The rows stay on screen in every case.
public struct HTTPFeedSource<Item: ListItem & Decodable>: FeedSource {
  private let url: URL
  private let paging: PagingStyle
  private let places: Envelope<Item>.Places
  private let requester: Requester
  private let secrets: LinkSecrets
  private let configuration: HTTPConfiguration
  private let decoder: @Sendable () -> JSONDecoder

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - url: the first page, `http` or `https`.
  ///   - paging: how the server names its pages.
  ///   - items: where the items stand in a body; `nil` for the document if it is an array, else its
  ///     only array member or the one named `items`, `data`, `results`, `rows`, `features` or
  ///     `value`.
  ///   - credentials: header fields that go to the origin of `url` and nowhere else.
  ///   - configuration: how the server is asked.
  ///   - decoder: makes the decoder of each page.
  /// - Throws: `FeedError.invalidURL` where `url` is not one to send credentials to: another
  ///   scheme, no host, or a user name in it that `credentials` are not to take from there
  ///   (`.userInformation`).
  public init(
    _ url: URL, paging: PagingStyle = .automatic, items: JSONPointer? = nil,
    credentials: HTTPCredentials = .none, configuration: HTTPConfiguration = HTTPConfiguration(),
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) throws(FeedError) {
    let (credentials, url) = credentials.taking(from: url)
    guard let origin = Origin(url) else { throw .invalidURL(url.masked) }
    self.url = url
    secrets = LinkSecrets(of: url)
    self.paging = paging
    places = Envelope<Item>.Places(
      items: items, next: paging.nextPointers, previous: paging.previousPointers)
    requester = Requester(
      policy: LinkPolicy(origin: origin, foreignLinks: configuration.foreignLinks),
      credentials: credentials, configuration: configuration,
      transport: configuration.transport ?? .standard)
    self.configuration = configuration
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

  /// The page for a request.
  public func page(_ request: PageRequest<HTTPPageKey>) async throws -> Page<Item, HTTPPageKey> {
    switch paging.kind {
    case .offset(let parameter, let limit, let first):
      let counted = OffsetSource(first: first) { offset, count in
        var query = [parameter: "\(offset)"]
        if let limit { query[limit] = "\(count)" }
        return try await items(query)
      }
      guard let key = request.key else {
        return try await counted.page(PageRequest(limit: request.limit)).mapKeys(HTTPPageKey.offset)
      }
      guard case .offset(let offset) = key else { throw FeedError.staleKey("\(key)") }
      return try await counted.page(PageRequest(key: offset, limit: request.limit))
        .mapKeys(HTTPPageKey.offset)
    case .page(let parameter, let size, let first):
      let numbered = NumberedSource(first: first) { number, count in
        var query = [parameter: "\(number)"]
        if let size { query[size] = "\(count)" }
        return try await items(query)
      }
      guard let key = request.key else {
        return try await numbered.page(PageRequest(limit: request.limit)).mapKeys(HTTPPageKey.page)
      }
      guard case .page(let number) = key else { throw FeedError.staleKey("\(key)") }
      return try await numbered.page(PageRequest(key: number, limit: request.limit))
        .mapKeys(HTTPPageKey.page)
    case .link, .next, .automatic, .single:
      return try await linkedPage(request.key)
    }
  }

  private func linkedPage(_ key: HTTPPageKey?) async throws -> Page<Item, HTTPPageKey> {
    var target = url
    if let key {
      guard case .url(let text) = key, let url = URL(string: secrets.restored(text)) else {
        throw FeedError.staleKey("\(LogText("\(key)"))")
      }
      target = url
    }
    let (envelope, response, answered) = try await fetch(target)
    var (next, previous) = (envelope.next, envelope.previous)
    if paging.readsLinkHeader, let header = response.headers["Link"] {
      let links = LinkHeader(header)
      next = links.target("next") ?? next
      previous = links.target("prev") ?? links.target("previous") ?? previous
    }
    var page = Page(
      envelope.items.items, next: try next.map { try pageKey($0, "next", answered) },
      previous: try previous.map { try pageKey($0, "previous", answered) })
    (page.invalidItems, page.invalidItem) = envelope.items.complaint(response, answered)
    return page
  }

  /// The key that a link is.
  private func pageKey(_ link: String, _ name: String, _ url: URL) throws(FeedError) -> HTTPPageKey
  {
    guard let target = URL(string: link, relativeTo: url) else {
      throw FeedError.decoding(
        path: "the \(name) link", expected: "a URL", found: link, url: url
      ).masked
    }
    return .url(secrets.marked(target.absoluteString))
  }

  private func items(_ query: [String: String]) async throws -> [Item] {
    let (envelope, response, answered) = try await fetch(url.settingQuery(query))
    // A row that is left out would shift the count.
    if let error = envelope.items.complaint(response, answered).first { throw error }
    return envelope.items.items
  }

  private func fetch(
    _ url: URL
  ) async throws -> (envelope: Envelope<Item>, response: HTTPResponse, answered: URL) {
    let (response, answered) = try await requester.answer(to: url)
    let decoder = decoder()
    decoder.userInfo[.places] = places
    decoder.userInfo[.invalidItems] = configuration.invalidItems
    do {
      return (try decoder.decode(Envelope<Item>.self, from: response.body), response, answered)
    } catch let error as DecodingError {
      throw BodyComplaint.error(error, in: response, from: answered)
    } catch FeedError.decoding(let path, let expected, let found, nil) {
      throw FeedError.decoding(path: path, expected: expected, found: found, url: answered.masked)
    }
  }
}

extension CharacterSet {
  /// What needs no escape anywhere in a URL (RFC 3986, section 2.3).
  fileprivate static let unreserved = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
}

extension URL {
  /// The URL with query parameters set to these values.
  fileprivate func settingQuery(_ parameters: [String: String]) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
    func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? text
    }
    // What the user wrote stays as it is written: a plus may mean a space.
    var items = (parts.percentEncodedQueryItems ?? []).filter {
      parameters[$0.name.removingPercentEncoding ?? $0.name] == nil
    }
    items += parameters.sorted { $0.key < $1.key }.map {
      URLQueryItem(name: encoded($0.key), value: encoded($0.value))
    }
    parts.percentEncodedQueryItems = items
    return parts.url ?? self
  }
}
