internal import Foundation
internal import Freshet

/// The client that sends the requests of a list.
///
/// It adds credentials if they are allowed, follows redirections, and respects the server's rate
/// limits.
struct HTTPClient: Sendable {
  let policy: LinkPolicy
  let credentials: HTTPCredentials
  let configuration: HTTPConfiguration
  let transport: any HTTPTransport
  /// The secrets of the list's own URL and of the configuration.
  let own: LinkSecrets

  /// All secrets that requests carry now or carried a moment ago.
  var secrets: LinkSecrets { own.adding(credentials.keeper.known) }

  /// The formats that a source can read, unless the configuration overrides them.
  private static let defaults: HTTPHeaders = [
    "Accept": "application/json, application/vnd.api+json;q=0.9, application/*+json;q=0.8"
  ]

  /// Returns a successful response and its URL, which links in it are relative to.
  ///
  /// - Parameters:
  ///   - url: the URL to request.
  ///   - read: adds the condition that the page changed, and records the response.
  /// - Throws: `HTTPError`, whose secrets the source masks; `CancellationError`;
  ///   `ConditionalRead.Unchanged`; errors of the provider of the credentials or of the user's own
  ///   transport.
  func answer(
    to url: URL, by read: ConditionalRead
  ) async throws -> (response: HTTPResponse, url: URL) {
    do {
      return try await followed(url, read)
    } catch let error as URLError {
      if error.code == .cancelled { throw CancellationError() }
      throw HTTPError.unreachable(
        url, code: error.code, reason: error.localizedDescription)
    }
  }

  private func followed(
    _ url: URL, _ read: ConditionalRead
  ) async throws -> (response: HTTPResponse, url: URL) {
    var way = Redirections(from: url)
    var mayRefresh = credentials.keeper.canRefresh
    while true {
      let target = way.current
      let (response, request) = try await response(to: target, read, mayRefresh: &mayRefresh)
      if try way.follow(response) { continue }
      try read.note(response, to: request, hiding: secrets.sent)
      guard (200..<300).contains(response.status) else { throw failure(response, at: target) }
      return (response, target)
    }
  }

  /// Returns the successful response to a request that changes something.
  ///
  /// If the server refuses the credentials, it did not apply the request, which is repeated once
  /// with refreshed ones. A redirection is not followed.
  ///
  /// - Parameter fields: header fields besides those of the configuration and the credentials.
  /// - Throws: the errors of `answer(to:by:)`.
  func write(
    _ method: HTTPMethod, to url: URL, _ fields: HTTPHeaders, body: Data?
  ) async throws -> HTTPResponse {
    guard let origin = Origin(url), origin == policy.origin else {
      throw HTTPError.foreignLink(url)
    }
    let headers = Self.defaults.replacing(with: fields).replacing(with: configuration.headers)
    try headers.check()
    func response(with credentials: HTTPHeaders) async throws -> HTTPResponse {
      let request = HTTPRequest(
        url, method: method, headers: headers.replacing(with: credentials), body: body)
      return try await send(
        request, to: origin,
        by: RateLimitKey(credentials, account: self.credentials.account, own: own))
    }
    let first = try await credentials.keeper.fields()
    var answer = try await response(with: first.headers)
    if answer.status == 401, credentials.keeper.canRefresh {
      answer = try await response(with: try await credentials.keeper.fields(after: first))
    }
    guard (200..<300).contains(answer.status) else { throw failure(answer, at: url) }
    return answer
  }

  /// Returns the error of a response that is not successful.
  private func failure(_ response: HTTPResponse, at url: URL) -> HTTPError {
    .status(
      response.status, url: url,
      retryAfter: RetryAfter(response, now: Date().timeIntervalSince1970).map {
        .seconds($0.seconds)
      },
      message: ServerMessage.words(of: response, hiding: secrets.sent))
  }

  private typealias Answer = (response: HTTPResponse, request: RequestIdentity)

  /// Returns the response to one request, and the identity of that request.
  ///
  /// If the server refuses the credentials, the request is repeated once with refreshed ones.
  private func response(
    to url: URL, _ read: ConditionalRead, mayRefresh: inout Bool
  ) async throws -> Answer {
    guard let origin = Origin(url) else { throw HTTPError.foreignLink(url) }
    guard try policy.allowsCredentials(to: url) else {
      let text = url.absoluteString
      if LinkSecrets.isMarked(text) || secrets.sent.appear(in: text) {
        throw HTTPError.secretInLink(url)
      }
      return try await answer(to: url, at: origin, with: nil, read)
    }
    try configuration.headers.check()
    let first = try await credentials.keeper.fields()
    let answer = try await answer(to: url, at: origin, with: first.headers, read)
    guard answer.response.status == 401, mayRefresh else { return answer }
    mayRefresh = false
    let second = try await credentials.keeper.fields(after: first)
    return try await self.answer(to: url, at: origin, with: second, read)
  }

  /// Returns the response to a request with these credentials.
  ///
  /// The credentials are `nil` for a foreign origin.
  private func answer(
    to url: URL, at origin: Origin, with fields: HTTPHeaders?, _ read: ConditionalRead
  ) async throws -> Answer {
    var headers = Self.defaults.replacing(with: configuration.headers)
    let asker =
      fields.map {
        RequestIdentity.Asker($0, account: credentials.account, own: own)
      } ?? .anybody
    let request = RequestIdentity(
      url: secrets.marked(url.absoluteString), reading: read.reading, headers: headers,
      asker: asker)
    read.addCondition(to: &headers, of: request)
    try headers.check()
    let response = try await send(
      HTTPRequest(url, headers: headers.replacing(with: fields ?? [:])), to: origin,
      by: RateLimitKey(fields, account: credentials.account, own: own))
    return (response, request)
  }

  /// Sends a request when it is its turn, or throws if the origin has to be left alone.
  private func send(
    _ request: HTTPRequest, to origin: Origin, by limitKey: RateLimitKey
  ) async throws -> HTTPResponse {
    let rateLimiter = configuration.rateLimiter
    return try await rateLimiter.turn(at: origin, limit: configuration.requestsAtOnce) {
      try rateLimiter.check(request, at: origin, by: limitKey)
      let response = try await transport.response(to: request, bodyLimit: configuration.bodyLimit)
      // A transport may not have enforced its limit (rule N2).
      guard response.body.count <= max(0, configuration.bodyLimit) else {
        throw HTTPError.tooLarge(limit: configuration.bodyLimit)
      }
      if let asked = RetryAfter(response, now: Date().timeIntervalSince1970) {
        let isRefusal = response.status >= 400
        rateLimiter.note(
          asked, request, at: origin, by: limitKey, status: isRefusal ? response.status : 429,
          message: isRefusal
            ? ServerMessage.words(of: response, hiding: secrets.sent)
            : "no requests left for now, as its last answer said")
      }
      return response
    }
  }
}
