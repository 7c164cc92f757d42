public import Foundation
public import Freshet

// Changes of the list, which are sent like the requests for its pages.
extension HTTPFeedSource {
  /// Sends a change to the server and returns its answer.
  ///
  /// It is sent with the credentials, the rate limits and the time-outs of this source. It is
  /// sent once: an `Outbox` repeats it. If the server refuses credentials that can be refreshed,
  /// it is repeated once with new ones.
  ///
  /// ```swift
  /// Sender(Publish.self) { publish, attempt in
  ///   try await source.send(.post, "posts", publish, for: attempt, returning: Post.self)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - path: the address, relative to the URL of this source; it must be of the same origin.
  ///   - body: the value to send in JSON; `nil` for no body.
  ///   - attempt: the attempt of an outbox, whose idempotency key is sent in `keyField`.
  ///   - type: the type of the answer, which is read with the decoder of this source.
  ///   - keyField: the name of the header field with the idempotency key.
  ///   - encoder: the encoder of the body.
  /// - Returns: the answer of the server.
  /// - Throws: `HTTPError` or `FeedError` without any secret in it, `EncodingError`, or the error
  ///   of the provider of credentials.
  public func send<Answer: Decodable>(
    _ method: HTTPMethod, _ path: String, _ body: (any Encodable)? = nil,
    for attempt: SendAttempt? = nil, returning type: Answer.Type,
    keyField: String = "Idempotency-Key", encoder: JSONEncoder = JSONEncoder()
  ) async throws -> Answer {
    let response = try await response(to: method, path, body, attempt, keyField, encoder)
    do {
      try BodyCheck.check(response.body, limit: client.configuration.bodyLimit)
      return try decoder().decode(type, from: response.body)
    } catch let error as DecodingError {
      throw client.secrets.sent.hidden(
        in: DecodingDiagnostics.error(error, in: response, from: url)
      ).masked
    }
  }

  /// Sends a change to the server, whose answer is not needed.
  ///
  /// See `send(_:_:_:for:returning:keyField:encoder:)`.
  ///
  /// - Throws: `HTTPError` without any secret in it, `EncodingError`, or the error of the provider
  ///   of credentials.
  public func send(
    _ method: HTTPMethod, _ path: String, _ body: (any Encodable)? = nil,
    for attempt: SendAttempt? = nil, keyField: String = "Idempotency-Key",
    encoder: JSONEncoder = JSONEncoder()
  ) async throws {
    _ = try await response(to: method, path, body, attempt, keyField, encoder)
  }

  private func response(
    to method: HTTPMethod, _ path: String, _ body: (any Encodable)?, _ attempt: SendAttempt?,
    _ keyField: String, _ encoder: JSONEncoder
  ) async throws -> HTTPResponse {
    guard let target = URL(string: path, relativeTo: url)?.absoluteURL else {
      throw HTTPError.invalidURL(url)
    }
    var fields: HTTPHeaders = [:]
    let data = try body.map { try encoder.encode($0) }
    if data != nil { fields["Content-Type"] = "application/json" }
    if let attempt { fields[keyField] = attempt.idempotencyKey }
    do {
      return try await client.write(method, to: target, fields, body: data)
    } catch let error as URLError where error.code == .cancelled {
      throw CancellationError()
    } catch let error as URLError {
      throw HTTPError.unreachable(
        target.masked, code: error.code, reason: error.localizedDescription)
    } catch let error as HTTPError {
      throw client.secrets.sent.hidden(in: error).masked
    }
  }
}
