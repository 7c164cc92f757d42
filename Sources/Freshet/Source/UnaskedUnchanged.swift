/// The error for `Page.unchanged` in answer to a request without a validator.
///
/// Without a validator, it is unknown which page has not changed.
struct UnaskedUnchanged: Error, CustomStringConvertible {
  /// Creates the error.
  init() {}

  /// A description of the problem, and of what to try.
  var description: String {
    "The source says that a page is unchanged, and was not told which one: answer so only where the request has a validator."
  }
}
