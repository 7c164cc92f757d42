internal import struct Foundation.URLError

/// An error that can mask the secrets in what it carries, so that it may be dumped as it is (rule
/// N5).
package protocol MaskedFailure: Error {
  /// The error with secrets masked, and texts escaped and bounded.
  var masked: Self { get }
}

extension FeedError: MaskedFailure {
  /// The error with secrets masked in what it carries, and texts escaped and bounded.
  ///
  /// A source's own error stays as it is, but for what this library knows: of a `URLError` only the
  /// code stays, as it carries addresses.
  package var masked: FeedError {
    switch self {
    case .source(let error as URLError): .source(URLError(error.code))
    case .source(let error as any MaskedFailure): .source(error.masked)
    default: mapTexts({ LogText($0).description }, urls: \.masked)
    }
  }
}
