internal import Freshet

/// The reading of one page, by one request or several, on the condition that it changed.
///
/// A page has a validator where it is one answer: then an answer of 304 says that the page is the
/// one that had it.
final class ConditionalRead: Sendable {
  /// The page is the one that had the validator.
  struct Unchanged: Error {}

  private let sent: Validator?
  /// How bodies are read.
  let reading: String
  private let answers = Locked<(count: Int, validator: Validator?)>((0, nil))

  /// - Parameters:
  ///   - validator: the validator that the feed handed back.
  ///   - reading: how bodies are read.
  init(_ validator: String?, reading: String) {
    sent = validator.flatMap(Validator.init(text:))
    self.reading = reading
  }

  /// Adds the condition to the fields of a request, if the validator came from one just like it.
  func addCondition(to headers: inout HTTPHeaders, of request: RequestIdentity) {
    guard let condition = sent?.condition(for: request) else { return }
    headers[condition.name] = condition.value
  }

  /// Notes an answer that is to be read.
  ///
  /// - Parameters:
  ///   - response: the answer.
  ///   - request: what was asked, and by whom.
  ///   - secrets: what a validator that is stored must not hold.
  /// - Throws: `Unchanged` where there is nothing to read, because the server was asked so.
  func note(_ response: HTTPResponse, to request: RequestIdentity, hiding secrets: SentSecrets)
    throws
  {
    if response.status == 304, sent?.condition(for: request) != nil { throw Unchanged() }
    var validator = Validator(response, to: request)
    if let text = validator?.text, secrets.appear(in: text) { validator = nil }
    answers.withLock { $0 = ($0.count + 1, validator) }
  }

  /// The validator of the page that was read.
  var validator: String? {
    answers.withLock { $0.count == 1 ? $0.validator?.text : nil }
  }
}
