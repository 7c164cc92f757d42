internal import struct Foundation.URLError

/// An error that can mask the secrets it carries, so that it can be dumped (rule N5).
package protocol MaskedFailure: Error {
  /// The error with secrets masked, and texts escaped and bounded.
  var masked: Self { get }
}

extension FeedError: MaskedFailure {
  /// The error with secrets masked in its values, and texts escaped and bounded.
  ///
  /// An unknown error of a source is left unchanged. A `URLError` keeps only its code, because it
  /// carries addresses.
  package var masked: FeedError {
    switch self {
    case .source(let error as URLError): .source(URLError(error.code))
    case .source(let error as any MaskedFailure): .source(error.masked)
    default: mapTexts({ LogText($0).description }, urls: \.masked)
    }
  }
}
