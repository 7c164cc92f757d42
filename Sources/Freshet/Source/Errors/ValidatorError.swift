/// The error for `Page.unchanged` in answer to a request without a validator.
///
/// Without a validator, it is unknown which page has not changed.
struct ValidatorError: Error, CustomStringConvertible {
  /// A description of the problem, and of what to try.
  var description: String {
    "The source reported a page as unchanged, but the request had no validator. Return `.unchanged` only for a request with a validator."
  }
}
