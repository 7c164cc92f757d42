/// The state of the requests, as needed by server events and edits.
///
/// It determines which requests may still be answered, and how to read their answers.
struct RequestContext: Sendable {
  /// The newest request.
  let newest: Int
  /// The oldest request that may still be answered; `nil` if none is under way.
  let oldest: Int?
  /// Whether rows are being read from disk, which belong to no request.
  let isRestoring: Bool
  /// Whether the list is first requested in its middle.
  let startsInMiddle: Bool
  /// The time after a deletion in which answers may still have the deleted item.
  let deletionHorizon: Duration

  /// Whether this request, or an older one, may still be answered.
  func mayAnswer(_ request: Int) -> Bool { oldest.map { $0 <= request } ?? false }
}
