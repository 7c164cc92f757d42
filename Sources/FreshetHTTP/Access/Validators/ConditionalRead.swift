internal import Freshet

/// A read of one page, by one request or several, on the condition that the page changed.
///
/// Only a page that consists of one response has a validator. A 304 then means that the page with
/// that validator is unchanged.
final class ConditionalRead: Sendable {
  /// The page is still the one with the validator.
  struct Unchanged: Error {}

  private let sent: Validator?
  /// The way bodies are read.
  let reading: String
  private let answers = Locked<(count: Int, validator: Validator?)>((0, nil))

  /// - Parameters:
  ///   - validator: the validator that the feed handed back.
  ///   - reading: the way bodies are read.
  init(_ validator: String?, reading: String) {
    sent = validator.flatMap(Validator.init(text:))
    self.reading = reading
  }

  /// Adds the condition to a request's fields, if the validator belongs to an equal request.
  func addCondition(to headers: inout HTTPHeaders, of request: RequestIdentity) {
    guard let condition = sent?.condition(for: request) else { return }
    headers[condition.name] = condition.value
  }

  /// Records a response that is about to be read.
  ///
  /// - Parameters:
  ///   - response: the response.
  ///   - request: the request that it belongs to.
  ///   - secrets: the secrets that a stored validator must not hold.
  /// - Throws: `Unchanged` if there is nothing to read, because the request had the condition.
  func note(_ response: HTTPResponse, to request: RequestIdentity, hiding secrets: SentSecrets)
    throws
  {
    if response.status == 304, sent?.condition(for: request) != nil { throw Unchanged() }
    var validator = Validator(response, to: request)
    if let text = validator?.text, secrets.appear(in: text) { validator = nil }
    answers.withLock { $0 = ($0.count + 1, validator) }
  }

  /// The validator of the page that was read; `nil` if the page has none.
  var validator: String? {
    answers.withLock { $0.count == 1 ? $0.validator?.text : nil }
  }
}
