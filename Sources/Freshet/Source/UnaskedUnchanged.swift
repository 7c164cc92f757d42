/// A source answered `Page.unchanged` to a request without a validator: nothing is known to be
/// unchanged.
struct UnaskedUnchanged: Error, CustomStringConvertible {
  /// Creates the error that a source throws.
  init() {}

  /// What went wrong and what to try.
  var description: String {
    "The source says that a page is unchanged, and was not told which one: answer so only where the request has a validator."
  }
}
