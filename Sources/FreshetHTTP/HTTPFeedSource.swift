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
  private let credentials: HTTPCredentials
  private let policy: LinkPolicy
  private let configuration: HTTPConfiguration
  private let transport: any HTTPTransport
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
  ///   scheme, no host, or a user name in it.
  public init(
    _ url: URL, paging: PagingStyle = .automatic, items: JSONPointer? = nil,
    credentials: HTTPCredentials = .none, configuration: HTTPConfiguration = HTTPConfiguration(),
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) throws(FeedError) {
    guard let origin = Origin(url) else { throw .invalidURL(url) }
    self.url = url
    self.paging = paging
    places = Envelope<Item>.Places(
      items: items, next: paging.nextPointers, previous: paging.previousPointers)
    self.credentials = credentials
    policy = LinkPolicy(origin: origin, foreignLinks: configuration.foreignLinks)
    self.configuration = configuration
    transport = configuration.transport ?? .standard
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
    else { preconditionFailure("\"\(text)\" is not a URL of a web API") }
    self = source
  }

  /// How the pages hang together, which follows from the paging style.
  public var continuity: PageContinuity { paging.continuity }

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
      guard case .url(let text) = key, let url = URL(string: text) else {
        throw FeedError.staleKey("\(key)")
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
    return Page(
      envelope.items, next: try next.map { try pageKey($0, "next", answered) },
      previous: try previous.map { try pageKey($0, "previous", answered) })
  }

  /// The key that a link is.
  private func pageKey(_ link: String, _ name: String, _ url: URL) throws(FeedError) -> HTTPPageKey
  {
    guard let target = URL(string: link, relativeTo: url) else {
      throw .decoding(path: "the \(name) link", expected: "a URL", found: link, url: url)
    }
    return .url(target.absoluteString)
  }

  private func items(_ query: [String: String]) async throws -> [Item] {
    try await fetch(url.settingQuery(query)).envelope.items
  }

  private func fetch(
    _ url: URL
  ) async throws -> (envelope: Envelope<Item>, response: HTTPResponse, answered: URL) {
    var answered = url
    var response = try await response(from: url)
    for _ in 0..<Self.redirectionLimit {
      guard [301, 302, 303, 307, 308].contains(response.status),
        let target = response.headers["Location"]
          .flatMap({ URL(string: $0, relativeTo: answered)?.absoluteURL })
      else { break }
      answered = target
      response = try await self.response(from: target)
    }
    guard (200..<300).contains(response.status) else {
      throw FeedError.http(
        status: response.status, url: answered,
        retryAfter: response.headers["Retry-After"].flatMap(Self.seconds), message: nil)
    }
    let decoder = decoder()
    decoder.userInfo[.places] = places
    do {
      return (try decoder.decode(Envelope<Item>.self, from: response.body), response, answered)
    } catch let error as DecodingError {
      throw FeedError.decoding(error, answered)
    } catch FeedError.decoding(let path, let expected, let found, nil) {
      throw FeedError.decoding(path: path, expected: expected, found: found, url: answered)
    }
  }

  /// The answer to a request that carries credentials if they are for its origin, and none otherwise.
  private func response(from url: URL) async throws -> HTTPResponse {
    var headers: HTTPHeaders = ["Accept": "application/json"]
    for field in configuration.headers.fields { headers[field.name] = field.value }
    if try policy.allowsCredentials(to: url) {
      for field in try await credentials.fields(false).fields {
        headers[field.name] = field.value
      }
    }
    return try await transport.response(
      to: HTTPRequest(url, headers: headers), bodyLimit: configuration.bodyLimit)
  }

  private static var redirectionLimit: Int { 5 }

  /// `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3).
  private static func seconds(_ value: String) -> Double? {
    if let seconds = Double(value) { return seconds.isNaN ? nil : bounded(seconds) }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    return formatter.date(from: value).map { bounded($0.timeIntervalSinceNow) }
  }

  /// Nobody waits longer than a day, or less than not at all.
  private static func bounded(_ seconds: Double) -> Double { min(max(0, seconds), 86_400) }
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
