/// What is known of one end of a list.
public enum FeedEnd: String, Codable, Sendable {
  /// Nothing: no answer came yet.
  case unknown
  /// There may be more rows beyond the outermost.
  case open
  /// The outermost row is the list's own: the source said so.
  case end
}
