/// The known state of one end of a list.
public enum FeedEnd: String, Codable, Sendable {
  /// Nothing is known: no answer has arrived yet.
  case unknown
  /// There may be more rows beyond the outermost row.
  case open
  /// The source reported that the outermost row is the end of the list.
  case end
}
