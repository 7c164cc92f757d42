/// What news and edits have to know of requests: which may still be answered, and how to read the
/// answers.
struct RequestContext: Sendable {
  /// The newest request.
  let newest: Int
  /// The oldest one whose answer may still come; `nil` where none is under way.
  let oldest: Int?
  /// Whether rows are being read from disk that know of no request.
  let isRestoring: Bool
  /// Whether the list is asked for in its middle first.
  let startsInMiddle: Bool
  /// How long answers may have an item that the source deleted.
  let deletionHorizon: Duration

  /// Whether an answer may come that was asked for up to a request.
  func mayAnswer(_ request: Int) -> Bool { oldest.map { $0 <= request } ?? false }
}
